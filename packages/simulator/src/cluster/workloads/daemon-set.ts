import { type ControlDeps, type StartController, together } from '../control/control-deps.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import type { NodeObject } from '../objects/node.ts';
import { nodes } from '../objects/node.ts';
import { countsAsReplica, hasEnded, isBeingDeleted, isReady, podKind, type PodObject } from '../objects/pod.ts';
import { objectKeyText, objectKeyOf } from '../objects/object-key.ts';
import type { DaemonSetObject } from '../objects/workload.ts';
import { daemonSets } from '../objects/workload.ts';
import { fingerprintOf } from '../scheduler/node-slot.ts';
import { daemonBelongs, daemonPodSpec } from './daemon-eligibility.ts';
import { ownedPod } from './owned-pod.ts';
import { shareOf } from './rollout.ts';
import { REVISION_HASH, templateHash } from './template-hash.ts';
import { startWorkloadLoop, writeStatus } from './workload-loop.ts';

/** The node that a daemon pod is meant for, bound or not. */
const targetOf = ({ spec }: PodObject): string => {
  if (spec.nodeName !== undefined) return spec.nodeName;
  const [term] = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return (term?.matchFields ?? []).flatMap(({ values = [] }) => values).join();
};

const createDaemon = ({ api }: ControlDeps, set: DaemonSetObject, nodeName: string): void => {
  const pod = ownedPod(set, { labels: { [REVISION_HASH]: templateHash(set.spec.template) } });
  api.create({ ...pod, spec: daemonPodSpec(set.spec.template.spec, nodeName) });
};

const isCurrent = (set: DaemonSetObject, pod: PodObject): boolean =>
  pod.metadata.labels?.[REVISION_HASH] === templateHash(set.spec.template);

/** Old pods that may be replaced now, so that no more than `maxUnavailable` are missing at once. */
const replaceable = (set: DaemonSetObject, running: readonly PodObject[], desired: number): readonly PodObject[] => {
  if (set.spec.updateStrategy?.type === 'OnDelete') return [];
  const allowed = Math.max(shareOf(set.spec.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, desired, 'up'), 1);
  const missing = desired - running.filter((pod) => isReady(pod)).length;
  const old = running.filter((pod) => !isCurrent(set, pod));
  return [...old.filter((pod) => !isReady(pod)), ...old.filter(isReady).slice(0, Math.max(allowed - missing, 0))];
};

interface Survey {
  readonly missing: readonly string[];
  readonly unwanted: readonly PodObject[];
  readonly running: readonly PodObject[];
  readonly desired: number;
}

/** Compares nodes with the pods that are there for them. */
const survey = (set: DaemonSetObject, allNodes: readonly NodeObject[], owned: readonly PodObject[]): Survey => {
  const byTarget = Map.groupBy(owned, targetOf);
  const missing: string[] = [];
  const running: PodObject[] = [];
  const unwanted: PodObject[] = owned.filter(hasEnded);
  let desired = 0;
  for (const node of allNodes) {
    const name = node.metadata.name ?? '';
    const belongs = daemonBelongs(daemonPodSpec(set.spec.template.spec, name), node);
    const [first, ...twins] = (byTarget.get(name) ?? []).filter((pod) => !hasEnded(pod));
    desired += belongs.run ? 1 : 0;
    unwanted.push(...twins);
    if (first === undefined && belongs.run) missing.push(name);
    if (first !== undefined) (belongs.stay ? running : unwanted).push(first);
  }
  return { missing, unwanted, running, desired };
};

const reconcileWith =
  (deps: ControlDeps) =>
  (set: DaemonSetObject): undefined => {
    const { api, pods } = deps;
    const { missing, unwanted, running, desired } = survey(set, api.list(nodes), pods.ownedBy(set.metadata.uid));
    for (const name of missing) createDaemon(deps, set, name);
    const active = running.filter(countsAsReplica);
    for (const pod of [...unwanted, ...replaceable(set, active, desired)].filter((one) => !isBeingDeleted(one))) {
      api.delete(podKind, objectKeyOf(pod));
    }
    const ready = active.filter(isReady).length;
    writeStatus(api, set, {
      observedGeneration: set.metadata.generation ?? 0,
      desiredNumberScheduled: desired,
      currentNumberScheduled: Math.min(active.length + missing.length, desired),
      updatedNumberScheduled: active.filter((pod) => isCurrent(set, pod)).length + missing.length,
      numberMisscheduled: Math.max(active.length - desired, 0),
      ...{ numberReady: ready, numberAvailable: ready, numberUnavailable: Math.max(desired - ready, 0) },
    });
  };

/** One pod on every node that the template's selector, affinity and tolerations allow. */
export const startDaemonSets: StartController = (deps) => {
  const { api, clock } = deps;
  const reconcile = reconcileWith(deps);
  const afterNodes = createWorkLoop(clock, () => {
    for (const set of api.list(daemonSets)) if (!isBeingDeleted(set)) reconcile(set);
    return undefined;
  });
  const seen = new Map<string, string>();
  const watch = api.watch(nodes, ({ type, object }) => {
    const before = seen.get(objectKeyText(object));
    if (type === 'DELETED') seen.delete(objectKeyText(object));
    else seen.set(objectKeyText(object), fingerprintOf(object));
    if (before !== seen.get(objectKeyText(object))) afterNodes.add('nodes');
  });
  return together(watch, afterNodes, startWorkloadLoop(deps, { kind: daemonSets, reconcile }));
};
