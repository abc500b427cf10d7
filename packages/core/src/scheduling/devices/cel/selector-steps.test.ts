import { describe, expect, test } from '@jest/globals';
import { compileSelector, SelectorBudget } from './device-selector.ts';
import type { SelectedDevice } from './device-selector.ts';

const gpu: SelectedDevice = {
  ...{ driver: 'gpu.example.com', attributes: new Map(), capacity: new Map() },
  ...{ allowsMultiple: false, likeness: 'gpu' },
};

/** True, after about 1,800 steps. */
const COSTLY = `[${'0,'.repeat(29)}0].all(a, [${'0,'.repeat(29)}0].all(b, a == b))`;

describe('the steps of selectors', () => {
  test('when a namespace has taken many › its other pods may take few, later none, and those of another as many as ever', () => {
    const budget = new SelectorBudget();
    const stepsLeftAfter = (steps: number): readonly number[] => {
      budget.workOf('a', `after ${steps}`).take(steps);
      return ['a', 'b'].map((namespace) => budget.workOf(namespace, `${namespace} after ${steps}`).stepsLeft());
    };
    expect(stepsLeftAfter(2_400_000)).toEqual([1_250_000, 1_250_000]);
    expect(stepsLeftAfter(200_000)).toEqual([2_000, 1_250_000]);
    expect(stepsLeftAfter(2_500_000)).toEqual([0, 1_250_000]);
  });

  test('when many namespaces have taken many together › each may still take some', () => {
    const budget = new SelectorBudget();
    for (let index = 0; index < 10; index++) budget.workOf(`namespace ${index}`, '').take(2_100_000);
    const ofLate = budget.workOf('late', 'first');
    expect(ofLate.stepsLeft()).toBe(1_250_000);
    ofLate.take(150_000);
    expect(budget.workOf('late', 'second').stepsLeft()).toBe(2_000);
  });

  test('when pods need no more › they are not refused for what others took since', () => {
    const budget = new SelectorBudget();
    const work = budget.workOf('a', 'first');
    work.take(400_000);
    budget.workOf('a', 'second').take(10_000_000);
    expect(work.refusal).toBeUndefined();
    expect(work.stepsLeft()).toBe(0);
    expect(work.refusal?.kind).toBe('too-complex');
  });

  test.each([
    ['an item that fails counts as 80 steps', `[${'0,'.repeat(99)}0].exists(a, a / 0 == 1)`, 8_000],
    ['so does an expression that fails', 'device.attributes["none"].index == 1', 80],
  ])('%s', (_, expression, atLeast) => {
    const budget = new SelectorBudget();
    const work = budget.workOf('a', 'first');
    budget.countFor(work);
    expect(compileSelector(expression, budget).selects(gpu)).toMatchObject({ expression });
    expect(work.steps).toBeGreaterThan(atLeast);
  });

  test('when a pod has too few left for an evaluation › it ends there, and another pod has the answer', () => {
    const budget = new SelectorBudget();
    const { selects } = compileSelector(COSTLY, budget);
    budget.workOf('a', 'others').take(2_600_000);
    const poor = budget.workOf('a', 'poor');
    budget.countFor(poor);
    poor.take(1_000);
    expect(selects(gpu)).toMatchObject({ problem: expect.stringContaining('too many steps') });
    expect(poor.steps).toBeLessThan(4_000);
    budget.countFor(budget.workOf('b', 'rich'));
    expect(selects(gpu)).toBe(true);
  });

  test('devices that are alike take the steps of one', () => {
    const budget = new SelectorBudget();
    const work = budget.workOf('a', 'first');
    budget.countFor(work);
    const { selects } = compileSelector(COSTLY, budget);
    const stepsAfter = (device: SelectedDevice): number => {
      selects(device);
      return work.steps;
    };
    const first = stepsAfter(gpu);
    expect(stepsAfter({ ...gpu })).toBe(first);
    expect(stepsAfter({ ...gpu, likeness: 'another gpu' })).toBeGreaterThan(first + 1_000);
  });
});

describe('an expression that is deep without parentheses', () => {
  /** As long as a selector may be. */
  const repeated = (text: string): string => text.repeat(Math.floor(10_000 / text.length));

  test.each([
    ['signs that cancel each other', `${'!'.repeat(6_000)}true`, true],
    ['an odd number of signs', `${'!'.repeat(6_001)}true`, false],
    ['minus signs', `${'-'.repeat(6_000)}1 == 1`, true],
    ['a disjunction', `${repeated('false||')}true`, true],
    ['a conjunction', `${repeated('true&&')}false`, false],
  ])('%s: it is evaluated', (_, expression, selected) => expect(compileSelector(expression).selects(gpu)).toBe(selected));

  test.each([
    ['a sum', `${repeated('1+')}1 == 1`],
    ['fields', `device${repeated('.a')} == 1`],
    ['indices', `device${repeated('[0]')} == 1`],
    ['calls', `device${repeated('.a()')} == 1`],
    ['alternating signs', `${repeated('!-')}1`],
    ['chains in parentheses', `${'('.repeat(40)}device${`${'.a'.repeat(100)})`.repeat(40)}`],
  ])('%s: it is refused by name', (_, expression) =>
    expect(compileSelector(expression).selects(gpu)).toMatchObject({ problem: 'the expression is nested too deeply' }),
  );
});
