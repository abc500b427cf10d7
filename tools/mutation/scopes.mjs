const core = 'packages/core/src';
const plans = 'packages/testkit/src/validator';

/**
 * The tests of whole plans that take milliseconds each. The long laws (`simulate.laws`, the oracles) would kill some
 * mutants more.
 */
const quickPlans = [
  `${core}/scheduling/static-node-plan.test.ts`,
  `${plans}/{default-spread,hazards,holdings,late-labels,limits,limits-and-sizes,min-values,order-of-planned-nodes}.test.ts`,
  `${plans}/{places-and-queue,plain-cluster,reserved-capacity,sizes-by-offering,topology,topology-counting,topology-domains}.test.ts`,
];

/**
 * A scope is folders of core: what is mutated, and the tests that its mutants are held against. `untested`: folders
 * without tests of their own.
 */
const scope = (folders, tests, untested = []) => ({
  mutate: [...folders, ...untested].map((folder) => `${core}/${folder}/*.ts`),
  tests: [...folders.map((folder) => `${core}/${folder}/*.test.ts`), ...tests],
});

/**
 * By name. `MUTATION_SCOPE=nodes pnpm mutate --mutate packages/core/src/scheduling/nodes/fit.ts` takes one file of a
 * scope; `MUTATION_TESTS` holds it against these tests alone (paths, with spaces between).
 */
export const scopes = {
  requirements: scope(['requirements'], []),
  topology: scope(['scheduling/topology'], quickPlans),
  nodes: scope(['scheduling/nodes', 'scheduling/nodes/new-nodes', 'scheduling/nodes/existing-nodes'], quickPlans, [
    'scheduling/nodes/limits',
  ]),
  // Without `packing.test.ts`, whose plans take 25 seconds: each mutant that lives runs all tests that reach it.
  packing: scope(['scheduling/packing'], [`${plans}/{hazards,limits,limits-and-sizes,reserved-capacity,topology}.test.ts`]),
  devices: scope(['scheduling/devices', 'scheduling/devices/cel'], []),
  // Laws of whole plans end after so many milliseconds, and take the first of their examples only.
  solve: {
    ...scope(
      ['scheduling/solve'],
      [
        ...quickPlans,
        `${plans}/{cheaper-domains,paused-pools,plan-search,replay-topology,spread-with-affinity}.test.ts`,
        `${plans}/{pod-groups,preferences,topology-preferences}.laws.test.ts`,
        `${plans}/devices/devices.test.ts`,
      ],
    ),
    lawMs: 200,
  },
  holdings: scope(['scheduling/volumes'], quickPlans),
};
