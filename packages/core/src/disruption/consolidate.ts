import type { Steps } from '../base/index.ts';
import type { Blocker } from './blocker.ts';
import type { Candidate } from './candidate.ts';
import { cheaperReplacement, totalPrice } from './cheaper-replacement.ts';
import type { Command } from './command.ts';
import type { Pass } from './pass.ts';
import { relocating } from './relocation.ts';

type Consolidation = Pick<Command, 'decision' | 'candidates' | 'replacements' | 'savingsPerHour'>;

/**
 * Gives the candidates up if that saves money: their pods go on nodes that stand, or on these and one cheaper machine.
 * Differs: what the pods that are pending anyway cost more because of it counts against the savings.
 */
export function* consolidating(pass: Pass, candidates: readonly Candidate[]): Steps<Consolidation | Blocker> {
  const relocation = yield* relocating(pass, candidates);
  if ('kind' in relocation) return relocation;
  const { replacements, extraPricePerHour } = relocation;
  const before = totalPrice(candidates);
  const [planned, second] = replacements;
  if (second !== undefined) return { kind: 'needs-several-nodes', count: replacements.length };
  if (planned === undefined && extraPricePerHour <= 0) return { decision: 'delete', candidates, replacements, savingsPerHour: before };
  if (extraPricePerHour >= before) return { kind: 'no-cheaper-replacement', pricePerHour: before, cheapestReplacement: extraPricePerHour };
  if (planned === undefined) return { decision: 'delete', candidates, replacements, savingsPerHour: before - extraPricePerHour };
  const replacement = cheaperReplacement(planned, candidates, pass.context);
  if ('kind' in replacement) return replacement;
  const savingsPerHour = before - replacement.cheapest.offering.pricePerHour;
  return { decision: 'replace', candidates, replacements: [replacement], savingsPerHour };
}
