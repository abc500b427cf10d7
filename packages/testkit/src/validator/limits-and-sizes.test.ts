import { defaultSchedulingPolicy, type Plan, type Pod, type SchedulingPolicy } from '@karpenter/core';
import { createWhatIf } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNode, aNodePool, anInstanceType, aPod, aSnapshot, awayFrom, labelled, requesting, runningOn } from '../builders/index.ts';
import { validatedPlanOf } from './testing/validated-plan.ts';

const GIB = 1024 ** 3;
const typeKey = 'node.kubernetes.io/instance-type';
const bestEffort: SchedulingPolicy = { ...defaultSchedulingPolicy, minValues: 'BestEffort' };
const firstFit: SchedulingPolicy = { ...defaultSchedulingPolicy, packing: 'first-fit' };

/** What each planned node may be launched as. */
const sizes = ({ plannedNodes }: Plan): readonly string[] =>
  plannedNodes.map(({ instanceTypes }) => instanceTypes.map(({ name }) => name).join()).toSorted();

const alone = awayFrom({ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'alone' } } });
const lonely = (count: number): readonly Pod[] =>
  Array.from({ length: count }, () => aPod(requesting({ cpuMillis: 3000 }), labelled({ app: 'alone' }), alone));
const under = (limits: Readonly<Record<string, string>>, minValues?: number) => [
  aNodePool({ limits, requirements: minValues === undefined ? [] : [{ key: typeKey, operator: 'Exists', minValues }] }),
];
const four = anInstanceType({ cpus: 4 });
const eight = anInstanceType({ cpus: 8 });

describe('what a node may be launched as, under limits', () => {
  test('is every type, when the limits bear the largest', () => {
    const instanceTypes = [four, anInstanceType({ cpus: 64 })];
    expect(sizes(validatedPlanOf({ pending: lonely(2), instanceTypes, nodePools: under({ cpu: '128' }) }))).toEqual([
      'type-4,type-64',
      'type-4,type-64',
    ]);
  });

  test('is the size of the cheapest, when they bear no more', () => {
    const cluster = { pending: lonely(2), instanceTypes: [four, eight] };
    expect(sizes(validatedPlanOf({ ...cluster, nodePools: under({ cpu: '8' }) }))).toEqual(['type-4', 'type-4']);
  });

  test.each<[string, string, number, string]>([
    ['twice', '16', 16, 'type-4,type-8'],
    ['eight times', '64', 64, 'type-4,type-32'],
  ])('is up to %s as large as the cheapest, when they bear that and no more', (...[, cpu, largest, expected]) => {
    const instanceTypes = [4, largest / 2, largest].map((cpus) => anInstanceType({ cpus }));
    expect(sizes(validatedPlanOf({ pending: lonely(2), instanceTypes, nodePools: under({ cpu }) }))).toEqual([expected, expected]);
  });

  test('is small in everything that is limited', () => {
    const roomy = anInstanceType({ name: 'roomy', cpus: 4, memoryBytes: 256 * GIB, pricePerHour: 1 });
    const cluster = { pending: lonely(2), instanceTypes: [four, roomy] };
    expect(sizes(validatedPlanOf({ ...cluster, nodePools: under({ cpu: '100', memory: '300Gi' }) }))).toEqual(['type-4', 'type-4']);
    expect(sizes(validatedPlanOf({ ...cluster, nodePools: under({ memory: '300Gi', cpu: '100' }) }))).toEqual(['type-4', 'type-4']);
  });

  test('is what minValues ask for: where the limits do not bear that, the pod stays', () => {
    const answer = validatedPlanOf({ pending: lonely(2), instanceTypes: [four, eight], nodePools: under({ cpu: '12' }, 2) });
    expect([sizes(answer), answer.rejections.length]).toEqual([['type-4,type-8'], 1]);
  });

  test('is less than minValues ask for, where they are a preference and the limits leave less', () => {
    const answer = validatedPlanOf({ pending: lonely(2), instanceTypes: [four, eight], nodePools: under({ cpu: '12' }, 2) }, bestEffort);
    expect(sizes(answer)).toEqual(['type-4', 'type-4,type-8']);
  });
});

describe('a type that the limits have no more room for', () => {
  const cheap = anInstanceType({ name: 'cheap', cpus: 8, pricePerHour: 0.1 });
  const dear = anInstanceType({ name: 'dear', cpus: 4, pricePerHour: 1 });
  const instanceTypes = [cheap, dear];

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['gives way to a smaller one, though it is dearer', { cpu: '4' }, ['dear']],
    ['gives way once other nodes have used the limit up', { cpu: '12' }, ['cheap,dear', 'dear']],
    ['gives way whichever of two limits is short', { cpu: '12', memory: '1000Gi' }, ['cheap,dear', 'dear']],
    ['gives way whichever comes first', { memory: '1000Gi', cpu: '12' }, ['cheap,dear', 'dear']],
    ['is not charged as a node, nor a node by its cpus', { nodes: '2', cpu: '12' }, ['cheap,dear', 'dear']],
  ])('%s', (_, limits, expected) => {
    const answer = validatedPlanOf({ pending: lonely(expected.length), instanceTypes, nodePools: under(limits) });
    expect(sizes(answer)).toEqual(expected);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['one limit', { cpu: '12' }],
    ['the first of two', { cpu: '12', memory: '1000Gi' }],
    ['the second of two', { memory: '1000Gi', cpu: '12' }],
  ])('is nothing that a node may grow to: %s', (_, limits) => {
    const growing = Array.from({ length: 2 }, () => aPod(requesting({ cpuMillis: 2000 })));
    const answer = validatedPlanOf(
      { pending: [...lonely(2), ...growing], instanceTypes: [four, eight], nodePools: under(limits) },
      firstFit,
    );
    expect([sizes(answer), answer.rejections.length]).toEqual([['type-4', 'type-8'], 0]);
    const one = validatedPlanOf(
      { pending: [...lonely(2), ...growing], instanceTypes: [four, eight], nodePools: under({ ...limits, cpu: '8' }) },
      firstFit,
    );
    expect([sizes(one), one.rejections.length]).toEqual([['type-4', 'type-4'], 2]);
  });
});

describe('a node that is thought away', () => {
  const load = (node: string): Pod => aPod(requesting({ cpuMillis: 3000 }), runningOn(node));
  const leaving = aNode({ name: 'leaving', nodePoolName: 'default', pods: [load('leaving')] });

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['gives its cpus back to the limits of its pool', { cpu: '8' }, 1],
    ['counts as one node of them', { nodes: '2' }, 1],
    ['gives no more than it has', { cpu: '7' }, 0],
    ['gives no more than one node', { nodes: '1' }, 0],
  ])('%s', (_, limits, planned) => {
    const staying = aNode({ name: 'staying', nodePoolName: 'default', pods: [load('staying')] });
    const snapshot = aSnapshot({ nodes: [leaving, staying], nodePools: under(limits), instanceTypes: [four] });
    expect(createWhatIf(snapshot, defaultSchedulingPolicy).ask(new Set(['leaving'])).plannedNodes).toHaveLength(planned);
  });

  test('gives nothing back to another pool', () => {
    const nodes = [aNode({ name: 'leaving', nodePoolName: 'other', pods: [load('leaving')] })];
    const nodePoolViews = [{ nodePool: aNodePool({ limits: { cpu: '8' } }), instanceTypes: [four], usage: { cpu: 8000, nodes: 2 } }];
    const whatIf = createWhatIf(aSnapshot({ nodes, nodePoolViews }), defaultSchedulingPolicy);
    expect(whatIf.ask(new Set(['leaving'])).plannedNodes).toEqual([]);
  });
});
