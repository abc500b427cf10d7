import type { Steps } from '../base/index.ts';
import type { Blocker } from './blocker.ts';
import type { Candidate } from './candidate.ts';
import { isSpot, totalPrice } from './cheaper-replacement.ts';
import { cheaperReplacements } from './cheaper-replacements.ts';
import type { Command } from './command.ts';
import type { Pass } from './pass.ts';
import { plannedPrice } from './planned-price.ts';
import { relocating } from './relocation.ts';
import type { Relocation } from './relocation.ts';
import { worthBlocker } from './worth.ts';

export type Consolidation = Pick<Command, 'decision' | 'candidates' | 'replacements' | 'savingsPerHour' | 'packing'>;

/** How many machines may come in the place of what goes. */
export type MostReplacements = 'one' | 'several';

/** What comes of a relocation if it saves money. */
const savingBy = (pass: Pass, candidates: readonly Candidate[], relocation: Relocation): Consolidation | Blocker => {
  const { replacements: planned, extraPricePerHour } = relocation;
  const before = totalPrice(candidates);
  if (extraPricePerHour >= before) {
    const cheapestReplacement = Math.max(extraPricePerHour, plannedPrice(planned));
    return { kind: 'no-cheaper-replacement', pricePerHour: before, cheapestReplacement, replacements: planned.length };
  }
  const replacements = planned.length === 0 ? [] : cheaperReplacements(planned, candidates, pass.context);
  if ('kind' in replacements) return replacements;
  const savingsPerHour = before - Math.max(0, extraPricePerHour, plannedPrice(replacements));
  const consolidation = { decision: planned.length === 0 ? 'delete' : 'replace', candidates, replacements, savingsPerHour } as const;
  return worthBlocker(pass, { ...consolidation, isWeighedByAll: planned.length > 1 }) ?? consolidation;
};

/** What first-fit makes of the pods: the rest has room for them, or one new machine has. */
const plainly = (pass: Pass, candidates: readonly Candidate[], relocation: Relocation): Consolidation | Blocker => {
  const { replacements } = relocation;
  if (replacements.length < 2) return savingBy(pass, candidates, relocation);
  const prices = { pricePerHour: totalPrice(candidates), cheapestReplacement: plannedPrice(replacements) };
  return { kind: 'no-cheaper-replacement', ...prices, replacements: replacements.length };
};

/** Whether no packing whatsoever could cost less than what goes, or would be allowed to. */
const cannotBeCheaper = (pass: Pass, candidates: readonly Candidate[], { replacements }: Relocation): boolean => {
  if (pass.context.spotToSpot !== true && candidates.every(isSpot)) return true;
  const moved = new Set(candidates.flatMap(({ reschedulablePods }) => reschedulablePods));
  const homeless = replacements.flatMap(({ pods }) => pods.filter((pod) => moved.has(pod)));
  return pass.leastPrice(homeless) >= totalPrice(candidates);
};

/** The same with the pods packed for price. */
function* packing(pass: Pass, candidates: readonly Candidate[]): Steps<Consolidation | Blocker> {
  const relocation = yield* relocating(pass, candidates, { heedsSettling: true, packing: 'cheapest' });
  const saving = 'kind' in relocation ? relocation : savingBy(pass, candidates, relocation);
  return 'kind' in saving ? saving : { ...saving, packing: 'cheapest' };
}

/** What saves more; the second blocker where nothing does. */
const better = (plain: Consolidation | Blocker, packed: Consolidation | Blocker): Consolidation | Blocker => {
  if ('kind' in plain) return packed;
  return 'kind' in packed || packed.savingsPerHour <= plain.savingsPerHour ? plain : packed;
};

/**
 * Gives the candidates up if that saves money: their pods go on nodes that stand, or on these and one cheaper machine, or on several that
 * are cheaper together. First-fit heads for the largest machine, so for several the pods are packed for price.
 *
 * Differs: the original never puts several machines in the place of any; here such a move must be worth the pods that it disturbs under
 * every policy. What the pods that are pending anyway cost more because of a move counts against its savings.
 */
export function* consolidating(pass: Pass, candidates: readonly Candidate[], most: MostReplacements): Steps<Consolidation | Blocker> {
  const hopeless = worthBlocker(pass, { candidates, savingsPerHour: totalPrice(candidates), isWeighedByAll: false, isGuess: true });
  if (hopeless !== undefined) return hopeless;
  const relocation = yield* relocating(pass, candidates, { heedsSettling: true });
  if ('kind' in relocation) return relocation;
  const plain = plainly(pass, candidates, relocation);
  if (most === 'one' || ('kind' in plain && plain.kind !== 'no-cheaper-replacement')) return plain;
  if (relocation.replacements.length === 0 || cannotBeCheaper(pass, candidates, relocation)) return plain;
  return better(plain, yield* packing(pass, candidates));
}
