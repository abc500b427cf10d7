import type { Steps } from '../../base/index.ts';
import { limitLedgers } from '../places/limits/limit-ledgers.ts';
import { solving } from './solve.ts';
import type { Places, Question, Solution } from './solve.ts';

/** First-fit from scratch: whatever was placed before is rolled back, and nodes that count as gone are excluded. */
export function* solvingAfresh(places: Places, question: Question): Steps<Solution> {
  const { existing, withTopology } = places;
  existing.rollBack();
  withTopology?.topology.rollBack();
  for (const node of question.gone) {
    existing.exclude(node.name);
    withTopology?.topology.exclude(node);
    withTopology?.topology.removePods(question.movingFrom(node), node);
  }
  for (const name of question.closed) existing.exclude(name);
  const ledgers = limitLedgers(places.templates, question.gone, places.reservations);
  if (withTopology !== undefined)
    for (const [template, ledger] of ledgers) if (ledger.isExhausted()) withTopology.topology.closeTemplate(template);
  return yield* solving(places, question, ledgers);
}
