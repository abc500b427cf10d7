import { type ControlDeps, every, together } from '../control/control-deps.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { nodes } from '../objects/node.ts';
import { type CloudView, initializedNode, isLost, isUninitialized } from './cloud-view.ts';

const INITIALIZE_MS = 1_000;
const ASK_AGAIN_MS = 5_000;
const MONITOR_MS = 5_000;

/**
 * The cloud controller manager's part: initialises new nodes, and deletes the Node of a machine that is not Ready and
 * no longer exists. Source: cloud-provider's node and node-lifecycle controllers.
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
