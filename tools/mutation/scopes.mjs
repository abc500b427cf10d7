const core = 'packages/core/src';
const plans = 'packages/testkit/src/validator';

/**
 * Scope → what is mutated, and the tests that the mutants are held against: those that take seconds, since each mutant runs them anew. The
 * long laws (`simulate.laws`, the oracles) would kill some more.
 */
export const scopes = {
  requirements: { mutate: [`${core}/requirements/*.ts`], tests: [`${core}/requirements/*.test.ts`] },
  topology: {
    mutate: [`${core}/scheduling/topology/*.ts`],
    tests: [`${core}/scheduling/topology/*.test.ts`, `${plans}/topology*.test.ts`],
  },
  places: {
    mutate: [`${core}/scheduling/places/{fit,lean-fit,pool-budget,draft,draft-search,node-state,reservation-ledger}.ts`],
    tests: [
      `${core}/scheduling/planning-static-node.test.ts`,
      `${plans}/{default-spread,hazards,holdings,late-labels,limits,limits-and-sizes,min-values,order-of-planned-nodes,packing}.test.ts`,
      `${plans}/{places-and-queue,plain-cluster,reserved-capacity,sizes-by-offering,topology,topology-domains}.test.ts`,
    ],
  },
  packing: {
    mutate: [`${core}/scheduling/packing/*.ts`],
    tests: [
      `${core}/scheduling/packing/*.test.ts`,
      `${plans}/{packing,limits,hazards,holdings,min-values,places-and-queue,reserved-capacity,topology}.test.ts`,
    ],
  },
  holdings: {
    mutate: ['ports', 'slots', 'volumes'].map((folder) => `${core}/scheduling/${folder}/*.ts`),
    tests: [`${core}/scheduling/{ports,slots,volumes}/*.test.ts`, `${plans}/holdings.test.ts`],
  },
};
