import { type NodeObject, nodeTaints } from '../objects/node.ts';
import { conditionIn } from '../objects/conditions.ts';

/** Whether the cloud controller has yet to see the node. */
export const isUninitialized = (node: NodeObject): boolean =>
  node.spec?.taints?.some((taint) => taint.key === nodeTaints.uninitialized) ?? false;

/** The node as the cloud controller leaves it: without the taint, with what the cloud says of the machine. */
export const initializedNode = (node: NodeObject, { providerId, instanceType, region, zone }: CloudMachine): NodeObject => {
  const labels = {
    ...node.metadata.labels,
    ...{ 'node.kubernetes.io/instance-type': instanceType, 'beta.kubernetes.io/instance-type': instanceType },
    ...{ 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': zone },
    ...{ 'failure-domain.beta.kubernetes.io/region': region, 'failure-domain.beta.kubernetes.io/zone': zone },
  };
  const taints = (node.spec?.taints ?? []).filter((taint) => taint.key !== nodeTaints.uninitialized);
  return { ...node, metadata: { ...node.metadata, labels }, spec: { ...node.spec, providerID: providerId, taints } };
};

/** So long a new node is left to whoever initialises it. */
const UNINITIALIZED_GRACE_MS = 60_000;

const isReady = (node: NodeObject): boolean => conditionIn(node.status?.conditions, 'Ready')?.status === 'True';

/**
 * Whether the cloud has no machine of the node any more. A node that nobody has initialised is known to the cloud by
 * its name; any other that carries no id is not the cloud's.
 */
const isWithoutMachine = (node: NodeObject, cloud: CloudView, nowMs: number): boolean => {
  const { name = '', creationTimestamp } = node.metadata;
  const providerId = node.spec?.providerID;
  if (providerId !== undefined) return !cloud.exists(providerId);
  const isOld = creationTimestamp !== undefined && nowMs >= Date.parse(creationTimestamp) + UNINITIALIZED_GRACE_MS;
  return isUninitialized(node) && isOld && cloud.machineOf(name) === undefined;
};

/** Whether the cloud controller takes the node away: it is not Ready, and its machine is gone. */
export const isLost = (node: NodeObject, cloud: CloudView, nowMs: number): boolean =>
  !isReady(node) && node.metadata.deletionTimestamp === undefined && isWithoutMachine(node, cloud, nowMs);

/** A machine as the cloud knows it. */
export interface CloudMachine {
  readonly providerId: string;
  readonly instanceType: string;
  readonly region: string;
  /** The zone's label value; `0`, a fault domain, for a machine without zone. */
  readonly zone: string;
}

/** What the cloud controller asks of the cloud. */
export interface CloudView {
  machineOf(nodeName: string): CloudMachine | undefined;
  exists(providerId: string): boolean;
}

/** Several clouds as one: the first that knows a machine speaks for it. The list may grow. */
export const allClouds = (clouds: readonly CloudView[]): CloudView => ({
  machineOf: (nodeName) => {
    for (const cloud of clouds) {
      const machine = cloud.machineOf(nodeName);
      if (machine !== undefined) return machine;
    }
    return undefined;
  },
  exists: (providerId) => clouds.some((cloud) => cloud.exists(providerId)),
});
