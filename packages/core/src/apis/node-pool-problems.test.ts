import { describe, expect, test } from '@jest/globals';
import { aNodePool, nodeClassRef } from '../testing/objects.ts';
import { defaultLabelCatalog } from './label-catalog.ts';
import { nodeClaimProblems } from './node-claim.ts';
import type { NodeClaim } from './node-claim.ts';
import type { Budget, NodeClaimTemplate, NodePool, NodePoolSpec, RequirementSpec } from './node-pool.ts';
import { budgetProblemsOf } from './budget.ts';
import { nodePoolProblems } from './node-pool-problems.ts';

const statedPool = (spec: Partial<NodePoolSpec> = {}, nodes: Partial<NodeClaimTemplate['spec']> = {}): NodePool =>
  aNodePool('default', { spec, nodes });
const requiring = (...requirements: RequirementSpec[]): NodePool => statedPool({}, { requirements });
const labelled = (labels: Record<string, string>): NodePool =>
  statedPool({ template: { metadata: { labels }, spec: { requirements: [], nodeClassRef } } });
const problemsOf = (pool: NodePool) => nodePoolProblems(pool, defaultLabelCatalog);

const LONG = `test.com.${'a'.repeat(250)}`;

describe('a sound NodePool', () => {
  test.each<[string, NodePool]>([
    ['asks for little', statedPool()],
    [
      'asks for much',
      statedPool(
        {
          limits: { cpu: 1000, memory: '1Ti' },
          weight: 10,
          disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '10%', schedule: '@daily', duration: '8h' }] },
        },
        {
          requirements: [
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
            { key: 'example.com/cpu', operator: 'Gt', values: ['3'] },
            { key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 5 },
          ],
          taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
          startupTaints: [{ key: 'dedicated', effect: 'NoExecute' }],
          expireAfter: 'Never',
          terminationGracePeriod: '1h30m',
        },
      ),
    ],
    ['has a minimum', statedPool({ minimum: { nodes: 2, memory: '8Gi' }, limits: { nodes: 5 } })],
    ['is static', statedPool({ replicas: 3, limits: { nodes: 5 } })],
    ['has 100,000 replicas', statedPool({ replicas: 100_000 })],
    [
      'names one capacity type that exists beside one that does not',
      requiring({ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'tomorrow'] }),
    ],
  ])('%s', (_, pool) => expect(problemsOf(pool)).toEqual([]));
});

describe('a NodePool is refused, by field and value', () => {
  test.each<[string, NodePool, string, string]>([
    ['a label whose name is too long', labelled({ [LONG]: 'a' }), 'spec.template.metadata.labels', LONG],
    ['a requirement whose name is too long', requiring({ key: LONG, operator: 'Exists' }), 'spec.template.spec.requirements[0].key', LONG],
    [
      '100 requirements, beside the labels that Karpenter adds',
      requiring(...Array.from({ length: 100 }, (_, index): RequirementSpec => ({ key: `example.com/k-${index}`, operator: 'Exists' }))),
      'spec.template',
      '104 keys in requirements and labels',
    ],
    [
      'annotations of 300 KB',
      statedPool({ template: { metadata: { annotations: { note: 'x'.repeat(300_000) } }, spec: { requirements: [], nodeClassRef } } }),
      'spec.template.metadata.annotations',
      '300004 characters',
    ],
    [
      'the name of a NodeClass that is no label value',
      statedPool({}, { nodeClassRef: { ...nodeClassRef, name: 'a'.repeat(64) } }),
      'spec.template.spec.nodeClassRef.name',
      'a'.repeat(64),
    ],
    [
      'a taint whose domain is too long',
      statedPool({}, { taints: [{ key: `${LONG}/a`, effect: 'NoSchedule' }] }),
      'spec.template.spec.taints[0].key',
      `${LONG}/a`,
    ],
    ['a malformed label', labelled({ 'a b': 'c' }), 'spec.template.metadata.labels', 'a b'],
    ['a malformed label value', labelled({ a: 'c d' }), 'spec.template.metadata.labels[a]', 'c d'],
    [
      'a label of Karpenter’s domain',
      labelled({ 'karpenter.sh/initialized': 'true' }),
      'spec.template.metadata.labels',
      'karpenter.sh/initialized',
    ],
    ['a label of a domain within it', labelled({ 'x.karpenter.sh/y': 'z' }), 'spec.template.metadata.labels', 'x.karpenter.sh/y'],
    ['the hostname', labelled({ 'kubernetes.io/hostname': 'x' }), 'spec.template.metadata.labels', 'kubernetes.io/hostname'],
    [
      'the name of the pool',
      requiring({ key: 'karpenter.sh/nodepool', operator: 'Exists' }),
      'spec.template.spec.requirements[0].key',
      'karpenter.sh/nodepool',
    ],
    [
      'an unknown operator',
      requiring({ key: 'a', operator: 'Like' as 'In', values: ['b'] }),
      'spec.template.spec.requirements[0]',
      'a Like [b]',
    ],
    ['In without values', requiring({ key: 'a', operator: 'In' }), 'spec.template.spec.requirements[0]', 'a In []'],
    [
      'a bound that is no number',
      requiring({ key: 'a', operator: 'Gt', values: ['many'] }),
      'spec.template.spec.requirements[0]',
      'a Gt [many]',
    ],
    ['two bounds', requiring({ key: 'a', operator: 'Lt', values: ['1', '2'] }), 'spec.template.spec.requirements[0]', 'a Lt [1, 2]'],
    [
      'more variety than is named',
      requiring({ key: 'a', operator: 'In', values: ['b'], minValues: 2 }),
      'spec.template.spec.requirements[0]',
      'a In [b]',
    ],
    ['too much variety', requiring({ key: 'a', operator: 'Exists', minValues: 51 }), 'spec.template.spec.requirements[0].minValues', '51'],
    [
      'only capacity types that do not exist',
      requiring({ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['Spot'] }),
      'spec.template.spec.requirements[0]',
      'karpenter.sh/capacity-type In [Spot]',
    ],
    [
      'an unknown effect',
      statedPool({}, { taints: [{ key: 'a', effect: 'Never' as 'NoExecute' }] }),
      'spec.template.spec.taints[0].effect',
      'Never',
    ],
    [
      'a taint that occurs twice',
      statedPool(
        {},
        { taints: [{ key: 'a', value: '1', effect: 'NoSchedule' }], startupTaints: [{ key: 'a', value: '2', effect: 'NoSchedule' }] },
      ),
      'spec.template.spec.startupTaints[0]',
      'a:NoSchedule',
    ],
    [
      'a node class without name',
      statedPool({}, { nodeClassRef: { ...nodeClassRef, name: '' } }),
      'spec.template.spec.nodeClassRef.name',
      '',
    ],
    [
      'a group with a version',
      statedPool({}, { nodeClassRef: { ...nodeClassRef, group: 'a/v1' } }),
      'spec.template.spec.nodeClassRef.group',
      'a/v1',
    ],
    ['an expiry in days', statedPool({}, { expireAfter: '30d' }), 'spec.template.spec.expireAfter', '30d'],
    ['an endless grace period', statedPool({}, { terminationGracePeriod: 'Never' }), 'spec.template.spec.terminationGracePeriod', 'Never'],
    ['a malformed wait', statedPool({ disruption: { consolidateAfter: 'soon' } }), 'spec.disruption.consolidateAfter', 'soon'],
    ['a malformed limit', statedPool({ limits: { cpu: 'lots' } }), 'spec.limits.cpu', 'lots'],
    ['too much weight', statedPool({ weight: 101 }), 'spec.weight', '101'],
    ['replicas that no cluster has', statedPool({ replicas: 150_000_000 }), 'spec.replicas', '150000000'],
    ['weight on a static pool', statedPool({ replicas: 1, weight: 1 }), 'spec.weight', '1'],
    ['a minimum of a static pool', statedPool({ replicas: 1, minimum: { nodes: 1 } }), 'spec.minimum', 'nodes'],
    ['a minimum that is no quantity', statedPool({ minimum: { cpu: 'some' } }), 'spec.minimum.cpu', 'some'],
    ['a cpu limit on a static pool', statedPool({ replicas: 1, limits: { cpu: 1 } }), 'spec.limits.cpu', 'cpu'],
  ])('%s', (...[, pool, field, value]) =>
    expect(problemsOf(pool)).toEqual([expect.objectContaining({ field, value, problem: expect.any(String) })]),
  );
});

test('more values than a plan reads quickly are one problem, with the figure and the most there may be', () => {
  const rack = (index: number): RequirementSpec => ({
    key: `example.com/rack-${index}`,
    operator: 'NotIn',
    values: Array.from({ length: 10_000 }, (_, value) => `r-${value}`),
  });
  expect(problemsOf(requiring(...[0, 1, 2, 3, 4].map(rack)))).toEqual([]);
  expect(problemsOf(requiring(...[0, 1, 2, 3, 4, 5].map(rack)))).toEqual([
    { field: 'spec.template.spec.requirements', value: '60000 values', problem: 'must have at most 50000 values in all' },
  ]);
});

test('a NodeClaim may name its pool, a NodePool may not', () => {
  const requirements: RequirementSpec[] = [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['default'] }];
  const claim: NodeClaim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'c' },
    spec: { requirements, nodeClassRef },
  };
  expect(nodeClaimProblems(claim, defaultLabelCatalog)).toEqual([]);
  expect(problemsOf(requiring(...requirements))).toHaveLength(1);
});

describe('a budget is malformed, by field and value', () => {
  test.each<[string, readonly Budget[], string, string]>([
    ['a budget of more than all', [{ nodes: '101%' }], 'spec.disruption.budgets[0].nodes', '101%'],
    ['a budget for an unknown reason', [{ nodes: '1', reasons: ['Bored' as 'Empty'] }], 'spec.disruption.budgets[0].reasons', 'Bored'],
    ['a malformed schedule', [{ nodes: '1', schedule: '* *', duration: '1h' }], 'spec.disruption.budgets[0].schedule', '* *'],
    ['a schedule without duration', [{ nodes: '1', schedule: '@daily' }], 'spec.disruption.budgets[0].duration', ''],
    ['a duration without schedule', [{ nodes: '1', duration: '1h' }], 'spec.disruption.budgets[0].schedule', ''],
    ['a malformed duration', [{ nodes: '1', schedule: '@daily', duration: 'long' }], 'spec.disruption.budgets[0].duration', 'long'],
  ])('%s: the pool itself is sound', (...[, budgets, field, value]) => {
    const pool = statedPool({ disruption: { budgets } });
    expect(budgetProblemsOf(pool)).toEqual([expect.objectContaining({ field, value })]);
    expect(problemsOf(pool)).toEqual([]);
  });
});
