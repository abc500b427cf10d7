import { emptyBitSet } from '../../../base/index.ts';
import type { NodePoolView, NodeView } from '../../../cluster/index.ts';
import type { Allowance } from '../fit.ts';
import type { NodeTemplate } from '../node-template.ts';
import { poolBudget } from './limit-ledger.ts';
import type { PoolBudget } from './limit-ledger.ts';
import { ReservationLedger } from './reservation-ledger.ts';

/** The budget of a pool for nodes out of one reservation: none once that is used up. */
const reservedBudget = (budget: PoolBudget, reservation: string, ledger: ReservationLedger): PoolBudget => ({
  ...budget,
  allowance: (): Allowance => {
    const allowance = budget.allowance();
    return ledger.hasLeft(reservation) ? allowance : { id: 'used up:', types: emptyBitSet(allowance.types.length * 32) };
  },
  charge: (fit, before) => {
    const isCharged = budget.charge(fit, before);
    if (isCharged && before === undefined) ledger.take(reservation);
    return isCharged;
  },
});

/** Template → what may still be planned of it, for one answer. Templates of one pool share its limits, those of one reservation what remains. */
export const poolBudgets = (
  templates: readonly NodeTemplate[],
  gone: readonly NodeView[],
  reservations: ReadonlyMap<string, number>,
): ReadonlyMap<NodeTemplate, PoolBudget> => {
  const ledger = new ReservationLedger(reservations);
  const ofPool = new Map<NodePoolView, PoolBudget>();
  return new Map(
    templates.map((template) => {
      const budget = ofPool.get(template.pool) ?? poolBudget(template, gone);
      ofPool.set(template.pool, budget);
      const { reservation } = template;
      return [template, reservation === undefined ? budget : reservedBudget(budget, reservation, ledger)];
    }),
  );
};
