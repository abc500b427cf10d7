import type { PlannedNode } from '../../scheduling/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { cheaperReplacement, totalPrice } from './cheaper-replacement.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import { plannedPrice } from '../candidates/node-price.ts';

/**
 * The planned nodes, each capped at its share of the candidates' price, so that together they are certainly cheaper
 * whatever is launched; or why that is impossible.
 */
export const cheaperReplacements = (
  planned: readonly PlannedNode[],
  candidates: readonly Candidate[],
  context: DisruptionContext,
): readonly PlannedNode[] | Blocker => {
  const pricePerHour = totalPrice(candidates);
  const cheapestReplacement = plannedPrice(planned, context.policy);
  const prices = { pricePerHour, cheapestReplacement };
  const dearer: Blocker = { kind: 'no-cheaper-replacement', ...prices, replacements: planned.length };
  if (cheapestReplacement >= pricePerHour) return dearer;
  const held: PlannedNode[] = [];
  for (const each of planned) {
    const share = plannedPrice([each], context.policy) / cheapestReplacement;
    const replacement = cheaperReplacement(each, { candidates, pricePerHour: pricePerHour * share }, context);
    if ('kind' in replacement) return replacement.kind === 'no-cheaper-replacement' ? dearer : { ...replacement, ...prices };
    held.push(replacement);
  }
  return held;
};
