import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ClusterSnapshot, NodeView } from '../cluster/index.ts';
import { proposeCommand } from './command-proposal.ts';
import { aBudget, aCluster, aNode, aRunningPod, aPool, aType, NOW } from './testing/a-cluster.ts';
import { aContext } from './testing/a-context.ts';

const doNotDisrupt = { 'karpenter.sh/do-not-disrupt': 'true' };

const nodeOptions = fc.record({
  cpus: fc.constantFrom(2, 3, 4, 16),
  capacityType: fc.constantFrom('spot', 'on-demand'),
  nodePoolName: fc.constantFrom('default', 'careful', 'static', 'gone'),
  podCpus: fc.array(fc.constantFrom(0.5, 1, 2), { maxLength: 3 }),
  isDoNotDisrupt: fc.boolean(),
  isPodLeftAlone: fc.boolean(),
  isInitialized: fc.boolean(),
  isMarkedForDeletion: fc.boolean(),
  isConsolidatable: fc.boolean(),
  isExpected: fc.boolean(),
  isForeign: fc.boolean(),
  driftedAt: fc.option(fc.constant('2026-11-20T08:00:00Z'), { nil: undefined }),
});

/** Mostly no: so that nodes get past the first question. */
const rarely = fc.nat(7).map((n) => n === 0);

const aNodeWith = (options: (typeof nodeOptions extends fc.Arbitrary<infer W> ? W : never) & object, i: number): NodeView => {
  const { podCpus, driftedAt, isDoNotDisrupt, isPodLeftAlone, isExpected, isForeign, ...rest } = options;
  const pods = podCpus.map((cpus, j) => {
    const metadata = isPodLeftAlone && j === 0 ? { annotations: doNotDisrupt } : {};
    return aRunningPod(`p${i}-${j}`, cpus, { metadata });
  });
  const node = aNode(`n${i}`, {
    ...rest,
    ...(driftedAt === undefined ? {} : { driftedAt }),
    ...(isExpected ? { nominatedUntilMs: NOW + 1 } : {}),
    annotations: isDoNotDisrupt ? doNotDisrupt : {},
    pods,
  });
  const { claim, ...foreign } = node;
  return isForeign || claim === undefined ? foreign : { ...foreign, claim };
};

const cluster: fc.Arbitrary<ClusterSnapshot> = fc
  .record({
    nodes: fc.array(
      fc
        .tuple(nodeOptions, fc.tuple(rarely, rarely, rarely, rarely, rarely, rarely))
        .map(([options, [isDoNotDisrupt, isPodLeftAlone, isMarkedForDeletion, isExpected, isForeign, isStarting]]) => ({
          ...options,
          ...{ isDoNotDisrupt, isPodLeftAlone, isMarkedForDeletion, isExpected, isForeign, isInitialized: !isStarting },
        })),
      { minLength: 1, maxLength: 9 },
    ),
    budget: fc.constantFrom('0', '1', '100%'),
    consolidateAfter: fc.constantFrom('0s', '5m', 'Never'),
    consolidationPolicy: fc.constantFrom('WhenEmpty' as const, 'WhenEmptyOrUnderutilized' as const, 'Balanced' as const),
    replicas: fc.nat(5),
    guarded: fc.nat(8),
    pendingCpus: fc.array(fc.constantFrom(1, 3, 64), { maxLength: 2 }),
  })
  .map(({ nodes, budget, guarded, pendingCpus, replicas, ...disruption }) =>
    aCluster(nodes.map(aNodeWith), {
      nodePools: [
        aPool({ disruption: { budgets: [{ nodes: budget }] } }),
        aPool({ name: 'careful', disruption, capacityTypes: ['spot', 'on-demand'] }),
        { ...aPool({ name: 'static', replicas, instanceTypes: [aType(4)] }), mayLaunch: false },
      ],
      podDisruptionBudgets: [aBudget(`p${guarded}-0`, 0)],
      pendingPods: pendingCpus.map((cpus, i) => aRunningPod(`pending-${i}`, cpus)),
    }),
  );

test('every node of Karpenter’s goes or has a reason to stay, and no other node has one', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(cluster, fc.boolean(), (snapshot, isLate) => {
      const { command, blocked } = proposeCommand(aContext(snapshot, { shouldStop: () => isLate }));
      for (const { kind } of blocked.values()) kinds.add(kind);
      const going = command?.candidates.map(({ node }) => node.name) ?? [];
      const own = snapshot.nodes.filter(({ claim }) => claim !== undefined).map(({ name }) => name);
      expect([...going, ...blocked.keys()].sort()).toEqual(own.sort());
    }),
    { numRuns: 400 },
  );
  // The worlds are varied enough for the law to mean something.
  expect(kinds.size).toBeGreaterThan(12);
});
