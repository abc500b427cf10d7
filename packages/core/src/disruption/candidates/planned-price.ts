import type { PlannedNode } from '../../scheduling/index.ts';

/** What planned machines cost an hour together, each by its cheapest offering. */
export const plannedPrice = (planned: readonly PlannedNode[]): number =>
  planned.reduce((sum, { cheapest }) => sum + cheapest.offering.pricePerHour, 0);
