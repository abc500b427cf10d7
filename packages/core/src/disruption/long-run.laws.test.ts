import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { labels } from '../apis/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import type { ClusterSnapshot, NodeView } from '../cluster/index.ts';
import type { Command } from './command.ts';
import { isStillValid } from './command-validation.ts';
import { nodePrice } from './candidates/candidate.ts';
import { proposeCommand } from './command-proposal.ts';
import { aCluster, aNode, aRunningPod, aPool, aType } from './testing/a-cluster.ts';
import { aContext } from './testing/a-context.ts';
import { carryOut } from './testing/carry-out.ts';

const priced = (sizes: readonly number[], priceOf: (cpus: number) => number): readonly InstanceType[] =>
  sizes.map((cpus) => aType(cpus, priceOf(cpus)));
const powers = [1, 2, 4, 8, 16, 32];

/** By size; small machines cheap; large machines cheap; with bargains in between; many sizes. */
const catalogs = fc.constantFrom(
  priced(powers, (cpus) => cpus / 10),
  priced(powers, (cpus) => (cpus / 10) * (1 + cpus / 40)),
  priced(powers, (cpus) => cpus ** 0.9 / 10),
  priced([...powers, 3, 6, 12, 24], (cpus) => (cpus % 3 === 0 ? cpus / 13 : cpus / 10)),
  priced(
    Array.from({ length: 40 }, (_, i) => i + 1),
    (cpus) => cpus / 10,
  ),
);

const world = fc.record({
  instanceTypes: catalogs,
  consolidationPolicy: fc.constantFrom('WhenEmptyOrUnderutilized' as const, 'Balanced' as const),
  capacityTypes: fc.constantFrom(['on-demand'], ['spot', 'on-demand']),
  spotToSpot: fc.boolean(),
  nodes: fc.array(
    fc.record({
      cpus: fc.constantFrom(2, 4, 8, 16, 32),
      capacityType: fc.constantFrom('spot', 'on-demand'),
      nodePoolName: fc.constantFrom('default', 'other'),
      podCpus: fc.array(fc.constantFrom(0.3, 0.5, 1, 1.7, 3), { maxLength: 7 }),
    }),
    { minLength: 1, maxLength: 9 },
  ),
  /** Which of its types each launch comes to. */
  luck: fc.array(fc.nat(50), { minLength: 1, maxLength: 20 }),
});

type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

const clusterOf = ({ nodes, instanceTypes, consolidationPolicy, capacityTypes }: World): ClusterSnapshot =>
  aCluster(
    nodes.map(({ podCpus, ...options }, i) =>
      aNode(`n${i}`, { ...options, pods: podCpus.map((cpus, j) => aRunningPod(`p${i}-${j}`, cpus)) }),
    ),
    {
      nodePools: ['default', 'other'].map((name) =>
        aPool({ name, instanceTypes, capacityTypes, disruption: { consolidationPolicy, budgets: [{ nodes: '100%' }] } }),
      ),
    },
  );

const priceOf = (nodes: readonly NodeView[], { nodePools }: ClusterSnapshot): number =>
  nodes.reduce((sum, node) => sum + (nodePrice(node, nodePools[0]?.instanceTypes ?? []) ?? 0), 0);

const machineOf = ({ labels: own }: NodeView): string => `${own[labels.instanceType]} ${own[labels.capacityType]}`;

const podCount = ({ nodes }: ClusterSnapshot): number => nodes.reduce((sum, { pods }) => sum + pods.length, 0);

/** More steps than any of these worlds needs to come to rest: each makes the cluster cheaper. */
const MANY = 200;

interface Step {
  readonly before: ClusterSnapshot;
  readonly command: Command;
  readonly after: ClusterSnapshot;
}

/** Consolidates until nothing more is found, or too often. */
const stepsOf = (given: World): readonly Step[] => {
  const steps: Step[] = [];
  let before = clusterOf(given);
  let evaluated: ReadonlySet<string> = new Set();
  while (steps.length < MANY) {
    const context = aContext(before, { spotToSpot: given.spotToSpot, evaluated, turn: steps.length });
    const { command, evaluated: now } = proposeCommand(context);
    if (command === undefined) return steps;
    expect(isStillValid(command, context).valid).toBe(true);
    const luck = given.luck.map((each) => each + steps.length);
    const after = carryOut(before, command, luck);
    steps.push({ before, command, after });
    before = after;
    evaluated = now;
  }
  return steps;
};

describe('consolidation, over and over, whatever is launched', () => {
  test('comes to rest; each step makes the cluster cheaper and loses no pod', () => {
    fc.assert(
      fc.property(world, (given) => {
        const steps = stepsOf(given);
        expect(steps.length).toBeLessThan(MANY);
        for (const { before, after } of steps) {
          expect(priceOf(after.nodes, after)).toBeLessThan(priceOf(before.nodes, before));
          expect(podCount(after)).toBe(podCount(before));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('no node comes back as the same machine', () => {
    fc.assert(
      fc.property(world, (given) => {
        for (const { before, command, after } of stepsOf(given)) {
          const stood = new Set(before.nodes.map(({ name }) => name));
          const fresh = after.nodes.filter(({ name }) => !stood.has(name)).map(machineOf);
          const gone = command.candidates.map(({ node }) => machineOf(node));
          expect(fresh.filter((machine) => gone.includes(machine))).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });
});
