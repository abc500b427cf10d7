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

/** The node as the cloud controller leaves it: without the taint, with what the cloud says of the machine. */
const initializedNode = (node: Node, { providerId, instanceType, region, zone }: CloudMachine): Node => {
  const labels = {
    ...node.metadata.labels,
    ...{ 'node.kubernetes.io/instance-type': instanceType, 'beta.kubernetes.io/instance-type': instanceType },
    ...{ 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': zone },
    ...{ 'failure-domain.beta.kubernetes.io/region': region, 'failure-domain.beta.kubernetes.io/zone': zone },
  };
  const taints = (node.spec?.taints ?? []).filter((taint) => taint.key !== UNINITIALIZED);
  return { ...node, metadata: { ...node.metadata, labels }, spec: { ...node.spec, providerID: providerId, taints } };
};

const isUninitialized = (node: Node): boolean => node.spec?.taints?.some((taint) => taint.key === UNINITIALIZED) ?? false;

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
      const isReady = conditionOf(node.status?.conditions, 'Ready')?.status === 'True';
      const providerId = node.spec?.providerID;
      const isEnding = node.metadata.deletionTimestamp !== undefined;
      if (isReady || isEnding || providerId === undefined || cloud.exists(providerId)) continue;
      api.delete(nodes, { name: node.metadata.name ?? '' });
    }
  });
  return together(watch, monitor, loop);
};
