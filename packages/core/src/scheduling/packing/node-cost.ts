import type { Fit } from '../places/node-model.ts';

/**
 * What a node costs beside its price, in dollars an hour: its share of the control plane, of image pulls and of
 * everything that is done once per node. Breaks ties between many small and few large nodes of one price a core. The
 * reasoning: docs/adr/0005-packing.md.
 */
export const NODE_COST_PER_HOUR = 0.005;

/** The price of the node's cheapest type, and what each node costs beside its machine. */
export const priceOf = ({ state: { template }, cheapest }: Fit): number =>
  (template.catalog.offerings[cheapest.offering]?.pricePerHour ?? 0) + template.nodePricePerHour;

/** What packing weighs a node by: its price, and the cost of being a node. */
export const nodeCost = (fit: Fit): number => priceOf(fit) + NODE_COST_PER_HOUR;
