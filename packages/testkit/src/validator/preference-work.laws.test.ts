import { defaultSchedulingPolicy, type Plan, type Pod } from '@karpenter/core';
import { type NodeSelectorTerm, planning } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import {
  aNodePool,
  aPod,
  aSnapshot,
  assortedInstanceTypes,
  labelled,
  nextTo,
  pods,
  preferring,
  ratherAwayFrom,
  requesting,
  requiringAnyOf,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const instanceTypes = assortedInstanceTypes(20);
const ORDINARY = 20;

const times = <T>(count: number, of: (index: number) => T): readonly T[] => Array.from({ length: count }, (_, index) => of(index));
/** A term that no node meets, or one that many do. */
const hopeless = (index: number): NodeSelectorTerm => ({ matchExpressions: [{ key: `k${index}`, operator: 'In', values: ['v'] }] });
const easy = (index: number): NodeSelectorTerm => ({ matchExpressions: [{ key: zone, operator: 'NotIn', values: [`z${index}`] }] });
const preferringAll = (count: number, term: (index: number) => NodeSelectorTerm): readonly PodTrait[] =>
  times(count, (index) => preferring(1 + (index % 100), term(index)));
const ratherApart = (count: number): readonly PodTrait[] =>
  times(count, (index) =>
    ratherAwayFrom(1 + (index % 100), {
      topologyKey: index % 2 === 0 ? zone : hostname,
      labelSelector: { matchLabels: { app: `a${index}` } },
    }),
  );
const lonely: PodTrait = nextTo({ topologyKey: zone, labelSelector: { matchLabels: { app: 'nobody' } } });
const large = requesting({ cpuMillis: 10_000_000 });
const small = requesting({ cpuMillis: 100 });

const planBesideOrdinary = (...pending: readonly Pod[]): { readonly steps: number; readonly plan: Plan } => {
  const ordinary = pods(ORDINARY, requesting({ cpuMillis: 500 }), labelled({ app: 'ordinary' }));
  const snapshot = aSnapshot({ pending: [...ordinary, ...pending], nodePools: [aNodePool()], instanceTypes });
  const steps = planning(snapshot, defaultSchedulingPolicy, () => false);
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return { steps: count, plan: step.value };
  }
};

const hostile: readonly (readonly [string, (count: number) => readonly Pod[]])[] = [
  ['ORed terms that no node meets', (n) => [aPod(small, requiringAnyOf(...times(n, hopeless)))]],
  ['suitable ORed terms of a pod that no node can carry', (n) => [aPod(large, requiringAnyOf(...times(n, easy)))]],
  ['preferred node affinity that no node meets', (n) => [aPod(small, ...preferringAll(n, hopeless))]],
  [
    'ORed terms and preferences that no node meets',
    (n) => [aPod(small, requiringAnyOf(...times(n, hopeless)), ...preferringAll(n, hopeless))],
  ],
  ['ORed terms and preferences that suit', (n) => [aPod(small, requiringAnyOf(...times(n, easy)), ...preferringAll(n, easy))]],
  [
    'ORed terms and preferences of a pod that no node can carry',
    (n) => [aPod(large, requiringAnyOf(...times(n, easy)), ...preferringAll(n, easy))],
  ],
  ['preferred anti-affinity', (n) => [aPod(small, ...ratherApart(n))]],
  [
    'three pods with preferences of both kinds and an affinity to nothing',
    (n) => times(3, () => aPod(small, lonely, ...preferringAll(n, hopeless), ...ratherApart(n))),
  ],
];

describe('the steps of a plan grow no faster than n log n', () => {
  const [few, many] = [50, 400];
  const alone = planBesideOrdinary().steps;

  test.each(hostile)('in the number of %s', (_, podsOf) => {
    const [less, more] = [few, many].map((count) => planBesideOrdinary(...podsOf(count)).steps - alone);
    const growth = (many * Math.log2(many)) / (few * Math.log2(few));
    expect(more).toBeLessThanOrEqual(growth * Math.max(less ?? 0, 8));
  });

  test.each(hostile)('and ordinary pods get their nodes beside %s', (_, podsOf) => {
    const { plan: made } = planBesideOrdinary(...podsOf(many));
    expect(made.rejections.filter(({ pod }) => pod.metadata.labels?.['app'] === 'ordinary')).toEqual([]);
  });
});
