import { describe, expect, test } from '@jest/globals';
import { allocatableOf, type ClusterSnapshot, defaultSchedulingPolicy, labels, type Pod, rebalance } from '@karpenter/core';
import {
  type NodePoolView,
  nodePrice,
  type NodeView,
  plannedNodeView,
  type PodDisruptionBudget,
  type Rebalance,
  type RebalanceWave,
} from '@karpenter/core/internal';
import fc from 'fast-check';
import { aSnapshotOf, reorder, someTopology } from '../arbitraries/index.ts';
import { aNode, aPod, labelled, requesting, runningOn } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const policy = { ...defaultSchedulingPolicy, nowMs: NOW_MS };
const RUNS = 21;

const someLoad = fc.array(fc.tuple(fc.constantFrom(100, 400, 900), fc.constantFrom('red', 'blue', 'green'), someTopology), {
  maxLength: 4,
});

/** A machine that is up: its type, offering and pool by number, and what runs there. */
const someMachine = fc.record({
  type: fc.nat(9),
  offering: fc.nat(9),
  pool: fc.nat(9),
  load: someLoad,
  isReady: fc.constantFrom(true, true, true, false),
});

type Machine = typeof someMachine extends fc.Arbitrary<infer M> ? M : never;

const pick = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('there is nothing to pick from');
  return found;
};

const machineOf = ({ nodePools }: ClusterSnapshot, { type, offering, pool, load, isReady }: Machine, index: number): NodeView => {
  const { nodePool, instanceTypes } = pick(nodePools, pool);
  const instanceType = pick(instanceTypes, type);
  const { zone, capacityType } = pick(instanceType.offerings, offering);
  const name = `machine-${index}`;
  const { nodeClassRef } = nodePool.spec.template.spec;
  const own = { [labels.instanceType]: instanceType.name, [labels.capacityType]: capacityType };
  const pods = load.map(([cpuMillis, team, company]) => ({
    ...aPod(requesting({ cpuMillis }), company, labelled({ team }), runningOn(name)),
    status: { phase: 'Running' as const },
  }));
  return {
    ...aNode({ name, zone, nodePoolName: nodePool.metadata.name, labels: own, pods, allocatable: allocatableOf(instanceType) }),
    isReady,
    capacity: instanceType.capacity,
    claim: {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `claim-${index}` },
      spec: { requirements: [], nodeClassRef },
      status: { conditions: [{ type: 'Initialized', status: 'True', lastTransitionTime: '2026-11-20T11:00:00Z' }] },
    },
  };
};

const aTeamBudget = (team: string, disruptionsAllowed: number): PodDisruptionBudget => ({
  metadata: { name: team, namespace: 'default' },
  spec: { selector: { matchLabels: { team } } },
  status: { disruptionsAllowed },
});

/** A pool that may have no more nodes than now. */
const limitedTo = (view: NodePoolView, machines: readonly NodeView[]): NodePoolView => {
  const { nodePool } = view;
  const { length } = machines.filter(({ nodePoolName }) => nodePoolName === nodePool.metadata.name);
  return { ...view, usage: { nodes: length }, nodePool: { ...nodePool, spec: { ...nodePool.spec, limits: { nodes: String(length) } } } };
};

/** Clusters whose nodes are Karpenter's and whose pools may disrupt some of them at once. */
const clusters = fc
  .record({
    base: aSnapshotOf({ pods: 2, types: 4 }),
    machines: fc.array(someMachine, { minLength: 1, maxLength: 7 }),
    nodes: fc.constantFrom('0', '1', '2', '50%', '100%'),
    allowed: fc.constantFrom(undefined, 0, 1, 3),
    isLimited: fc.boolean(),
  })
  .map(({ base, machines, nodes, allowed, isLimited }): ClusterSnapshot => {
    const nodePools = base.nodePools.map((view) => {
      const { nodePool } = view;
      const disruption = { consolidationPolicy: 'WhenEmptyOrUnderutilized' as const, consolidateAfter: '0s', budgets: [{ nodes }] };
      return { ...view, nodePool: { ...nodePool, spec: { ...nodePool.spec, limits: {}, disruption } } };
    });
    const snapshot = { ...base, nodePools };
    const up = machines.map((machine, index) => machineOf(snapshot, machine, index));
    return {
      ...{ ...snapshot, nodes: up, nodePools: isLimited ? nodePools.map((view) => limitedTo(view, up)) : nodePools },
      podDisruptionBudgets: allowed === undefined ? [] : [aTeamBudget('red', allowed), aTeamBudget('blue', 1)],
    };
  });

const planFor = (snapshot: ClusterSnapshot, mostMoves = Number.POSITIVE_INFINITY): Rebalance =>
  rebalance({ snapshot, policy, nowMs: NOW_MS, shouldStop: () => false, spotToSpot: true }, { mostMoves });

/** The cluster when the wave starts: its machines have come. */
const withMachines = (snapshot: ClusterSnapshot, { machines }: RebalanceWave): ClusterSnapshot => ({
  ...snapshot,
  nodes: [...snapshot.nodes, ...Array.from(machines, ([name, planned]) => plannedNodeView({ ...planned, pods: [] }, name))],
});

const nodesOfWave = ({ candidates }: RebalanceWave): ReadonlySet<string> => new Set(candidates.map(({ node }) => node.name));

const afterWave = (snapshot: ClusterSnapshot, wave: RebalanceWave): ClusterSnapshot => {
  const gone = nodesOfWave(wave);
  const { nodes, ...rest } = withMachines(snapshot, wave);
  const moved = (node: NodeView): NodeView => ({ ...node, pods: [...node.pods, ...(wave.moves.get(node.name) ?? [])] });
  return { ...rest, nodes: nodes.filter(({ name }) => !gone.has(name)).map(moved) };
};

/** Runs the check before each wave, on the cluster as the waves before it left it; returns the cluster after the last. */
const eachWave = (
  start: ClusterSnapshot,
  { waves }: Rebalance,
  check: (snapshot: ClusterSnapshot, wave: RebalanceWave) => void,
): ClusterSnapshot =>
  waves.reduce((snapshot, wave) => {
    check(snapshot, wave);
    return afterWave(snapshot, wave);
  }, start);

/** What the budgets of a pool let go at once: percentages are rounded up, nodes that are not ready count as going. */
const allowanceOf = ({ nodes, nodePools }: ClusterSnapshot, poolName: string): number => {
  const own = nodes.filter(({ nodePoolName, claim }) => nodePoolName === poolName && claim !== undefined);
  const [budget] = nodePools.find(({ nodePool }) => nodePool.metadata.name === poolName)?.nodePool.spec.disruption?.budgets ?? [];
  const text = budget?.nodes ?? '10%';
  const allowed = text.endsWith('%') ? Math.ceil((own.length * Number.parseInt(text, 10)) / 100) : Number(text);
  return allowed - own.filter(({ isReady }) => !isReady).length;
};

const priceOf = ({ nodes, nodePools }: ClusterSnapshot): number =>
  nodes.reduce((sum, node) => {
    const pool = nodePools.find(({ nodePool }) => nodePool.metadata.name === node.nodePoolName);
    return sum + ((pool && nodePrice(node, pool.instanceTypes)) ?? 0);
  }, 0);

/** Without pending pods: what they need comes whether the cluster is rebalanced or not. */
const settled = clusters.map((cluster): ClusterSnapshot => ({ ...cluster, pendingPods: [] }));

const expectWithinBudgets = (snapshot: ClusterSnapshot, { candidates }: RebalanceWave): void => {
  for (const [pool, going] of Map.groupBy(candidates, ({ node }) => node.nodePoolName ?? ''))
    expect(going.length).toBeLessThanOrEqual(allowanceOf(snapshot, pool));
  for (const { spec, status } of snapshot.podDisruptionBudgets) {
    const isGuarded = ({ metadata: { labels: own, namespace } }: Pod): boolean =>
      namespace === 'default' && own?.['team'] === spec.selector?.matchLabels?.['team'];
    const counts = candidates.map(({ node }) => node.pods.filter(isGuarded).length).filter((count) => count > 0);
    // The drain of a single node waits for the budget itself, which must allow something.
    const evicted = counts.length === 1 ? 1 : counts.reduce((sum, count) => sum + count, 0);
    expect(evicted).toBeLessThanOrEqual(status?.disruptionsAllowed ?? 0);
  }
};

const expectWithinLimits = ({ nodes, nodePools }: ClusterSnapshot): void => {
  for (const { nodePool } of nodePools) {
    const { length } = nodes.filter(({ nodePoolName }) => nodePoolName === nodePool.metadata.name);
    expect(length).toBeLessThanOrEqual(Number(nodePool.spec.limits?.['nodes'] ?? Number.POSITIVE_INFINITY));
  }
};

const expectSoundMoves = (snapshot: ClusterSnapshot, wave: RebalanceWave): void => {
  const gone = nodesOfWave(wave);
  const { nodes, ...rest } = withMachines(snapshot, wave);
  const pendingPods = wave.candidates.flatMap(({ reschedulablePods }) => reschedulablePods);
  const moving = { ...rest, nodes: nodes.filter(({ name }) => !gone.has(name)), pendingPods };
  expect(validatePlan(moving, policy, { plannedNodes: [], placements: wave.moves, rejections: [], pricePerHour: 0 })).toEqual([]);
};

describe('a rebalance', () => {
  test('keeps budgets of pools and pods and limits wave by wave, moves pods only where Kubernetes allows them, and saves what it says', () => {
    fc.assert(
      fc.property(settled, (cluster) => {
        const plan = planFor(cluster);
        const after = eachWave(cluster, plan, (snapshot, wave) => {
          expectWithinBudgets(snapshot, wave);
          expectSoundMoves(snapshot, wave);
          expectWithinLimits(afterWave(snapshot, wave));
        });
        expect(priceOf(cluster) - priceOf(after)).toBeCloseTo(plan.savingsPerHour, 9);
        const going = plan.waves.flatMap((wave) => [...nodesOfWave(wave)]);
        expect(plan.savingsPerHour > 0).toBe(going.length > 0);
        expect([...going, ...plan.blocked.keys()].sort()).toEqual(cluster.nodes.map(({ name }) => name).sort());
      }),
      { numRuns: RUNS },
    );
  });

  test('moves no more pods than its limit', () => {
    fc.assert(
      fc.property(clusters, fc.nat(5), (cluster, mostMoves) => {
        const moved = planFor(cluster, mostMoves).waves.flatMap(({ moves }) => [...moves.values()].flat());
        expect(moved.length).toBeLessThanOrEqual(mostMoves);
      }),
      { numRuns: RUNS / 3 },
    );
  });

  test('is the same whatever order things arrived in', () => {
    const summary = ({ waves, savingsPerHour }: Rebalance) => ({
      savingsPerHour,
      waves: waves.map((wave) => ({
        nodes: [...nodesOfWave(wave)].sort(),
        machines: Array.from(wave.machines.values(), ({ cheapest }) => cheapest.instanceType.name).sort(),
      })),
    });
    fc.assert(
      fc.property(clusters, fc.nat(20), (cluster, seed) => {
        expect(summary(planFor(reorder(cluster, seed)))).toEqual(summary(planFor(cluster)));
      }),
      { numRuns: RUNS / 3 },
    );
  });
});
