import type { Steps } from '../../base/index.ts';
import { limitLedgers } from '../places/limits/limit-ledgers.ts';
import type { Topology } from '../topology/topology.ts';
import { forgettingRule, keepingTypes } from './kept-types.ts';
import { solving } from './solve.ts';
import type { Places, Question, Solution } from './solve.ts';

/** Topology as in the snapshot, less the nodes that count as gone and their pods. */
const resetTopology = (topology: Topology, { gone, movingFrom, domainOrder = 'emptiest' }: Question): void => {
  topology.rollBack();
  topology.domains.order = domainOrder;
  for (const node of gone) {
    topology.exclude(node);
    topology.removePods(movingFrom(node), node);
  }
};

/** First-fit from scratch: whatever was placed before is rolled back, and nodes that count as gone are excluded. */
export function* solvingAfresh(places: Places, question: Question): Steps<Solution> {
  const { existing, withTopology } = places;
  existing.rollBack();
  for (const { name } of question.gone) existing.exclude(name);
  for (const name of question.closed) existing.exclude(name);
  const ledgers = limitLedgers(places.templates, question.gone, places.reservations);
  if (withTopology !== undefined) {
    resetTopology(withTopology.topology, question);
    for (const [template, ledger] of ledgers) if (ledger.isExhausted()) withTopology.topology.closeTemplate(template);
  }
  if (question.types === undefined) return yield* solving(places, question, ledgers);
  return forgettingRule(yield* solving(places, question, keepingTypes(ledgers, question.types)), ledgers);
}
