import {
  type ClusterSnapshot,
  defaultSchedulingPolicy,
  explain,
  type Plan,
  type Resources,
  type SchedulingPolicy,
  simulate,
} from '@karpenter/core';
import { createWhatIf } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aSnapshotOf } from '../arbitraries/index.ts';
import { aNode, aNodePool, aSnapshot, assortedInstanceTypes, pods, requesting } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';
import { lawRuns } from './testing/law-runs.ts';

const policies: readonly SchedulingPolicy[] = [defaultSchedulingPolicy, { ...defaultSchedulingPolicy, packing: 'first-fit' }];
const limits: fc.Arbitrary<Resources> = fc.constantFrom<Resources>(
  { nodes: 3 },
  { cpu: 12_000 },
  { cpu: 30_000, nodes: 4 },
  { memory: 48 * 2 ** 30 },
  { cpu: 0 },
);

/** The same cluster under limits for all pools. */
const limited = (snapshot: ClusterSnapshot, clusterLimits: Resources): ClusterSnapshot => {
  const { clusterLimits: own } = aSnapshot({ clusterLimits, nodes: snapshot.nodes });
  return { ...snapshot, ...(own && { clusterLimits: own }) };
};

const sizeOf = ({ plannedNodes }: Plan): number => plannedNodes.length;

describe.each(policies)('limits of the cluster ($packing)', (policy) => {
  test('hold for all pools together, however the nodes are launched, and beside the limits of each pool', () => {
    fc.assert(
      fc.property(aSnapshotOf({ pods: 16, types: 5 }), limits, (snapshot, clusterLimits) => {
        const given = limited(snapshot, clusterLimits);
        expect(validatePlan(given, policy, simulate(given, policy))).toEqual([]);
      }),
      lawRuns({ usual: 20, all: 40 }),
    );
  });

  test('that are far change nothing', () => {
    fc.assert(
      fc.property(aSnapshotOf({ pods: 12, types: 4 }), (snapshot) => {
        const plan = simulate(snapshot, policy);
        const far = simulate(limited(snapshot, { cpu: 1e9, nodes: 1e6 }), policy);
        expect([sizeOf(far), far.pricePerHour, far.rejections.length]).toEqual([sizeOf(plan), plan.pricePerHour, plan.rejections.length]);
      }),
      { numRuns: 8 },
    );
  });
});

const instanceTypes = assortedInstanceTypes(24);
const nodePools = [aNodePool({ name: 'heavy', weight: 10, limits: { nodes: '2' } }), aNodePool({ name: 'light' })];
const large = requesting({ cpuMillis: 1700 });

describe('a cluster that is limited to three nodes of all pools', () => {
  const lonely = (count: number) => pods(count, large).map((pod) => ({ ...pod, spec: { ...pod.spec, ...oneEachHost } }));
  const oneEachHost = {
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: {} }] },
    },
  };
  const clusterLimits = { nodes: 3 };

  test('gets two nodes of one pool and one of the next, and the other pods are refused by the limit of the cluster', () => {
    const plan = simulate(aSnapshot({ pending: lonely(5), instanceTypes, nodePools, clusterLimits }), defaultSchedulingPolicy);
    expect(plan.plannedNodes.map(({ nodePoolName }) => nodePoolName)).toEqual(['heavy', 'heavy', 'light']);
    expect(plan.rejections).toHaveLength(2);
    expect(plan.rejections.map(explain)[0]).toContain('NodePool light: the cluster’s limit of 3 nodes is reached');
  });

  test('gets a replacement for a node that leaves, and nothing beside it', () => {
    const nodes = ['a', 'b', 'c'].map((name) => aNode({ name, nodePoolName: 'light', pods: name === 'a' ? lonely(1) : [] }));
    const full = nodes.map((node) => ({ ...node, allocatable: { ...node.allocatable, cpu: node.name === 'a' ? 4000 : 0 } }));
    const whatIf = createWhatIf(aSnapshot({ nodes: full, instanceTypes, nodePools, clusterLimits }), defaultSchedulingPolicy);
    expect(sizeOf(whatIf.ask(new Set(['a'])))).toBe(1);
    const pending = aSnapshot({ pending: lonely(1), nodes: full, instanceTypes, nodePools, clusterLimits });
    expect(sizeOf(simulate(pending, defaultSchedulingPolicy))).toBe(0);
  });
});

test('a cpu limit of the cluster is named with what is left of it', () => {
  const snapshot = aSnapshot({ pending: pods(3, large), instanceTypes, nodePools: [aNodePool()], clusterLimits: { cpu: 1000 } });
  expect(simulate(snapshot, defaultSchedulingPolicy).rejections.map(explain)[0]).toContain(
    'the cluster’s cpu limit leaves 1 of 1, and the smallest instance type that would do has 2',
  );
});
