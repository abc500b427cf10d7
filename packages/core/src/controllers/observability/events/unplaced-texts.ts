import { explain } from '../../../scheduling/index.ts';
import type { Rejection, RejectionReason } from '../../../scheduling/index.ts';

/** A log line has room for so many reasons; every pod has its own event. */
const TOLD = 5;

/**
 * Why pods found no place, one sentence for all pods that share a reason, those of most pods first; undefined where
 * every pod found one.
 */
export const unplacedTexts = (rejections: readonly Rejection[]): readonly string[] | undefined => {
  const expectant = rejections.filter(({ reason }) => reason.kind !== 'opted-out');
  if (expectant.length === 0) return undefined;
  const byReason = new Map<RejectionReason, { readonly first: Rejection; count: number }>();
  for (const rejection of expectant) {
    const known = byReason.get(rejection.reason);
    if (known === undefined) byReason.set(rejection.reason, { first: rejection, count: 1 });
    else known.count++;
  }
  return [...byReason.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, TOLD)
    .map(({ first, count }) => (count === 1 ? explain(first) : `${explain(first)} (and ${count - 1} more like it)`));
};
