import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import type { NodePool } from '../../apis/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { labelRequirements, requirementsOf } from '../../requirements/index.ts';
import { aBudget, aCluster, aNode, aRunningPod, aPool, aType } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';
import { rebalance } from './rebalance.ts';
import type { Rebalance } from './rebalance.ts';

const plan = (cluster: ClusterSnapshot, mostMoves = 100): Rebalance => rebalance(aContext(cluster), { mostMoves });

/** The nodes of each wave. */
const nodesByWave = ({ waves }: Rebalance): readonly (readonly string[])[] =>
  waves.map(({ candidates }) => candidates.map(({ node }) => node.name));

const machinesOf = ({ waves }: Rebalance): readonly (readonly string[])[] =>
  waves.map(({ machines }) => Array.from(machines.values(), ({ cheapest }) => cheapest.instanceType.name));

/** Sells machines of 4 cpus and no others. */
const oneSize = aPool({ instanceTypes: [aType(4)] });

/** Nodes of 4 cpus with one pod of one cpu each. */
const sparse = (count: number) => Array.from({ length: count }, (_, i) => aNode(`n${i}`, { pods: [aRunningPod(`p${i}`, 1)] }));

describe('a set of nodes that go together', () => {
  test('when four nodes are a quarter full › three go, and the fourth takes their pods', () => {
    const { waves, savingsPerHour } = plan(aCluster(sparse(4)));
    expect(waves).toHaveLength(1);
    expect(waves[0]?.candidates).toHaveLength(3);
    expect(waves[0]?.machines.size).toBe(0);
    expect(savingsPerHour).toBeCloseTo(1.2);
  });

  test('when one large machine costs less than the many small ones › all go, and it comes', () => {
    const instanceTypes = [aType(4), aType(16, 0.5)];
    const nodes = Array.from({ length: 4 }, (_, i) => aNode(`n${i}`, { pods: [aRunningPod(`p${i}`, 3)] }));
    const found = plan(aCluster(nodes, { nodePools: [aPool({ instanceTypes })] }));
    expect([nodesByWave(found), machinesOf(found)]).toEqual([[['n0', 'n1', 'n2', 'n3']], [['cpu-16']]]);
    expect(found.savingsPerHour).toBeCloseTo(1.1);
  });

  test.each(['zone-1', 'zone-2'])('when a large machine stands in %s › it stays, and takes the pods of all the small ones', (zone) => {
    const large = aType(16);
    const elsewhere = large.offerings.map((each) => ({
      ...each,
      zone: 'zone-2',
      requirements: labelRequirements({ [labels.zone]: 'zone-2', [labels.capacityType]: each.capacityType }),
    }));
    const requirements = requirementsOf([{ key: labels.instanceType, operator: 'In', values: [large.name] }]);
    const instanceTypes = [aType(4), { ...large, requirements, offerings: [...large.offerings, ...elsewhere] }];
    const small = Array.from({ length: 4 }, (_, i) => aNode(`n${i}`, { pods: [aRunningPod(`p${i}`, 3)] }));
    const { labels: own, ...standing } = aNode('large', { cpus: 16, pods: [aRunningPod('first', 3)] });
    const nodes = [...small, { ...standing, labels: { ...own, [labels.zone]: zone } }];
    const found = plan(aCluster(nodes, { nodePools: [aPool({ instanceTypes })] }));
    expect([nodesByWave(found), machinesOf(found)]).toEqual([[['n0', 'n1', 'n2', 'n3']], [[]]]);
  });

  test('when no set saves anything › no wave, and each node has a reason', () => {
    const { waves, blocked } = plan(aCluster([aNode('full', { pods: [aRunningPod('p', 4)] })]));
    expect(waves).toEqual([]);
    expect(blocked.get('full')).toMatchObject({ kind: 'no-cheaper-replacement' });
  });

  test('when fewer pods may move than the set has › a smaller set', () => {
    const found = plan(aCluster(sparse(4)), 2);
    expect(nodesByWave(found).flat()).toHaveLength(2);
  });

  test('when a limit has no room for the machine that all would need › smaller sets go, whose machines fit', () => {
    const disruption = { budgets: [{ nodes: '1' }] };
    const { nodePool, ...view } = aPool({ disruption, instanceTypes: [aType(4), aType(8, 0.45), aType(32, 1)] });
    const nodes = Array.from({ length: 8 }, (_, i) => aNode(`n${i}`, { pods: [aRunningPod(`p${i}`, 3)] }));
    const typesUnder = (limits: NodePool['spec']['limits'] = {}): readonly string[] => {
      const pool = { ...view, nodePool: { ...nodePool, spec: { ...nodePool.spec, limits } }, usage: { cpu: 32_000 } };
      return machinesOf(plan(aCluster(nodes, { nodePools: [pool] }))).flat();
    };
    expect(typesUnder()).toEqual(['cpu-32']);
    expect(typesUnder({ cpu: '40' })).toEqual(['cpu-8', 'cpu-8', 'cpu-8', 'cpu-8']);
    expect(typesUnder({ cpu: '33' })).toEqual([]);
  });

  test('when a node may not be disrupted › it stays, and takes pods of the others', () => {
    const [first, ...others] = sparse(4);
    const kept = { ...first, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } };
    const found = plan(aCluster([{ ...aNode('n0'), ...kept }, ...others]));
    expect(nodesByWave(found)).toEqual([['n1', 'n2', 'n3']]);
    expect(found.blocked.get('n0')).toEqual({ kind: 'do-not-disrupt-node' });
  });

  test('when a pool keeps a minimum of nodes › so many stay', () => {
    const nodePools = [aPool({ instanceTypes: [aType(4)], minimum: { nodes: '3' } })];
    const found = plan(aCluster(sparse(4), { nodePools }));
    expect(nodesByWave(found).flat()).toHaveLength(1);
    expect([...found.blocked.values()]).toContainEqual(expect.objectContaining({ kind: 'minimum' }));
  });

  test('when pods are pending › their places are counted as taken', () => {
    const pendingPods = [aRunningPod('big-1', 3), aRunningPod('big-2', 3)];
    expect(plan(aCluster(sparse(2), { nodePools: [oneSize], pendingPods })).waves).toEqual([]);
  });
});

describe('waves', () => {
  test('when the budget lets one node go at once › a wave for each', () => {
    const nodePools = [aPool({ disruption: { budgets: [{ nodes: '1' }] } })];
    expect(nodesByWave(plan(aCluster(sparse(4), { nodePools }))).map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test('when a machine serves nodes of several waves › it comes once, and the waves together save', () => {
    const nodePools = [aPool({ instanceTypes: [aType(4), aType(16, 0.5)], disruption: { budgets: [{ nodes: '1' }] } })];
    const nodes = Array.from({ length: 4 }, (_, i) => aNode(`n${i}`, { pods: [aRunningPod(`p${i}`, 3)] }));
    const found = plan(aCluster(nodes, { nodePools }));
    expect(machinesOf(found)).toEqual([['cpu-16'], [], [], []]);
    expect(found.waves.map(({ savingsPerHour }) => Math.round(savingsPerHour * 10) / 10)).toEqual([-0.1, 0.4, 0.4, 0.4]);
  });

  test('when a PodDisruptionBudget allows one eviction › its pods leave their nodes in waves of one', () => {
    const nodes = Array.from({ length: 3 }, (_, i) =>
      aNode(`n${i}`, { pods: [aRunningPod(`p${i}`, 1, { metadata: { labels: { app: 'db' } } })] }),
    );
    const found = plan(aCluster(nodes, { nodePools: [oneSize], podDisruptionBudgets: [aBudget('db', 1)] }));
    expect(nodesByWave(found).map(({ length }) => length)).toEqual([1, 1]);
  });

  test('when the budget lets no node go › nothing, and the budget is the reason', () => {
    const nodePools = [aPool({ disruption: { budgets: [{ nodes: '0' }] } })];
    const { waves, blocked } = plan(aCluster(sparse(2), { nodePools }));
    expect(waves).toEqual([]);
    expect([...blocked.values()].map(({ kind }) => kind)).toContain('budget');
  });
});
