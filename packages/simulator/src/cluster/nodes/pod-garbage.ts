import { getOrMake } from '@karpenter/core/internal';
import { every, type StartController } from '../control/control-deps.ts';
import { nodes } from '../objects/node.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import { isBeingDeleted, podKind, type PodObject } from '../objects/pod.ts';

const SWEEP_MS = 20_000;
/** How long a node must be gone before its pods are. */
const QUARANTINE_MS = 40_000;

/** Removes pods whose node is gone, and pods that are ending and never had one. */
export const startPodGarbage: StartController = ({ api, clock }) => {
  const goneSinceMs = new Map<string, number>();

  const isOrphan = (pod: PodObject, existing: ReadonlySet<string>): boolean => {
    const { nodeName } = pod.spec;
    if (nodeName === undefined) return isBeingDeleted(pod);
    if (existing.has(nodeName)) return false;
    const sinceMs = getOrMake(goneSinceMs, nodeName, () => clock.now());
    return clock.now() - sinceMs >= QUARANTINE_MS;
  };

  return every(clock, SWEEP_MS, () => {
    const existing = new Set(api.list(nodes).map((node) => node.metadata.name ?? ''));
    for (const name of goneSinceMs.keys()) if (existing.has(name)) goneSinceMs.delete(name);
    for (const pod of api.list(podKind)) {
      if (isOrphan(pod, existing)) api.delete(podKind, objectKeyOf(pod), { gracePeriodSeconds: 0 });
    }
  });
};
