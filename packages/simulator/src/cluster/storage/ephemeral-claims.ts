import { parseKey } from '@karpenter/runtime';
import { type ControlDeps, type StartController, together } from '../control/control-deps.ts';
import type { RequeueAfterMs } from '../control/work-loop.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { countsAsReplica, ephemeralClaimName, podKind, type PodObject } from '../objects/pod.ts';
import { objectKeyText } from '../objects/object-key.ts';
import { volumeClaims } from '../objects/volume.ts';
import { controllerOf } from '../workloads/owned-pod.ts';

/** The claim of a former pod of the name is still going. */
const RETRY_MS = 1_000;

const hasEphemeral = ({ spec }: PodObject): boolean => (spec.volumes ?? []).some(({ ephemeral }) => ephemeral !== undefined);

/** Makes the claims that are missing. */
const createClaims = ({ api }: ControlDeps, pod: PodObject): RequeueAfterMs => {
  let again: RequeueAfterMs;
  for (const { name, ephemeral } of pod.spec.volumes ?? []) {
    const template = ephemeral?.volumeClaimTemplate;
    if (template === undefined) continue;
    const key = { namespace: pod.metadata.namespace, name: ephemeralClaimName(pod, name) };
    const found = api.get(volumeClaims, key);
    if (found === undefined) {
      const metadata = { ...key, ownerReferences: [controllerOf(pod)] };
      api.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: template.spec });
    } else if (found.metadata.ownerReferences?.some(({ uid }) => uid === pod.metadata.uid) !== true) again = RETRY_MS;
  }
  return again;
};

/**
 * Claims of generic ephemeral volumes: made for each pod that has such a volume, owned by it, so that they go with it.
 * Source: kube-controller-manager, ephemeral volume controller.
 */
export const startEphemeralClaims: StartController = (deps) => {
  const { api, clock } = deps;
  const loop = createWorkLoop(clock, (key) => {
    const pod = api.get(podKind, parseKey(key));
    return pod === undefined || !countsAsReplica(pod) ? undefined : createClaims(deps, pod);
  });
  const watch = api.watch(podKind, ({ type, object }) => {
    if (type === 'ADDED' && hasEphemeral(object)) loop.add(objectKeyText(object));
  });
  return together(watch, loop);
};
