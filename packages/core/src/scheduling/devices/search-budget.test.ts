import { describe, expect, test } from '@jest/globals';
import { SearchBudget } from './search-budget.ts';

/** How many devices a search may try now; it tries so many of them, and finds nothing unless it is `met`. */
const tryWith = (budget: SearchBudget, steps: number, isMet = false): number => {
  let most = 0;
  budget.search((effort) => {
    most = effort.steps;
    effort.steps -= Math.min(steps, most);
    return isMet ? { kind: 'allocated', grants: [] } : { kind: 'none' };
  });
  return most;
};

describe('how many devices the searches of one solve may try', () => {
  test('when searches of a namespace were in vain for long › others of it get few, later very few, and those of another as many as ever', () => {
    const budget = new SearchBudget(0);
    const mostOf = (namespace: string): number => {
      budget.startPod(namespace);
      return tryWith(budget, 0);
    };
    for (let pod = 0; pod < 2; pod++) {
      budget.startPod('a');
      tryWith(budget, 20_000);
    }
    expect([mostOf('a'), mostOf('b')]).toEqual([200, 20_000]);
    budget.startPod('a');
    for (let search = 0; search < 200; search++) tryWith(budget, 200);
    expect([mostOf('a'), mostOf('b')]).toEqual([16, 20_000]);
  });

  test('when many nodes have devices › as many more searches with few tries are allowed', () => {
    const budget = new SearchBudget(100);
    for (let pod = 0; pod < 4; pod++) {
      budget.startPod('a');
      tryWith(budget, 20_000);
    }
    for (let search = 0; search < 400; search++) {
      budget.startPod('a');
      tryWith(budget, 200);
    }
    expect(tryWith(budget, 0)).toBe(200);
  });

  test('searches that find devices, or nothing within 16 tries, are not in vain', () => {
    const budget = new SearchBudget(0);
    for (let pod = 0; pod < 100; pod++) {
      budget.startPod('a');
      tryWith(budget, 20_000, true);
      for (let search = 0; search < 100; search++) tryWith(budget, 16);
    }
    expect(tryWith(budget, 0)).toBe(18_400);
  });

  test('when searches for one pod have tried 40,000 devices › it has no more on known nodes, as many on a new one, and so has the next pod', () => {
    const budget = new SearchBudget(0);
    const metTwice = (): void => {
      for (let search = 0; search < 2; search++) tryWith(budget, 20_000, true);
    };
    budget.startPod('a');
    metTwice();
    expect(tryWith(budget, 1)).toBe(0);
    budget.startNewNode();
    metTwice();
    expect(tryWith(budget, 1)).toBe(0);
    budget.startPod('a');
    expect(tryWith(budget, 1)).toBe(20_000);
  });

  test('when searches on known nodes were in vain for long › searches for a new one get as many tries as ever', () => {
    const budget = new SearchBudget(0);
    for (let pod = 0; pod < 2; pod++) {
      budget.startPod('a');
      tryWith(budget, 20_000);
    }
    budget.startPod('a');
    expect(tryWith(budget, 0)).toBe(200);
    budget.startNewNode();
    expect(tryWith(budget, 0)).toBe(20_000);
  });

  test('when pods of a namespace have tried 5,000,000 devices › each other of them may try 500, and those of another as many as ever', () => {
    const budget = new SearchBudget(0);
    for (let pod = 0; pod < 127; pod++) {
      budget.startPod('a');
      for (let search = 0; search < 2; search++) tryWith(budget, 20_000, true);
    }
    budget.startPod('a');
    expect([tryWith(budget, 400, true), tryWith(budget, 400, true), tryWith(budget, 0)]).toEqual([500, 100, 0]);
    budget.startPod('b');
    expect(tryWith(budget, 0)).toBe(20_000);
  });

  test('when pods that need few tries are many › none of them goes without', () => {
    const budget = new SearchBudget(0);
    for (let pod = 0; pod < 20_000; pod++) {
      budget.startPod('a');
      tryWith(budget, 300, true);
    }
    expect(tryWith(budget, 0)).toBe(20_000);
  });

  test('a search that is cut short says by whose limit, and a refusal is not sure unless the search was whole', () => {
    const budget = new SearchBudget(0);
    const cut = (): readonly [string | undefined, boolean] => {
      budget.search((effort) => {
        effort.steps = 0;
        return { kind: 'too-complex' };
      });
      return [budget.cut, budget.isRefusalSure];
    };
    budget.startPod('a');
    expect([cut(), cut(), cut()]).toEqual([
      ['pod', true],
      ['pod', true],
      ['pod', false],
    ]);
    budget.startPod('a');
    expect(cut()).toEqual(['namespace', false]);
    tryWith(budget, 1);
    expect([budget.cut, budget.isRefusalSure]).toEqual(['namespace', true]);
    budget.startPod('b');
    expect(budget.cut).toBe(undefined);
  });
});
