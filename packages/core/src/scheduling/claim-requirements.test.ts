import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, labels, nodeClaimProblems } from '../apis/index.ts';
import type { LabelCatalog, RequirementSpec } from '../apis/index.ts';
import { finish } from '../base/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import { aBareSnapshot } from '../cluster/testing/a-bare-cluster.ts';
import type { NodePoolView } from '../cluster/index.ts';
import type { NodeSelectorRequirement, Pod } from '../kube/index.ts';
import { labelRequirements } from '../requirements/index.ts';
import { aNodeClaim, aNodePool, aPod } from '../testing/objects.ts';
import { planning } from './what-if.ts';
import { explain } from './rejection/rejection-text.ts';
import { defaultSchedulingPolicy } from './policy.ts';
import { range } from '../testing/range.ts';

const own = { [labels.zone]: 'z1', [labels.capacityType]: 'on-demand' };
const instanceType: InstanceType = {
  name: 'm4',
  requirements: labelRequirements({ ...own, [labels.instanceType]: 'm4', [labels.arch]: 'amd64', 'cloud.example/generation': '2' }),
  offerings: [{ zone: 'z1', capacityType: 'on-demand', pricePerHour: 1, isAvailable: true, requirements: labelRequirements(own) }],
  capacity: { cpu: 4000, memory: 2 ** 34, pods: 110 },
  overhead: {},
};

const poolRequiring = (...requirements: readonly RequirementSpec[]): NodePoolView => ({
  nodePool: aNodePool('general', { metadata: { uid: 'general' }, nodes: { requirements } }),
  instanceTypes: [instanceType],
  usage: {},
});

const podRequiring = (name: string, ...matchExpressions: readonly NodeSelectorRequirement[]): Pod =>
  aPod(name, {
    spec: {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } },
    },
  });

const planForPool = (pods: readonly Pod[], pool = poolRequiring(), labelCatalog: LabelCatalog = defaultLabelCatalog) =>
  finish(planning(aBareSnapshot({ nodePools: [pool], pendingPods: pods }), { ...defaultSchedulingPolicy, labelCatalog }, () => false));
const absent = (key: string): NodeSelectorRequirement => ({ key, operator: 'DoesNotExist' });
const exists = (key: string): RequirementSpec => ({ key, operator: 'Exists' });

/** As a cloud may have them beside its own labels. */
const strictCatalog: LabelCatalog = {
  ...defaultLabelCatalog,
  restrictedDomains: new Set([...defaultLabelCatalog.restrictedDomains, 'cloud.example']),
  restrictedLabels: new Set([...defaultLabelCatalog.restrictedLabels, 'agentpool']),
};

describe('when a pod excludes labels beside ordinary pods › one claim that the API server takes is for all of them', () => {
  test.each<[string, readonly NodeSelectorRequirement[]]>([
    ['another node by its host name', [{ key: labels.hostname, operator: 'NotIn', values: ['n1'] }]],
    ['a restricted label', [{ key: 'karpenter.sh/x', operator: 'NotIn', values: ['a'] }]],
    ['a restricted label at all', [absent('example.karpenter.sh/x')]],
    ['a label that its cloud restricts', [{ key: 'agentpool', operator: 'NotIn', values: ['system'] }]],
    ['a restricted label that machines have', [{ key: 'cloud.example/generation', operator: 'NotIn', values: ['1'] }]],
    ['120 labels that no node has', range(120).map((index) => absent(`x.example.com/k-${index}`))],
    ['15,000 values of a label that no node has', [{ key: 'x', operator: 'NotIn', values: range(15_000).map(String) }]],
  ])('%s', (_, excluded) => {
    const { plannedNodes, rejections } = planForPool(
      [aPod('a'), podRequiring('odd', ...excluded), aPod('b')],
      poolRequiring(),
      strictCatalog,
    );
    expect([plannedNodes.map(({ pods }) => pods.length), rejections]).toEqual([[3], []]);
    const spec = plannedNodes[0]?.claim.spec;
    expect(nodeClaimProblems(aNodeClaim('a', { spec: spec ?? {} }), strictCatalog)).toEqual([]);
    expect(spec?.requirements.map(({ key }) => key)).toEqual(
      [labels.nodePool, labels.capacityType, labels.instanceType, 'test.dev/testnodeclass'].sort(),
    );
  });
});

test('when a pod requires that its node has no host name › it is rejected by name: every node has one', () => {
  const { plannedNodes, rejections } = planForPool([aPod('a'), podRequiring('odd', absent(labels.hostname))]);
  expect(plannedNodes.map(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual([['a']]);
  expect(rejections.map(explain)).toEqual([expect.stringContaining('the pod wants kubernetes.io/hostname DoesNotExist')]);
});

test('when pods narrow a pool with 90 requirements › no claim has more than 100, and what fits on none is rejected with the figure', () => {
  const pool = poolRequiring(...range(90).map((index) => exists(`example.com/k-${index}`)));
  const narrowing = (name: string, from: number, to: number): Pod =>
    podRequiring(
      name,
      ...range(to - from).map((index): NodeSelectorRequirement => ({
        key: `example.com/k-${from + index}`,
        operator: 'NotIn',
        values: ['1'],
      })),
    );
  const { plannedNodes, rejections } = planForPool([narrowing('a', 0, 4), narrowing('b', 4, 8), narrowing('odd', 10, 80)], pool);
  expect(plannedNodes.map(({ pods }) => pods.map(({ metadata }) => metadata.name)).sort()).toEqual([['a'], ['b']]);
  expect(plannedNodes.every(({ claim }) => claim.spec.requirements.length <= 100)).toBe(true);
  expect(rejections.map(explain)).toEqual([
    expect.stringContaining('the pod wants 164 requirements, the pool’s included, the pool offers room for 100 in a NodeClaim'),
  ]);
});

test('when pods exclude 15,000 values of a label of the pool › the others get their node, and they are rejected', () => {
  const excluding = podRequiring('odd', { key: 'team', operator: 'NotIn', values: range(15_000).map((index) => `team-${index}`) });
  const { plannedNodes, rejections } = planForPool([aPod('a'), excluding], poolRequiring(exists('team')));
  expect([plannedNodes.map(({ pods }) => pods.length), rejections.map(({ pod }) => pod.metadata.name)]).toEqual([[1], ['odd']]);
});

describe('when the node affinity of a pod has a value that no label may have › the claim has none of it, and others share the node', () => {
  const bad = 'a b';
  const pool = poolRequiring(exists('team'));
  const preferring = (name: string, ...matchExpressions: readonly NodeSelectorRequirement[]): Pod =>
    aPod(name, {
      spec: {
        affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions } }] } },
      },
    });
  const of = (operator: NodeSelectorRequirement['operator'], ...values: readonly string[]): NodeSelectorRequirement => ({
    key: 'team',
    operator,
    values,
  });

  test.each<[string, Pod, readonly RequirementSpec[]]>([
    ['preferred', preferring('odd', of('In', bad)), [exists('team')]],
    ['excluded', podRequiring('odd', of('NotIn', bad)), [exists('team')]],
    ['excluded beside others', podRequiring('odd', of('NotIn', bad, 'web')), [of('NotIn', 'web'), exists('team')]],
    ['required or another', podRequiring('odd', of('In', bad, 'web')), [of('In', 'web')]],
    ['preferred below 0', preferring('odd', of('Lt', '0')), [exists('team')]],
    ['preferred up to a bound below 0', preferring('odd', of('Lte', '-7')), [exists('team')]],
    ['preferred above a bound below 0', preferring('odd', of('Gt', '-5')), [of('Gte', '0')]],
    ['required above a bound below 0', podRequiring('odd', of('Gt', '-5')), [of('Gte', '0')]],
    ['required from a bound below 0', podRequiring('odd', of('Gte', '-5'), of('Lt', '8')), [of('Gte', '0'), of('Lte', '7')]],
    ['required up to 0', podRequiring('odd', of('Lt', '1')), [of('Lte', '0')]],
  ])('%s', (_, odd, expected) => {
    const { plannedNodes, rejections } = planForPool([aPod('a'), odd, aPod('b')], pool);
    expect([plannedNodes.map(({ pods }) => pods.length), rejections]).toEqual([[3], []]);
    const spec = plannedNodes[0]?.claim.spec;
    expect(nodeClaimProblems(aNodeClaim('a', { spec: spec ?? {} }), defaultLabelCatalog)).toEqual([]);
    expect(spec?.requirements.filter(({ key }) => key === 'team')).toEqual(expected);
  });

  test.each<[string, NodeSelectorRequirement]>([
    ['required', of('In', bad)],
    ['required below 0', of('Lt', '0')],
    ['required up to a bound below 0', of('Lte', '-7')],
  ])('%s › no machine will do, and the pod is rejected by name', (_, required) => {
    const { plannedNodes, rejections } = planForPool([aPod('a'), podRequiring('odd', required)], pool);
    expect([plannedNodes.map(({ pods }) => pods.length), rejections.map(({ pod }) => pod.metadata.name)]).toEqual([[1], ['odd']]);
    expect(rejections.map(explain)).toEqual([expect.stringContaining('team')]);
  });
});
