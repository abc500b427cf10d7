import { defaultSchedulingPolicy, explain, type Plan, type SchedulingPolicy, simulate, snapshotOf } from '@karpenter/core';
import { explainLeftOut, type PodSelector, podSelectorOf, type TopologySpreadConstraint } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import {
  aNode,
  anInstanceType,
  aNodePool,
  aPod,
  aSnapshot,
  inNamespace,
  labelled,
  ownedBy,
  pods,
  requesting,
  runningOn,
  spreadOver,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { validatedPlan } from './testing/validated-plan.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const evenly: TopologySpreadConstraint = { topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' };
const web = labelled({ app: 'web' });
const small = requesting({ cpuMillis: 100 });
const service = podSelectorOf('Service', { metadata: { name: 'web', namespace: 'default' }, spec: { selector: { app: 'web' } } });
const replicaSet = podSelectorOf('ReplicaSet', {
  metadata: { name: 'owner', namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'web' } } },
});

const spreadingBy = (...defaultSpread: readonly TopologySpreadConstraint[]): SchedulingPolicy => ({
  ...defaultSchedulingPolicy,
  defaultSpread,
});

/** How many pods each planned node is for, the fewest first. */
const podsPerNode = ({ plannedNodes }: Plan): readonly number[] => plannedNodes.map(({ pods: own }) => own.length).sort((a, b) => a - b);

describe('the default spread', () => {
  interface Case {
    readonly name: string;
    readonly picking: PodSelector;
    readonly traits: readonly PodTrait[];
    readonly sizes: readonly number[];
  }
  const cases: readonly Case[] = [
    { name: 'holds for pods of a Service', picking: service, traits: [web, small], sizes: [1, 1, 1] },
    { name: 'holds for pods of a ReplicaSet', picking: replicaSet, traits: [web, small, ownedBy('ReplicaSet')], sizes: [1, 1, 1] },
    { name: 'is none of the pods’ that nothing picks', picking: service, traits: [labelled({ app: 'job' }), small], sizes: [3] },
    { name: 'stays in the namespace of the Service', picking: service, traits: [web, small, inNamespace('shop')], sizes: [3] },
    {
      name: 'gives way to a spread of the pod’s own',
      picking: service,
      traits: [
        ...[web, small],
        spreadOver({ ...evenly, topologyKey: hostname, maxSkew: 2, labelSelector: { matchLabels: { app: 'web' } } }),
      ],
      sizes: [1, 2],
    },
  ];
  test.each(cases)('$name', ({ picking, traits, sizes }) => {
    expect(podsPerNode(validatedPlan(aSnapshot({ pending: pods(3, ...traits), podSelectors: [picking] }), spreadingBy(evenly)))).toEqual(
      sizes,
    );
  });

  test('is there only where the policy says so', () => {
    const snapshot = aSnapshot({ pending: pods(3, web, small), podSelectors: [service] });
    expect(podsPerNode(validatedPlan(snapshot, defaultSchedulingPolicy))).toEqual([3]);
    expect(podsPerNode(validatedPlan({ ...snapshot, podSelectors: [] }, spreadingBy(evenly)))).toEqual([3]);
  });

  test('counts the pods that are there', () => {
    const there = aNode({ name: 'a', zone: 'test-zone-2', pods: [aPod(web, small, runningOn('a'))] });
    const plan = validatedPlan(aSnapshot({ pending: pods(2, web, small), nodes: [there], podSelectors: [service] }), spreadingBy(evenly));
    expect(plan.placements.size).toBe(0);
    expect(podsPerNode(plan)).toEqual([1, 1]);
  });

  test('holds for the pods of a node that is thought away', () => {
    const nodes = ['test-zone-1', 'test-zone-2'].map((each) =>
      aNode({ name: each, zone: each, pods: [aPod(web, small, runningOn(each))] }),
    );
    const policy = { ...spreadingBy({ ...evenly, minDomains: 3 }), without: new Set(['test-zone-1']) };
    const plan = simulate(aSnapshot({ nodes, podSelectors: [service] }), policy, () => false);
    expect([...plan.placements.keys()]).toEqual([]);
    expect(podsPerNode(plan)).toEqual([1]);
  });

  test('that is soft is relaxed where it cannot hold, and ignored with the other preferences', () => {
    const soft = spreadingBy({ ...evenly, whenUnsatisfiable: 'ScheduleAnyway' });
    const free = aSnapshot({ pending: pods(3, web, small), podSelectors: [service] });
    expect(podsPerNode(validatedPlan(free, soft))).toEqual([1, 1, 1]);
    expect(podsPerNode(validatedPlan(free, { ...soft, preferences: 'Ignore' }))).toEqual([3]);
    const tied = aSnapshot({ pending: pods(3, web, small), podSelectors: [service], nodePools: [aNodePool({ limits: { nodes: '1' } })] });
    expect(podsPerNode(validatedPlan(tied, soft))).toEqual([3]);
  });

  test('that cannot be met leaves pods over, and says why', () => {
    const instanceTypes = [anInstanceType({ cpus: 2, zones: ['test-zone-1'] })];
    const cluster = { pending: pods(2, web, small), podSelectors: [service], instanceTypes };
    const plan = validatedPlan(aSnapshot(cluster), spreadingBy({ ...evenly, minDomains: 2 }));
    expect(plan.rejections.map(explain)).toEqual([expect.stringContaining(zone)]);
  });

  test('is taken in by the plan alone: its pods are the ones that were given, unchanged', () => {
    const pending = pods(3, web, small).map((pod) => Object.freeze({ ...pod, spec: Object.freeze(pod.spec) }));
    const plan = validatedPlan(aSnapshot({ pending, podSelectors: [service] }), spreadingBy(evenly));
    expect(new Set(plan.plannedNodes.flatMap(({ pods: own }) => own))).toEqual(new Set(pending));
    for (const pod of plan.plannedNodes.flatMap(({ pods: own }) => own)) expect(pending).toContain(pod);
  });
});

test('a selector that cannot be read is left out by name, and the others count', () => {
  const broken = podSelectorOf('ReplicaSet', {
    metadata: { name: 'owner', namespace: 'default' },
    spec: { selector: { matchExpressions: [{ key: 'app', operator: 'Like' as 'In', values: ['web'] }] } },
  });
  const plan = simulate(
    aSnapshot({ pending: pods(2, web, small, ownedBy('ReplicaSet')), podSelectors: [broken, service] }),
    spreadingBy(evenly),
  );
  expect(podsPerNode(plan)).toEqual([1, 1]);
  expect(plan.leftOut?.map(explainLeftOut)).toEqual([
    expect.stringContaining('ReplicaSet default/owner is left out: spec.selector.matchExpressions[0]'),
  ]);
});

test('plain JSON may bring what picks pods', () => {
  const snapshot = aSnapshot({});
  const metadata = { name: 'web' };
  const { podSelectors } = snapshotOf({
    ...{ nodePools: snapshot.nodePools.map(({ nodePool }) => nodePool), instanceTypes: [], pods: [] },
    selecting: [
      { kind: 'Service', metadata, spec: { selector: { app: 'web' } } },
      { kind: 'StatefulSet', metadata, spec: { selector: { matchLabels: { app: 'web' } } } },
      { kind: 'Service', metadata },
    ],
  });
  expect(podSelectors).toEqual([
    { kind: 'Service', namespace: 'default', name: 'web', labelSelector: { matchLabels: { app: 'web' } } },
    { kind: 'StatefulSet', namespace: 'default', name: 'web', labelSelector: { matchLabels: { app: 'web' } } },
    { kind: 'Service', namespace: 'default', name: 'web' },
  ]);
});
