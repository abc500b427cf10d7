import type { StartController } from '../control/deps.ts';
import { isActive, isReady } from '../objects/pod-state.ts';
import type { Pod } from '../objects/pod.ts';
import { pods as podKind } from '../objects/pod.ts';
import type { ReplicaSet } from '../objects/workload.ts';
import { replicaSets } from '../objects/workload.ts';
import { ownedPod } from './owned-pod.ts';
import { startWorkloadLoop } from './workload-loop.ts';
import { writeStatus } from './write-status.ts';

/** So many pods are made or deleted before others have their turn. */
const BATCH = 100;

/** The pods that are missed least come first: without a node, not running, not ready, the newest. */
const byWorth = (a: Pod, b: Pod): number => {
  const rank = (pod: Pod): number => (pod.spec.nodeName === undefined ? 0 : pod.status?.phase !== 'Running' ? 1 : isReady(pod) ? 3 : 2);
  const newest = (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '');
  return rank(a) - rank(b) || newest || (b.metadata.name ?? '').localeCompare(a.metadata.name ?? '');
};

/** Keeps as many pods of a template as are asked for. */
export const startReplicaSets: StartController = (deps) => {
  const { api, pods } = deps;
  const reconcile = (set: ReplicaSet): number | undefined => {
    const wanted = set.spec.replicas ?? 1;
    const active = pods.ownedBy(set.metadata.uid).filter(isActive);
    const missing = Math.min(wanted - active.length, BATCH);
    for (let count = 0; count < missing; count += 1) api.create(ownedPod(set));
    const surplus = Math.min(active.length - wanted, BATCH);
    for (const { metadata } of surplus > 0 ? [...active].sort(byWorth).slice(0, surplus) : []) {
      api.delete(podKind, { name: metadata.name ?? '', namespace: metadata.namespace });
    }
    const now = pods.ownedBy(set.metadata.uid).filter(isActive);
    const ready = now.filter(isReady).length;
    const counts = { replicas: now.length, fullyLabeledReplicas: now.length, readyReplicas: ready, availableReplicas: ready };
    writeStatus(api, set, { ...counts, observedGeneration: set.metadata.generation ?? 0 });
    return now.length === wanted ? undefined : 0;
  };
  return startWorkloadLoop(deps, { kind: replicaSets, reconcile });
};
