import type { Taint } from '@karpenter/core';
import { parseKey } from '@karpenter/runtime';
import { getOrMake } from '@karpenter/core/internal';
import { type StartController, together } from '../control/control-deps.ts';
import { createEventWriter } from '../control/event-writer.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { nodes } from '../objects/node.ts';
import { countsAsReplica, podKind, type PodObject } from '../objects/pod.ts';
import { objectKeyText } from '../objects/object-key.ts';
import { tolerationMatches } from '../selectors/toleration.ts';

/** How long a pod may stay under these taints: `Infinity` when it bears them all, 0 when it must go at once. */
const toleratedMs = (pod: PodObject, taints: readonly Taint[]): number => {
  let leastMs = Infinity;
  for (const taint of taints.filter((one) => one.effect === 'NoExecute')) {
    const matching = (pod.spec.tolerations ?? []).filter((toleration) => tolerationMatches(toleration, taint));
    if (matching.length === 0) return 0;
    for (const { tolerationSeconds } of matching)
      if (tolerationSeconds !== undefined) leastMs = Math.min(leastMs, tolerationSeconds * 1000);
  }
  return leastMs;
};

/** Deletes pods from nodes whose NoExecute taints they do not tolerate, or no longer. */
export const startTaintEviction: StartController = ({ api, clock, pods }) => {
  const record = createEventWriter(api, clock, 'taint-eviction-controller');
  const troubledSinceMs = new Map<string, number>();

  /** What is left of the time that a pod may stay; `Infinity` when nothing drives it out. */
  const leftMs = (pod: PodObject, key: string): number => {
    const taints = api.get(nodes, { name: pod.spec.nodeName ?? '' })?.spec?.taints ?? [];
    const allowedMs = countsAsReplica(pod) ? toleratedMs(pod, taints) : Infinity;
    if (allowedMs === Infinity) return Infinity;
    const sinceMs = getOrMake(troubledSinceMs, key, () => clock.now());
    return sinceMs + allowedMs - clock.now();
  };

  const loop = createWorkLoop(clock, (key) => {
    const pod = pods.get(key);
    const left = pod === undefined ? Infinity : leftMs(pod, key);
    if (left > 0 && left < Infinity) return left;
    troubledSinceMs.delete(key);
    if (pod === undefined || left === Infinity) return undefined;
    record(pod, { type: 'Normal', reason: 'TaintManagerEviction', message: `Marking for deletion Pod ${key}` });
    api.delete(podKind, parseKey(key));
    return undefined;
  });

  const hasNoExecute = (taints: readonly Taint[] | undefined): boolean => taints?.some((taint) => taint.effect === 'NoExecute') ?? false;
  const tainted = new Set<string>();
  const nodeWatch = api.watch(nodes, ({ type, object }) => {
    const name = object.metadata.name ?? '';
    const isTainted = type !== 'DELETED' && hasNoExecute(object.spec?.taints);
    if (isTainted || tainted.has(name)) for (const pod of pods.onNode(name)) loop.add(objectKeyText(pod));
    if (isTainted) tainted.add(name);
    else tainted.delete(name);
  });
  const podWatch = api.watch(podKind, ({ type, object }) => {
    if (type === 'DELETED') troubledSinceMs.delete(objectKeyText(object));
    else if (tainted.has(object.spec.nodeName ?? '')) loop.add(objectKeyText(object));
  });
  return together(nodeWatch, podWatch, loop);
};
