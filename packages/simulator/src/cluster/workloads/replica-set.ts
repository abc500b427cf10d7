import type { StartController } from '../control/control-deps.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import { countsAsReplica, isReady, podKind, type PodObject } from '../objects/pod.ts';
import type { ReplicaSet } from '../objects/workload.ts';
import { replicaSets } from '../objects/workload.ts';
import { ownedPod } from './owned-pod.ts';
import { startWorkloadLoop, writeStatus } from './workload-loop.ts';

/** So many pods are made or deleted before others have their turn. */
const BATCH = 100;

const worthOf = (pod: PodObject): number => {
  if (pod.spec.nodeName === undefined) return 0;
  if (pod.status?.phase !== 'Running') return 1;
  return isReady(pod) ? 3 : 2;
};

/** The pods that are missed least come first: without a node, not running, not ready, the newest. */
const byWorth = (a: PodObject, b: PodObject): number => {
  const newest = (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '');
  return worthOf(a) - worthOf(b) || newest || (b.metadata.name ?? '').localeCompare(a.metadata.name ?? '');
};

/** Keeps as many pods of a template as `spec.replicas` says. */
export const startReplicaSets: StartController = (deps) => {
  const { api, pods } = deps;
  const reconcile = (set: ReplicaSet): number | undefined => {
    const wanted = set.spec.replicas ?? 1;
    const active = pods.ownedBy(set.metadata.uid).filter(countsAsReplica);
    const missing = Math.min(wanted - active.length, BATCH);
    for (let count = 0; count < missing; count += 1) api.create(ownedPod(set));
    const surplus = Math.min(active.length - wanted, BATCH);
    for (const pod of surplus > 0 ? [...active].sort(byWorth).slice(0, surplus) : []) {
      api.delete(podKind, objectKeyOf(pod));
    }
    const now = pods.ownedBy(set.metadata.uid).filter(countsAsReplica);
    const ready = now.filter(isReady).length;
    const counts = { replicas: now.length, fullyLabeledReplicas: now.length, readyReplicas: ready, availableReplicas: ready };
    writeStatus(api, set, { ...counts, observedGeneration: set.metadata.generation ?? 0 });
    return now.length === wanted ? undefined : 0;
  };
  return startWorkloadLoop(deps, { kind: replicaSets, reconcile });
};
