import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { Affinity, Labels, Pod, PodSpec } from '../../kube/index.ts';
import { aPodRequesting } from '../../testing/objects.ts';
import { aQuestion, aRoomyNode, outcomeOf, pausesOf } from '../testing/a-solution.ts';
import type { Outcome, SolveOptions } from '../testing/a-solution.ts';
import { restrictTo, withLabel } from './pod-set-orders.ts';
import { solvingAfresh } from './solve-retries.ts';

const webPodsWithSpec = (count: number, cpu: string, spec: Partial<PodSpec>): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => aPodRequesting({ cpu }, `web-${index}`, { metadata: { labels: { app: 'web' } }, spec }));
const labelledNode = (name: string, cpus: number, own: Labels): NodeView => {
  const node = aRoomyNode(name, cpus);
  return { ...node, labels: { ...node.labels, ...own } };
};

/** Weight and a label that the pod would rather have on its node. */
const preferring = (...wanted: readonly (readonly [weight: number, key: string, value: string])[]): Affinity => ({
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: wanted.map(([weight, key, value]) => ({
      weight,
      preference: { matchExpressions: [{ key, operator: 'In', values: [value] }] },
    })),
  },
});
const besideWeb = (topologyKey: string) => [
  { weight: 100, podAffinityTerm: { topologyKey, labelSelector: { matchLabels: { app: 'web' } } } },
];
const ratherNextTo = (topologyKey: string): Affinity => ({
  podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: besideWeb(topologyKey) },
});
const ratherAwayFrom = (topologyKey: string): Affinity => ({
  podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: besideWeb(topologyKey) },
});

interface Preferred extends Outcome {
  /** Of each preference, the heaviest first: how many pods lack it, and what it would have cost those for which it was too dear. */
  readonly lacked: readonly (readonly [pods: number, costPerHour: number])[];
}

/** `isLed`: the pods are placed by terms of their own, as where they lead the way. */
const solvedWithPreferences = (
  pods: readonly Pod[],
  { isLed = false, ...options }: SolveOptions & { readonly isLed?: boolean },
): Preferred => {
  const { places, question } = aQuestion(pods, options);
  const podSets = question.podSets.map((podSet) => (isLed ? { ...podSet, terms: podSet.podClass.levels.flat() } : podSet));
  const solution = finish(solvingAfresh(places, { ...question, podSets }));
  const lacked = podSets.flatMap(({ podClass }) => solution.relaxed.of(podClass) ?? []);
  return { ...outcomeOf(places, solution), lacked: lacked.map(({ podCount, costPerHour }) => [podCount, Number(costPerHour.toFixed(4))]) };
};

const zonedMachine = (cpus: number, pricePerHour: number) => ({ cpus, memoryBytes: 2 ** 40, pricePerHour, zones: ['z1'] });
const machines = [zonedMachine(2, 1), zonedMachine(8, 10)];
const [small, large] = ['machine-00', 'machine-01'];

describe('preferences that cannot all be had', () => {
  const nodes = [labelledNode('a', 8, { disk: 'ssd' }), labelledNode('b', 8, { team: 'x', tier: 'y' })];
  const affinity = (weight: number) => preferring([10, 'disk', 'ssd'], [weight, 'team', 'x'], [weight, 'tier', 'y']);

  test('when two weigh more together than a heavier one › both are kept', () => {
    const { onNodes, lacked } = solvedWithPreferences(webPodsWithSpec(2, '1', { affinity: affinity(6) }), { nodes });
    expect([onNodes, lacked]).toEqual([
      { b: 2 },
      [
        [2, 0],
        [0, 0],
        [0, 0],
      ],
    ]);
  });

  test('when they weigh as much together › the heavier one is kept', () => {
    const { onNodes, lacked } = solvedWithPreferences(webPodsWithSpec(2, '1', { affinity: affinity(5) }), { nodes });
    expect([onNodes, lacked]).toEqual([
      { a: 2 },
      [
        [0, 0],
        [2, 0],
        [2, 0],
      ],
    ]);
  });

  test('when the node that meets them is full › the others go where some are met, then where none is', () => {
    const few = [labelledNode('a', 8, {}), labelledNode('b', 1, { team: 'x' }), labelledNode('c', 1, { team: 'x', tier: 'y' })];
    const { onNodes, lacked } = solvedWithPreferences(
      webPodsWithSpec(4, '1', { affinity: preferring([10, 'team', 'x'], [5, 'tier', 'y']) }),
      { nodes: few },
    );
    expect([onNodes, lacked]).toEqual([
      { a: 2, b: 1, c: 1 },
      [
        [2, 0],
        [3, 0],
      ],
    ]);
  });

  test('when six of them are each for another node › the heaviest holds', () => {
    const keys = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6'];
    const own = keys.map((key) => labelledNode(`with-${key}`, 1, { [key]: 'x' })).toReversed();
    const wanted = keys.map((key, index) => [20 - index, key, 'x'] as const);
    expect(solvedWithPreferences(webPodsWithSpec(1, '1', { affinity: preferring(...wanted) }), { nodes: own }).onNodes).toEqual({
      'with-k1': 1,
    });
  });

  test('when four of them cannot be had at all › of the others the two that weigh more than a heavier one are kept', () => {
    const nowhere = ['k1', 'k2', 'k3', 'k4'].map((key) => [4, key, 'x'] as const);
    const wanted = preferring([10, 'disk', 'ssd'], [6, 'team', 'x'], [6, 'tier', 'y'], ...nowhere);
    expect(solvedWithPreferences(webPodsWithSpec(1, '1', { affinity: wanted }), { nodes }).onNodes).toEqual({ b: 1 });
  });

  test('when one of them is a spread that cannot be had now › of the others the two that weigh more are kept', () => {
    const evenly = { topologyKey: labels.zone, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' as const };
    const spread = [{ ...evenly, labelSelector: { matchLabels: { app: 'web' } } }];
    const sibling = aPodRequesting({ cpu: '1' }, 'sibling', { metadata: { labels: { app: 'web' } }, spec: { nodeName: 'b' } });
    const [a, b] = [labelledNode('a', 8, { disk: 'ssd' }), labelledNode('b', 8, { team: 'x', tier: 'y' })];
    const full = { ...aRoomyNode('full', 1, 'z2'), allocatable: { cpu: 0, memory: 2 ** 40, pods: 10 } };
    const pod = webPodsWithSpec(1, '1', {
      affinity: preferring([90, 'disk', 'ssd'], [50, 'team', 'x'], [45, 'tier', 'y']),
      topologySpreadConstraints: spread,
    });
    const { onNodes, lacked } = solvedWithPreferences(pod, { nodes: [a, { ...b, pods: [sibling] }, full] });
    expect([onNodes, lacked.map(([count]) => count)]).toEqual([{ b: 1 }, [1, 1, 0, 0]]);
  });

  test('when pods spread softly over two zones and would rather be in one of them › every other pod is', () => {
    const evenly = { topologyKey: labels.zone, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' as const };
    const spread = [{ ...evenly, labelSelector: { matchLabels: { app: 'web' } } }];
    const pods = webPodsWithSpec(4, '1', { affinity: preferring([10, labels.zone, 'z2']), topologySpreadConstraints: spread });
    const { onNodes, lacked } = solvedWithPreferences(pods, { nodes: [aRoomyNode('a', 8, 'z1'), aRoomyNode('b', 8, 'z2')] });
    expect([onNodes, lacked.map(([count]) => count)]).toEqual([{ a: 2, b: 2 }, [0, 2]]);
  });

  test('when there is no room at all › no pod is counted as placed without them', () => {
    const { unplaced, lacked } = solvedWithPreferences(webPodsWithSpec(2, '9', { affinity: affinity(5) }), { nodes });
    expect([unplaced, lacked]).toEqual([2, []]);
  });

  test('when pods would rather stand apart › as many do as there are zones', () => {
    const zones = [aRoomyNode('a', 8, 'z1'), aRoomyNode('b', 8, 'z2')];
    const { onNodes, lacked } = solvedWithPreferences(webPodsWithSpec(4, '1', { affinity: ratherAwayFrom(labels.zone) }), { nodes: zones });
    expect([onNodes, lacked]).toEqual([{ a: 3, b: 1 }, [[2, 0]]]);
  });
});

describe('pods that would rather share a host', () => {
  const affinity = ratherNextTo(labels.hostname);

  test('when one node has room for all › they go there', () =>
    expect(solvedWithPreferences(webPodsWithSpec(3, '1', { affinity }), { nodes: [aRoomyNode('a', 1), aRoomyNode('b', 3)] })).toMatchObject(
      {
        onNodes: { b: 3 },
        lacked: [],
      },
    ));

  test('when none has › the second opens another node, and the third is beside it', () => {
    const { onNodes, lacked } = solvedWithPreferences(webPodsWithSpec(3, '1', { affinity }), {
      nodes: [aRoomyNode('a', 1), aRoomyNode('b', 2)],
    });
    expect([onNodes, lacked]).toEqual([{ a: 1, b: 2 }, [[1, 0]]]);
  });

  test('when there is only one of them › it goes to the first node', () =>
    expect(
      solvedWithPreferences(webPodsWithSpec(1, '1', { affinity }), { nodes: [aRoomyNode('a', 1), aRoomyNode('b', 3)] }).onNodes,
    ).toEqual({ a: 1 }));

  test('when a planned node has room for all › they join it, else they get a new one that has', () => {
    const job = aPodRequesting({ cpu: '4' }, 'job');
    expect(solvedWithPreferences([job, ...webPodsWithSpec(3, '1', { affinity })], { machines }).planned).toEqual([[large, 4]]);
    expect(solvedWithPreferences(webPodsWithSpec(3, '1', { affinity }), { machines, nodes: [aRoomyNode('a', 1)] })).toMatchObject({
      onNodes: {},
      planned: [[large, 3]],
    });
  });

  test('when two of their kind run on hosts of their own › they go beside one of them', () => {
    const runs = (name: string) => ({
      ...aRoomyNode(name, 8),
      pods: [aPodRequesting({ cpu: '1' }, `on-${name}`, { metadata: { labels: { app: 'web' } }, spec: { nodeName: name } })],
    });
    expect(
      solvedWithPreferences(webPodsWithSpec(2, '1', { affinity }), { nodes: [aRoomyNode('a', 8), runs('b'), runs('c')] }),
    ).toMatchObject({
      onNodes: { b: 2 },
      lacked: [],
    });
  });

  test('when others that they would rather be near to are nowhere › they go anywhere', () => {
    const others = webPodsWithSpec(2, '1', { affinity }).map((pod) => ({ ...pod, metadata: { ...pod.metadata, labels: {} } }));
    expect(solvedWithPreferences(others, { nodes: [aRoomyNode('a', 8)] })).toMatchObject({ onNodes: { a: 2 }, lacked: [[2, 0]] });
  });
});

describe('preferences that are weighed', () => {
  const inZone = { affinity: preferring([100, labels.zone, 'z1']) };
  const nodes = [aRoomyNode('b', 8, 'z2')];
  const job = aPodRequesting({ cpu: '1500m' }, 'job', { spec: { nodeSelector: { [labels.zone]: 'z1' } } });
  const weighed = (pods: readonly Pod[], preferencePricePerHour: number) =>
    solvedWithPreferences(pods, { nodes, machines, policy: { preferences: 'Weigh', preferencePricePerHour } });

  test('when a planned node has room as it stands › they cost nothing', () =>
    expect(weighed([job, ...webPodsWithSpec(1, '400m', inZone)], 0)).toMatchObject({ onNodes: {}, planned: [[small, 2]] }));

  test('when a planned node must grow › they cost the pod its share of the larger one', () => {
    const pods = [job, ...webPodsWithSpec(1, '1', inZone)];
    expect(weighed(pods, 1.3)).toMatchObject({ onNodes: {}, planned: [[large, 2]], lacked: [] });
    expect(weighed(pods, 1.25)).toMatchObject({ onNodes: {}, planned: [[large, 2]], lacked: [] });
    expect(weighed(pods, 1.2)).toMatchObject({ onNodes: { b: 1 }, planned: [[small, 1]], lacked: [[1, 1.25]] });
  });

  test('when the larger node costs less more than that share › they cost that', () => {
    const pods = [job, ...webPodsWithSpec(1, '1', inZone)];
    const near = [zonedMachine(2, 1), zonedMachine(4, 1.25)];
    const cheaply = (preferencePricePerHour: number) =>
      solvedWithPreferences(pods, { nodes, machines: near, policy: { preferences: 'Weigh', preferencePricePerHour } }).onNodes;
    expect([cheaply(0.26), cheaply(0.24)]).toEqual([{}, { b: 1 }]);
  });

  test('when the pod requests none of a resource that the machine lacks › they cost as much', () => {
    const spec = { ...inZone, containers: [{ name: 'main', resources: { requests: { cpu: '1', 'example.com/gpu': '0' } } }] };
    expect(weighed([job, ...webPodsWithSpec(1, '1', spec)], 1.3)).toMatchObject({ onNodes: {}, planned: [[large, 2]] });
  });

  test('when they need a new node › they cost all of it', () => {
    expect(weighed(webPodsWithSpec(1, '1', inZone), 1.1)).toMatchObject({ onNodes: {}, planned: [[small, 1]] });
    expect(weighed(webPodsWithSpec(1, '1', inZone), 0.9)).toMatchObject({ onNodes: { b: 1 }, planned: [] });
    const halfAsHeavy = { affinity: preferring([50, labels.zone, 'z1']) };
    expect(weighed(webPodsWithSpec(1, '1', halfAsHeavy), 1.1)).toMatchObject({ onNodes: { b: 1 }, planned: [] });
  });
});

describe('pods with preferences', () => {
  const affinity = ratherNextTo(labels.zone);

  test('when they would rather stand apart and join planned nodes › each joins another, however few pods the first has', () => {
    const job = (name: string, cpu: string, zone: string) =>
      aPodRequesting({ cpu }, name, { spec: { nodeSelector: { [labels.zone]: zone } } });
    const jobs = [job('job', '5', 'z1'), ...[0, 1, 2].map((index) => job(`task-${index}`, '1500m', 'z2'))];
    const apart = webPodsWithSpec(2, '1', { affinity: ratherAwayFrom(labels.hostname) });
    expect(solvedWithPreferences([...jobs, ...apart], { machines: [{ ...zonedMachine(8, 1), zones: ['z1', 'z2'] }] })).toMatchObject({
      planned: [
        [small, 2],
        [small, 4],
      ],
      lacked: [],
    });
  });

  test('when they lead the way to a zone › they go there, whatever they prefer', () => {
    const zones = [aRoomyNode('a', 8, 'z1'), aRoomyNode('b', 8, 'z2')];
    const { places, question } = aQuestion(webPodsWithSpec(2, '1', { affinity: preferring([10, labels.zone, 'z1']) }), { nodes: zones });
    const podSets = question.podSets.map((podSet) => restrictTo(podSet, withLabel(labels.zone, 'z2')));
    const solution = finish(solvingAfresh(places, { ...question, podSets }));
    expect(outcomeOf(places, solution).onNodes).toEqual({ b: 2 });
  });

  test('when plans are frugal, and a node of its own costs less than the growth of another › each gets one', () => {
    expect(solvedWithPreferences(webPodsWithSpec(2, '1500m', { affinity }), { machines }).planned).toEqual([[large, 2]]);
    expect(solvedWithPreferences(webPodsWithSpec(2, '1500m', { affinity }), { machines, isFrugal: true }).planned).toEqual([
      [small, 1],
      [small, 1],
    ]);
  });

  test.each([false, true])('when nodes have soft taints › those without come first (led: %s)', (isLed) => {
    const tainted = { ...aRoomyNode('a', 8), taints: [{ key: 'spare', effect: 'PreferNoSchedule' as const }] };
    const { onNodes, unplaced } = solvedWithPreferences(webPodsWithSpec(3, '1', { affinity }), {
      nodes: [tainted, aRoomyNode('b', 2)],
      isLed,
    });
    expect([onNodes, unplaced]).toEqual([{ a: 1, b: 2 }, 0]);
  });

  test('when they have many alternatives › each is tried, those that no node meets aside', () => {
    const zones = Array.from({ length: 20 }, (_, index) => `z${index}`);
    const nodeSelectorTerms = ['nowhere', ...zones].map((zone) => ({
      matchExpressions: [{ key: labels.zone, operator: 'In' as const, values: [zone] }],
    }));
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
    const many = { nodeAffinity: { ...preferring([10, 'team', 'x']).nodeAffinity, ...required } };
    const nodes = zones.map((zone) => aRoomyNode(`in-${zone}`, 1, zone));
    const { onNodes, unplaced } = solvedWithPreferences(webPodsWithSpec(21, '1', { affinity: many }), { nodes });
    expect([Object.keys(onNodes).length, unplaced]).toEqual([20, 1]);
  });
});

describe('the work for hundreds of equal pods with preferences', () => {
  const manyPods = (name: string, zone: string): NodeView => {
    const node = aRoomyNode(name, 64, zone);
    return { ...node, capacity: { ...node.capacity, pods: 1000 }, allocatable: { ...node.allocatable, pods: 1000 } };
  };
  const nodes = [manyPods('a', 'z1')];

  test('when one preference of three cannot be had › is little more than a search for each pod, with a pause every 128', () => {
    const affinity = preferring([10, labels.zone, 'z1'], [6, 'team', 'x'], [5, labels.hostname, 'a']);
    const pauses = pausesOf(webPodsWithSpec(640, '1m', { affinity }), { nodes });
    expect([pauses >= 5, pauses <= 9]).toEqual([true, true]);
  });

  test('when all preferences are weighed and cost nothing › is one search for each pod', () => {
    const affinity = preferring([10, labels.zone, 'z1'], [6, labels.hostname, 'a']);
    const pauses = pausesOf(webPodsWithSpec(640, '1m', { affinity }), {
      nodes,
      policy: { preferences: 'Weigh', preferencePricePerHour: 1 },
    });
    expect([pauses >= 5, pauses <= 9]).toEqual([true, true]);
  });

  test('when they name 64 alternatives that no node meets › a pause comes every eight', () => {
    const nodeSelectorTerms = Array.from({ length: 64 }, (_, index) => ({
      matchExpressions: [{ key: labels.zone, operator: 'In' as const, values: [`nowhere-${index}`] }],
    }));
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
    const affinity = { nodeAffinity: { ...preferring([10, 'team', 'x']).nodeAffinity, ...required } };
    const pauses = pausesOf(webPodsWithSpec(1, '1', { affinity }), { nodes });
    expect([pauses >= 8, pauses <= 20]).toEqual([true, true]);
  });

  test('when a spread can be had no more › is tried again after ever more pods', () => {
    const softly = { topologyKey: labels.zone, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' as const };
    const spread = { topologySpreadConstraints: [{ ...softly, labelSelector: { matchLabels: { app: 'web' } } }] };
    const full = { ...aRoomyNode('b', 64, 'z2'), allocatable: { cpu: 1000, memory: 2 ** 40, pods: 1 } };
    const pauses = pausesOf(webPodsWithSpec(640, '1m', spread), { nodes: [...nodes, full] });
    expect([pauses >= 5, pauses <= 9]).toEqual([true, true]);
  });
});

describe('alternatives that pods with preferences name', () => {
  const zones = Array.from({ length: 20 }, (_, index) => `z${index}`);
  const anyOf = (wanted: readonly string[], preferred: Affinity): Affinity => ({
    nodeAffinity: {
      ...preferred.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: wanted.map((zone) => ({ matchExpressions: [{ key: labels.zone, operator: 'In', values: [zone] }] })),
      },
    },
  });

  test('when a pool asks for what no node can have › the alternatives are met by nodes that there are', () => {
    const requirements = (['In', 'NotIn'] as const).map((operator) => ({ key: labels.zone, operator, values: ['last'] }));
    const affinity = anyOf(['nowhere', 'last'], preferring([10, 'team', 'x']));
    const nodes = [labelledNode('q', 8, { team: 'x', [labels.zone]: 'last' })];
    expect(solvedWithPreferences(webPodsWithSpec(1, '1', { affinity }), { nodes, machines, pool: { requirements } })).toMatchObject({
      onNodes: { q: 1 },
      lacked: [],
    });
  });

  test.each<[string, readonly NodeView[]]>([
    ['have no nodes', []],
    [
      'have full nodes only',
      zones.map((zone) => ({ ...aRoomyNode(`in-${zone}`, 1, zone), allocatable: { cpu: 100, memory: 2 ** 40, pods: 10 } })),
    ],
  ])('when twenty of them %s › preferences hold for the last, on nodes and on machines', (_, others) => {
    const last = [aRoomyNode('p', 8, 'last'), labelledNode('q', 8, { team: 'x', [labels.zone]: 'last' })];
    const affinity = anyOf([...zones, 'last'], preferring([10, 'team', 'x']));
    expect(solvedWithPreferences(webPodsWithSpec(2, '1', { affinity }), { nodes: [...others, ...last] })).toMatchObject({
      onNodes: { q: 2 },
      lacked: [],
    });
    const rather = anyOf([...zones, 'last'], preferring([10, labels.instanceType, large]));
    const sold = machines.map((each) => ({ ...each, zones: ['last'] }));
    expect(solvedWithPreferences(webPodsWithSpec(1, '1', { affinity: rather }), { nodes: others, machines: sold })).toMatchObject({
      planned: [[large, 1]],
      lacked: [],
    });
  });
});
