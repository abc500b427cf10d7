import type { ControlDeps } from '../control/deps.ts';
import { together } from '../control/deps.ts';
import { every } from '../control/every.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { conditionOf } from '../objects/conditions.ts';
import type { Node } from '../objects/node.ts';
import { nodes } from '../objects/node.ts';
import type { CloudMachine, CloudView } from './cloud-view.ts';

const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';
const INITIALIZE_MS = 1_000;
const ASK_AGAIN_MS = 5_000;
const MONITOR_MS = 5_000;
/** So long a new node is left to whoever initialises it. */
const UNINITIALIZED_GRACE_MS = 60_000;

/** The node as the cloud controller leaves it: without the taint, with what the cloud says of the machine. */
export const initializedNode = (node: Node, { providerId, instanceType, region, zone }: CloudMachine): Node => {
  const labels = {
    ...node.metadata.labels,
    ...{ 'node.kubernetes.io/instance-type': instanceType, 'beta.kubernetes.io/instance-type': instanceType },
    ...{ 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': zone },
    ...{ 'failure-domain.beta.kubernetes.io/region': region, 'failure-domain.beta.kubernetes.io/zone': zone },
  };
  const taints = (node.spec?.taints ?? []).filter((taint) => taint.key !== UNINITIALIZED);
  return { ...node, metadata: { ...node.metadata, labels }, spec: { ...node.spec, providerID: providerId, taints } };
};

/** Whether the cloud controller has yet to see the node. */
export const isUninitialized = (node: Node): boolean => node.spec?.taints?.some((taint) => taint.key === UNINITIALIZED) ?? false;

const isReady = (node: Node): boolean => conditionOf(node.status?.conditions, 'Ready')?.status === 'True';

/**
 * Whether the cloud has no machine of the node any more. A node that nobody has initialised is known to the cloud by its name; any other that
 * carries no id is not the cloud's.
 */
const isWithoutMachine = (node: Node, cloud: CloudView, nowMs: number): boolean => {
  const { name = '', creationTimestamp } = node.metadata;
  const providerId = node.spec?.providerID;
  if (providerId !== undefined) return !cloud.exists(providerId);
  const isOld = creationTimestamp !== undefined && nowMs >= Date.parse(creationTimestamp) + UNINITIALIZED_GRACE_MS;
  return isUninitialized(node) && isOld && cloud.machineOf(name) === undefined;
};

/** Whether the cloud controller takes the node away: it is not Ready, and its machine is gone. */
export const isLost = (node: Node, cloud: CloudView, nowMs: number): boolean =>
  !isReady(node) && node.metadata.deletionTimestamp === undefined && isWithoutMachine(node, cloud, nowMs);

/**
 * The cloud controller manager's part: initialises new nodes, and deletes the Node of a machine that is not Ready and no longer exists.
 * Source: cloud-provider's node and node-lifecycle controllers.
 */
export const startCloudNode = ({ api, clock }: ControlDeps, cloud: CloudView): Disposable => {
  const loop = createWorkLoop(clock, (name) => {
    const node = api.get(nodes, { name });
    if (node === undefined || !isUninitialized(node)) return undefined;
    const machine = cloud.machineOf(name);
    if (machine === undefined) return ASK_AGAIN_MS;
    api.update(initializedNode(node, machine));
    return undefined;
  });
  const watch = api.watch(nodes, ({ type, object }) => {
    if (type === 'ADDED' && isUninitialized(object)) loop.addAfter(object.metadata.name ?? '', INITIALIZE_MS);
  });
  const monitor = every(clock, MONITOR_MS, () => {
    for (const node of api.list(nodes)) {
      if (isLost(node, cloud, clock.now())) api.delete(nodes, { name: node.metadata.name ?? '' });
    }
  });
  return together(watch, monitor, loop);
};
