import type { ClusterSnapshot } from '@karpenter/core';
import { createWhatIf } from '@karpenter/core/internal';
import { collectGarbage } from '../collect-garbage.ts';
import { checkSound } from './check-plan.ts';
import { firstFit } from './policies.ts';

/** One plan of so many is checked. */
const CHECK_EVERY = 250;

/** What it took to ask what would be without each node, one at a time. */
export interface AskedAboutEach {
  /** Until the first question was possible. */
  readonly openingMs: number;
  /** All questions together. */
  readonly askingMs: number;
}

/**
 * Asks about every node alone, as single-node consolidation does: first-fit, for it searches for one replacement. Throws
 * where one of the plans that are checked, after the clock was read, breaks a rule.
 */
export const askAboutEach = (snapshot: ClusterSnapshot): AskedAboutEach => {
  collectGarbage();
  const openedMs = performance.now();
  const whatIf = createWhatIf(snapshot, firstFit);
  const startMs = performance.now();
  const plans = snapshot.nodes.map((node) => whatIf.ask(new Set([node.name])));
  const endMs = performance.now();
  for (const [index, { name }] of snapshot.nodes.entries()) {
    const plan = plans[index];
    if (index % CHECK_EVERY === 0 && plan !== undefined) checkSound(snapshot, { ...firstFit, without: new Set([name]) }, plan);
  }
  return { openingMs: startMs - openedMs, askingMs: endMs - startMs };
};
