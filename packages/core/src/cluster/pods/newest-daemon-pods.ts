import { compareText, memoByObject } from '../../base/index.ts';
import { isDaemonPod } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { NodeView } from '../nodes/node-view.ts';

const NONE: readonly Pod[] = [];

/** Views are shared between snapshots: each is looked through once. */
const daemonPodsOn = memoByObject((node: NodeView): readonly Pod[] => {
  const pods = node.pods.filter(isDaemonPod);
  return pods.length === 0 ? NONE : pods;
});

const byAge = (a: Pod, b: Pod): number =>
  compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') || compareText(a.metadata.name, b.metadata.name);

/** How to look up the DaemonSet of a pod. */
const keysOf = ({ metadata: { namespace = 'default', ownerReferences = [] } }: Pod): readonly string[] => {
  const owner = ownerReferences.find(({ kind }) => kind === 'DaemonSet');
  return owner === undefined ? [] : [owner.uid, `${namespace}/${owner.name}`];
};

/** DaemonSet, by its uid and by `namespace/name` → the newest of its pods on the nodes; ties by name. */
export const newestDaemonPods = (nodes: readonly NodeView[]): ReadonlyMap<string, Pod> => {
  const newest = new Map<string, Pod>();
  for (const pod of nodes.flatMap(daemonPodsOn)) {
    for (const key of keysOf(pod)) {
      const before = newest.get(key);
      if (before === undefined || byAge(before, pod) < 0) newest.set(key, pod);
    }
  }
  return newest;
};
