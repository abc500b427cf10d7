import { describe, expect, jest, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import type { Pod, PodAffinityTerm, PodSpec } from '../../kube/index.ts';
import { defaultLabelCatalog } from '../../requirements/index.ts';
import { shapeReader } from '../pod-classes/pod-shape.ts';
import { aPod, podNames } from '../../testing/objects.ts';
import { podWork } from './pod-work.ts';
import type { MachineDomains } from './pod-work.ts';
import { budgeting, LATE_WORK, MOST_OF_A_POD, ORDINARY_POD, ORDINARY_WORK } from './work-budget.ts';
import type { BudgetedPods } from './work-budget.ts';
import { range } from '../../testing/range.ts';

const shopPod = (name: string, spec: Partial<PodSpec> = {}, namespace = 'shop'): Pod =>
  aPod(name, { metadata: { namespace, uid: name }, spec });

/** Tolerations cost three units each. */
const costing = (units: number, mark: string): Partial<PodSpec> => ({
  tolerations: range(Math.ceil(units / 3)).map((index) => ({ key: `${mark}-${index}`, operator: 'Exists' })),
});

/** As many as a region has. */
const machines: MachineDomains = {
  valuesOf: (key) => ({ [labels.instanceType]: 1300, [labels.zone]: 3 })[key] ?? 0,
  combinations: 8000,
};

const contextOf = (postponed: readonly Pod[] = [], portion = 1) => ({
  ...{ shapeOf: shapeReader(defaultLabelCatalog), volumeWorkOf: () => 0, domains: machines },
  ...{ postponed, portion },
});

const budgetOf = (pods: readonly Pod[], ...given: Parameters<typeof contextOf>): BudgetedPods =>
  finish(budgeting(pods, contextOf(...given)));

const heavy = (count: number): readonly Pod[] =>
  range(count).map((index) => shopPod(`heavy-${index}`, costing(LATE_WORK / 2, String(index))));

/** Pods of one namespace that would each have a host without all the others. */
const exclusive = (count: number, term: (index: number) => Pick<PodAffinityTerm, 'labelSelector' | 'mismatchLabelKeys'>): readonly Pod[] =>
  range(count).map((index) => {
    const required = [{ topologyKey: labels.hostname, ...term(index) }];
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    const name = `alone-${index}`;
    return aPod(name, { metadata: { namespace: 'odd', uid: name, labels: { app: name } }, spec: { affinity } });
  });

describe('a plan considers', () => {
  const others = range(3).map((index) => shopPod(`ordinary-${index}`));
  test.each<[string, Parameters<typeof exclusive>[1]]>([
    [
      'a selector of its own',
      (index) => ({ labelSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: [`alone-${index}`] }] } }),
    ],
    ['its own label', () => ({ labelSelector: {}, mismatchLabelKeys: ['app'] })],
  ])('only a share of a thousand pods that each exclude all others by %s, and all ordinary pods', (_how, term) => {
    const { pods, postponed, rejections } = budgetOf([...exclusive(1000, term), ...others]);
    expect(pods).toEqual(expect.arrayContaining([...others]));
    expect(postponed.length).toBeGreaterThan(400);
    expect(rejections.every(({ reason }) => reason.kind === 'postponed')).toBe(true);
  });

  test('only a share of pods that exclude each other beside pods with thousands of labels, which it reads with pauses', () => {
    const exclusion = (index: number) => ({
      labelSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn' as const, values: [`alone-${index}`] }] },
    });
    const labelled = range(50).map((index) => {
      const name = `labelled-${index}`;
      return aPod(name, {
        metadata: { namespace: 'odd', uid: name, labels: Object.fromEntries(range(5000).map((each) => [`l-${each}`, 'x'])) },
      });
    });
    const pods = [...exclusive(1000, exclusion), ...labelled];
    const sets = jest.spyOn(Map.prototype, 'set');
    let steps = 0;
    for (const steady = budgeting(pods, contextOf()); steady.next().done !== true;) steps++;
    const countCalls = sets.mock.calls.length;
    sets.mockRestore();
    expect(countCalls).toBeLessThan(20_000);
    expect(steps).toBeGreaterThan(10);
  });

  test('all of a thousand replicas that exclude each other: they are one group', () => {
    const replicas = exclusive(1000, () => ({ labelSelector: {} }));
    expect(budgetOf([...replicas, ...others]).postponed).toEqual([]);
  });

  describe('of pods that spread over instance types and zones', () => {
    const spreading = (spec: Partial<PodSpec>, index: number): Pod => {
      const labelSelector = { matchLabels: { app: `spread-${index}` } };
      const over = (topologyKey: string) => ({ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector });
      return shopPod(`spread-${index}`, { ...spec, topologySpreadConstraints: [over(labels.zone), over(labels.instanceType)] }, 'odd');
    };
    const without = (index: number): Partial<PodSpec> => {
      const matchExpressions = [{ key: labels.instanceType, operator: 'NotIn' as const, values: [`type-${index}`] }];
      return {
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } },
      };
    };

    test('only some that each leave out a type of their own, last, and all ordinary pods', () => {
      const { pods, late, postponed } = budgetOf([...range(100).map((index) => spreading(without(index), index)), ...others]);
      expect(pods).toEqual(expect.arrayContaining([...others]));
      expect(late.size).toBeGreaterThan(0);
      expect(postponed.length).toBe(100 - late.size);
      expect(late.size).toBeLessThan(20);
    });

    test('all that may go on any machine: what is found for one serves the next', () => {
      expect(budgetOf([...range(100).map((index) => spreading({}, index)), ...others]).postponed).toEqual([]);
    });
  });

  test('every pod where none costs much, and the very list it was given', () => {
    const pods = [shopPod('a'), shopPod('b')];
    const budget = budgetOf(pods);
    expect(budget.pods).toBe(pods);
    expect(budget.rejections).toEqual([]);
  });

  test('no pod that the cache has cut: it is refused with the length', () => {
    const { pods, rejections } = budgetOf([shopPod('a'), shopPod('long', { containers: [], cutCharacters: 300_000 })]);
    expect(podNames(pods)).toEqual(['a']);
    expect(rejections.map(({ reason }) => reason)).toEqual([
      { kind: 'too-complex', units: expect.any(Number), most: MOST_OF_A_POD, largest: '300,000 characters' },
    ]);
  });

  test('no pod that costs more than any may: it is refused with what costs most and the figure', () => {
    const { pods, rejections, postponed } = budgetOf([shopPod('a'), shopPod('greedy', costing(MOST_OF_A_POD + 3, 'x'))]);
    expect(podNames(pods)).toEqual(['a']);
    expect(postponed).toEqual([]);
    expect(rejections.map(({ reason }) => reason)).toEqual([
      { kind: 'too-complex', units: expect.any(Number), most: MOST_OF_A_POD, largest: '33,335 tolerations' },
    ]);
  });

  test('pods that cost much last, and only as many as their budget allows', () => {
    const { pods, late, postponed, rejections } = budgetOf([...heavy(4), shopPod('a')]);
    expect(podNames(pods)).toEqual(['heavy-0', 'a']);
    expect(podNames(late)).toEqual(['heavy-0']);
    expect(podNames(postponed)).toEqual(['heavy-1', 'heavy-2', 'heavy-3']);
    expect(rejections.map(({ reason }) => reason.kind)).toEqual(['postponed', 'postponed', 'postponed']);
  });

  test('pods of one shape at the cost of one', () => {
    const spec = costing(LATE_WORK / 2, 'x');
    expect(budgetOf(range(10).map((index) => shopPod(`heavy-${index}`, spec))).postponed).toEqual([]);
  });
});

test('plan after plan, pods that find no place and cost much come in turn', () => {
  const pods = heavy(5);
  const seen: string[] = [];
  let postponed: readonly Pod[] = [];
  for (const _ of range(5)) {
    const budget = budgetOf(pods, postponed);
    seen.push(...podNames(budget.pods));
    ({ postponed } = budget);
  }
  expect(new Set(seen).size).toBe(5);
});

describe('where the costly pods of several namespaces wait', () => {
  const greedy = range(20).map((index) => shopPod(`greedy-${index}`, costing(LATE_WORK / 3, `g${index}`), 'greedy'));
  const modest = shopPod('modest', costing(LATE_WORK / 2, 'm'), 'modest');

  test('a namespace with one is served at once, although another has waited for longer and costs less', () => {
    const { late } = budgetOf([...greedy, modest], greedy);
    expect([...podNames(late)].sort()).toEqual(['greedy-0', 'modest']);
  });

  test('they take turns, plan after plan', () => {
    const other = range(4).map((index) => shopPod(`other-${index}`, costing(LATE_WORK / 3, `o${index}`), 'other'));
    let postponed: readonly Pod[] = [];
    const seen: string[] = [];
    for (const _ of range(4)) {
      const budget = budgetOf([...greedy, ...other], postponed);
      seen.push(...podNames(budget.late));
      ({ postponed } = budget);
    }
    expect(seen.filter((name) => name.startsWith('other'))).toHaveLength(4);
  });

  test('who comes first does not depend on the order in which they are given', () => {
    const pods = [...greedy, modest];
    expect(new Set(budgetOf(pods.toReversed()).late)).toEqual(new Set(budgetOf(pods).late));
  });
});

describe('where namespaces want more work together than a plan has', () => {
  const many = range(400).map((index) => shopPod(`greedy-${index}`, costing(ORDINARY_POD / 2, `g${index}`), 'greedy'));

  test('the small ones are planned whole, and the large one as far as its share goes', () => {
    const { pods, postponed } = budgetOf([...many, shopPod('a', costing(500, 'a')), shopPod('b', costing(500, 'b'))]);
    expect(podNames(pods)).toEqual(expect.arrayContaining(['a', 'b']));
    expect(pods.length + postponed.length).toBe(402);
    const work = pods.reduce((sum, { spec }) => sum + podWork(spec), 0);
    expect(work).toBeLessThanOrEqual(ORDINARY_WORK);
    expect(work).toBeGreaterThan(ORDINARY_WORK * 0.95);
  });

  test('a namespace that is alone is not limited', () => {
    expect(budgetOf(many).postponed).toEqual([]);
  });
});

describe('when memory is short, a plan takes a portion', () => {
  const many = range(400).map((index) => shopPod(`greedy-${index}`, costing(ORDINARY_POD / 2, `g${index}`), 'greedy'));

  test('of a namespace that is alone, too; the rest is postponed', () => {
    const { pods, postponed } = budgetOf(many, [], 0.2);
    expect(pods.length + postponed.length).toBe(400);
    expect(pods.reduce((sum, { spec }) => sum + podWork(spec), 0)).toBeLessThanOrEqual(ORDINARY_WORK * 0.2);
  });
});

test('pods that the last plan left are planned first', () => {
  const [a, b] = [shopPod('a', costing(30, 'a')), shopPod('b', costing(60, 'b'))];
  expect(podNames(budgetOf([a, b], [b]).first)).toEqual(['b']);
});
