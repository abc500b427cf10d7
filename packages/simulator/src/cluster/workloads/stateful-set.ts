import type { ControlDeps, StartController } from '../control/control-deps.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import { countsAsReplica, isBeingDeleted, isReady, podKind, type PodObject } from '../objects/pod.ts';
import { volumeClaims } from '../objects/volume.ts';
import type { StatefulSet } from '../objects/workload.ts';
import { statefulSets } from '../objects/workload.ts';
import { ownedPod } from './owned-pod.ts';
import { REVISION_HASH, templateHash } from './template-hash.ts';
import { startWorkloadLoop, writeStatus } from './workload-loop.ts';

const ordinalOf = ({ metadata }: PodObject): number => Number((metadata.name ?? '').split('-').at(-1));

const nameAt = (set: StatefulSet, ordinal: number): string => `${set.metadata.name ?? ''}-${ordinal}`;

const revisionOf = (set: StatefulSet): string => `${set.metadata.name ?? ''}-${templateHash(set.spec.template)}`;

const createClaims = ({ api }: ControlDeps, set: StatefulSet, ordinal: number): void => {
  for (const { metadata, spec } of set.spec.volumeClaimTemplates ?? []) {
    const key = { namespace: set.metadata.namespace, name: `${metadata.name ?? ''}-${nameAt(set, ordinal)}` };
    if (api.get(volumeClaims, key) !== undefined) continue;
    const labels = { ...metadata.labels, ...set.spec.selector?.matchLabels };
    api.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { ...key, labels }, spec });
  }
};

const podAt = (set: StatefulSet, ordinal: number): PodObject => {
  const name = nameAt(set, ordinal);
  const labels = {
    ...{ 'statefulset.kubernetes.io/pod-name': name, 'apps.kubernetes.io/pod-index': String(ordinal) },
    [REVISION_HASH]: revisionOf(set),
  };
  const pod = ownedPod(set, { name, labels });
  const claims = (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => ({
    name: metadata.name ?? '',
    persistentVolumeClaim: { claimName: `${metadata.name ?? ''}-${name}` },
  }));
  const volumes = [...(pod.spec.volumes ?? []), ...claims];
  const subdomain = set.spec.serviceName === undefined ? {} : { subdomain: set.spec.serviceName };
  return { ...pod, spec: { ...pod.spec, ...subdomain, hostname: name, ...(volumes.length === 0 ? {} : { volumes }) } };
};

/** Missing pods from the lowest number up; ordered sets wait for each to be ready. */
const fillUp = (deps: ControlDeps, set: StatefulSet, owned: readonly PodObject[]): void => {
  const isOrdered = set.spec.podManagementPolicy !== 'Parallel';
  for (let ordinal = 0; ordinal < (set.spec.replicas ?? 1); ordinal += 1) {
    const pod = owned.find((one) => ordinalOf(one) === ordinal);
    if (pod === undefined) {
      createClaims(deps, set, ordinal);
      deps.api.create(podAt(set, ordinal));
    }
    if (isOrdered && (pod === undefined || !isReady(pod) || isBeingDeleted(pod))) return;
  }
};

/** The one pod that goes next: a surplus one or one of an old template, from the highest number down. */
const nextToGo = (set: StatefulSet, owned: readonly PodObject[]): PodObject | undefined => {
  if (owned.some(isBeingDeleted)) return undefined;
  const descending = [...owned].sort((a, b) => ordinalOf(b) - ordinalOf(a));
  const surplus = descending.find((pod) => ordinalOf(pod) >= (set.spec.replicas ?? 1));
  if (surplus !== undefined) return surplus;
  if (set.spec.updateStrategy?.type === 'OnDelete' || !owned.every(isReady)) return undefined;
  return descending.find((pod) => pod.metadata.labels?.[REVISION_HASH] !== revisionOf(set));
};

/** Pods with lasting names, in order. */
export const startStatefulSets: StartController = (deps) => {
  const { api, pods } = deps;
  const reconcile = (set: StatefulSet): undefined => {
    fillUp(deps, set, pods.ownedBy(set.metadata.uid));
    const next = nextToGo(set, pods.ownedBy(set.metadata.uid));
    if (next !== undefined) api.delete(podKind, objectKeyOf(next));
    const active = pods.ownedBy(set.metadata.uid).filter(countsAsReplica);
    const updated = active.filter((pod) => pod.metadata.labels?.[REVISION_HASH] === revisionOf(set)).length;
    const ready = active.filter(isReady).length;
    const isCurrent = updated === (set.spec.replicas ?? 1) && ready === updated;
    writeStatus(api, set, {
      observedGeneration: set.metadata.generation ?? 0,
      ...{ replicas: active.length, readyReplicas: ready, availableReplicas: ready, updatedReplicas: updated, currentReplicas: updated },
      updateRevision: revisionOf(set),
      currentRevision: isCurrent ? revisionOf(set) : (set.status?.['currentRevision'] ?? revisionOf(set)),
    });
    return undefined;
  };
  return startWorkloadLoop(deps, { kind: statefulSets, reconcile });
};
