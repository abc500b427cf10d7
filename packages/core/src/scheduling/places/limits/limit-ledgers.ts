import { emptyBitSet } from '../../../base/index.ts';
import type { NodePoolView, NodeView } from '../../../cluster/index.ts';
import { countersOf, limitLedger, sharedLimits } from './limit-ledger.ts';
import type { LimitLedger } from './limit-ledger.ts';
import { ReservationLedger } from './reservation-ledger.ts';
import type { AllowedTypes, NodeTemplate } from '../node-model.ts';

/** The limits of a pool for nodes out of one reservation: nothing is allowed once that is used up. */
const reservedLedger = (ledger: LimitLedger, reservation: string, reservations: ReservationLedger): LimitLedger => ({
  ...ledger,
  allowedTypes: (): AllowedTypes => {
    const allowedTypes = ledger.allowedTypes();
    return reservations.hasLeft(reservation) ? allowedTypes : { id: 'used up:', types: emptyBitSet(allowedTypes.types.length * 32) };
  },
  charge: (fit, before) => {
    const isCharged = ledger.charge(fit, before);
    if (isCharged && before === undefined) reservations.take(reservation);
    return isCharged;
  },
});

/**
 * Template → its ledger, for one answer. All share the limits of the cluster, templates of one pool its limits, and
 * templates of one reservation share what remains of it.
 */
export const limitLedgers = (
  templates: readonly NodeTemplate[],
  gone: readonly NodeView[],
  openReservations: ReadonlyMap<string, number>,
): ReadonlyMap<NodeTemplate, LimitLedger> => {
  const reservations = new ReservationLedger(openReservations);
  const [any] = templates;
  const shared = any === undefined ? [] : countersOf(sharedLimits(any, gone));
  const ofPool = new Map<NodePoolView, LimitLedger>();
  return new Map(
    templates.map((template) => {
      const ledger = ofPool.get(template.pool) ?? limitLedger(template, gone, shared);
      ofPool.set(template.pool, ledger);
      const { reservation } = template;
      return [template, reservation === undefined ? ledger : reservedLedger(ledger, reservation, reservations)];
    }),
  );
};
