import { affinityTerms, antiAffinityTerms, hardSpreads } from './pod-rules.ts';
import type { Replay, Wait } from './replay.ts';

/** How often the search asks whether a pod may be bound, at most: a second's work. */
const MOST_LOOKS = 300_000;

/** Pods alike on one spot: whichever of them comes first. */
const queuesOf = (waits: readonly Wait[]): readonly (readonly Wait[])[] => {
  const queues = new Map<string, Wait[]>();
  for (const wait of waits) {
    const { metadata, spec } = wait.pod;
    const text = JSON.stringify([wait.spot.name, metadata.namespace, metadata.labels, { ...spec, nodeName: undefined }]);
    const queue = queues.get(text);
    if (queue === undefined) queues.set(text, [wait]);
    else queue.push(wait);
  }
  return [...queues.values()];
};

/** Whether the pod has constraints about other pods. One without them can nearly always wait. */
const isConstrained = ([wait]: readonly Wait[]): boolean =>
  wait !== undefined && [affinityTerms, antiAffinityTerms, hardSpreads].some((rulesOf) => rulesOf(wait.pod.spec).length > 0);

/**
 * Binds all of the waiting pods in some order, found by trying: at each step first the constrained pods, then the pod after which most of the others may
 * still come, and back when nothing moves any more. Whether that was found; where it was not, the pods are bound as they were before.
 */
export const searchOrder = (replay: Replay, waits: readonly Wait[]): boolean => {
  const queues = queuesOf(waits);
  const isFirst = queues.map(isConstrained);
  const bound = queues.map(() => 0);
  const seen = new Set<string>();
  let looks = 0;
  const next = (index: number): Wait | undefined => queues[index]?.[bound[index] ?? 0];
  const mayCome = (index: number): boolean => {
    const wait = next(index);
    looks++;
    return wait !== undefined && replay.isAllowed(wait);
  };
  const bind = (index: number): void => {
    const wait = next(index);
    if (wait === undefined) return;
    replay.bind(wait);
    bound[index] = (bound[index] ?? 0) + 1;
  };
  const takeBack = (index: number): void => {
    bound[index] = (bound[index] ?? 0) - 1;
    const wait = next(index);
    if (wait !== undefined) replay.unbind(wait);
  };
  const openAfter = (index: number): number => {
    bind(index);
    const open = queues.reduce((sum, queue, other) => sum + (mayCome(other) ? queue.length - (bound[other] ?? 0) : 0), 0);
    takeBack(index);
    return open;
  };
  const bindRest = (): boolean => {
    const text = bound.join();
    if (seen.has(text) || looks > MOST_LOOKS) return false;
    seen.add(text);
    if (queues.every((_, index) => next(index) === undefined)) return true;
    const choices = [...queues.keys()].filter(mayCome).map((index) => ({ index, open: openAfter(index) }));
    return choices
      .sort((a, b) => Number(isFirst[b.index]) - Number(isFirst[a.index]) || b.open - a.open)
      .some(({ index }) => {
        bind(index);
        if (bindRest()) return true;
        takeBack(index);
        return false;
      });
  };
  return bindRest();
};
