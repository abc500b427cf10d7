import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import { expect, test } from '@jest/globals';
import {
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  labelled,
  named,
  nextTo,
  pods,
  ratherAwayFrom,
  requesting,
  spreadOver,
} from '../builders/index.ts';
import { validatedPlan } from './testing/validated-plan.ts';
import { offeredIn } from './testing/offered-in.ts';

const zone = 'topology.kubernetes.io/zone';
const ofStore = { topologyKey: zone, labelSelector: { matchLabels: { app: 'store' } } };
const store = labelled({ app: 'store' });
const gib = 1024 ** 3;

test('when pods spread over zones that only other pods can open for them › some of the others go there first, and none is left over', () => {
  const instanceTypes = [anInstanceType({ name: 'only', cpus: 8, offerings: offeredIn({ 'zone-1': 0.3, 'zone-2': 0.4, 'zone-3': 0.4 }) })];
  const spread = spreadOver({ ...ofStore, maxSkew: 2, whenUnsatisfiable: 'DoNotSchedule' });
  const pending = [
    ...pods(7, store, requesting({ cpuMillis: 700 })),
    ...pods(9, store, nextTo(ofStore), spread, requesting({ cpuMillis: 300 })),
  ];
  expect(validatedPlan(aSnapshot({ pending, instanceTypes, nodePools: [aNodePool()] })).rejections).toEqual([]);
});

test('when a pod with preferences opens a node › it does so where the node that fits it costs least, not where any machine does', () => {
  const instanceTypes = [
    anInstanceType({ name: 'tiny', cpus: 1, offerings: offeredIn({ 'zone-1': 0.01, 'zone-2': 0.02 }) }),
    anInstanceType({ name: 'fit', cpus: 4, offerings: offeredIn({ 'zone-1': 0.5, 'zone-2': 0.2 }) }),
  ];
  const softly = spreadOver({ ...ofStore, maxSkew: 3, whenUnsatisfiable: 'ScheduleAnyway' });
  const pending = [aPod(store, softly, requesting({ cpuMillis: 3000 }))];
  expect(validatedPlan(aSnapshot({ pending, instanceTypes, nodePools: [aNodePool()] })).pricePerHour).toBe(0.2);
});

test('when pods with preferences share a node at less cost in another zone › they go there', () => {
  const instanceTypes = [
    anInstanceType({ name: 'small', cpus: 2, memoryBytes: 8 * gib, offerings: offeredIn({ 'zone-1': 0.076, 'zone-2': 0.12 }) }),
    anInstanceType({ name: 'large', cpus: 2, memoryBytes: 16 * gib, offerings: offeredIn({ 'zone-2': 0.095 }) }),
  ];
  const apart = ratherAwayFrom(50, { topologyKey: zone, labelSelector: { matchLabels: { app: 'nobody' } } });
  const pending = pods(2, store, apart, requesting({ cpuMillis: 100, memoryBytes: 6 * gib }));
  expect(validatedPlan(aSnapshot({ pending, instanceTypes, nodePools: [aNodePool()] })).pricePerHour).toBe(0.095);
});

test('when two middling nodes cost less than one large one for pods that stay beside others › they are planned', () => {
  const instanceTypes = [
    anInstanceType({ name: 'middling', cpus: 4, offerings: offeredIn({ 'zone-1': 0.2 }) }),
    anInstanceType({ name: 'large', cpus: 16, offerings: offeredIn({ 'zone-1': 1.1 }) }),
  ];
  const host = nextTo({ ...ofStore, topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'base' } } });
  const pending = [
    ...pods(2, labelled({ app: 'base' }), requesting({ cpuMillis: 2500 })),
    ...pods(4, store, host, requesting({ cpuMillis: 700 })),
  ];
  expect(validatedPlan(aSnapshot({ pending, instanceTypes, nodePools: [aNodePool()] })).pricePerHour).toBeCloseTo(0.4);
});

test('when all zones get pods that others would rather avoid › the others join them instead of nodes of their own (scheduling-000360)', () => {
  const instanceTypes = [
    anInstanceType({ name: 'only', cpus: 4, pods: 5, offerings: offeredIn({ 'zone-1': 0.4, 'zone-2': 0.4, 'zone-3': 0.4 }) }),
  ];
  const small = requesting({ cpuMillis: 10 });
  const evenly = spreadOver({ ...ofStore, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' });
  const pending = [...pods(10, ratherAwayFrom(50, ofStore), requesting({ cpuMillis: 20 })), ...pods(3, store, evenly, small)];
  const plan = validatedPlan(aSnapshot({ pending, instanceTypes, nodePools: [aNodePool()] }));
  expect(plan.rejections).toEqual([]);
  expect(plan.plannedNodes).toHaveLength(3);
});

test('when a pod group was led to one zone › single pods of it may still go to a cheaper node in another (fuzz-0973)', () => {
  const instanceTypes = [
    anInstanceType({ name: 'large', cpus: 16, offerings: offeredIn({ 'zone-2': 0.32 }) }),
    anInstanceType({ name: 'small', cpus: 4, offerings: offeredIn({ 'zone-2': 0.09, 'zone-3': 0.08 }) }),
  ];
  const joined = nextTo({ topologyKey: 'kubernetes.io/arch', labelSelector: { matchLabels: { app: 'store' } } });
  const reader = aPod(named('reader'), nextTo(ofStore), requesting({ cpuMillis: 100_000 }));
  const pending = [...pods(11, store, joined, requesting({ cpuMillis: 3000 })), reader];
  expect(validatedPlan(aSnapshot({ pending, instanceTypes, nodePools: [aNodePool({ limits: { cpu: '37' } })] })).pricePerHour).toBeCloseTo(
    0.72,
  );
});

test('when a limit leaves room for one pod or for two virtual ones of a buffer › the pod has it', () => {
  const pod = aPod(named('real'), requesting({ cpuMillis: 3500, memoryBytes: gib }));
  const virtualPods = pods(2, requesting({ cpuMillis: 1700, memoryBytes: 2 * gib }));
  const buffer = { apiVersion: 'autoscaling.x-k8s.io/v1beta1', kind: 'CapacityBuffer', metadata: { name: 'spare' }, spec: {} } as const;
  const instanceTypes = [anInstanceType({ name: 'only', cpus: 4 })];
  const snapshot = aSnapshot({ pending: [pod], instanceTypes, nodePools: [aNodePool({ limits: { cpu: '4' } })] });
  const plan = simulate({ ...snapshot, buffers: [{ buffer, virtualPods }] }, defaultSchedulingPolicy);
  expect(new Set(plan.rejections.map((rejection) => rejection.pod))).toEqual(new Set(virtualPods));
});

test.each([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144])(
  'when the time is up once it was read %i times › each pod has one place, or one reason why it has none',
  (most) => {
    let reads = 0;
    const instanceTypes = [2, 8].map((cpus) => anInstanceType({ name: `of-${cpus}`, cpus }));
    const pending = [...pods(6, requesting({ cpuMillis: 1500 })), ...pods(5, requesting({ cpuMillis: 700 }))];
    const snapshot = aSnapshot({ pending, instanceTypes, nodePools: [aNodePool()], nodes: [aNode({ name: 'node' })] });
    const { plannedNodes, placements, rejections } = simulate(snapshot, defaultSchedulingPolicy, () => ++reads > most);
    const placed = [...plannedNodes.flatMap((node) => node.pods), ...[...placements.values()].flat()];
    expect(new Set([...placed, ...rejections.map(({ pod }) => pod)]).size).toBe(pending.length);
    expect(placed.length + rejections.length).toBe(pending.length);
  },
);
