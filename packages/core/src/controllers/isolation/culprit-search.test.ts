import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findCulprits } from './culprit-search.ts';
import type { Suspect } from './suspects.ts';

const suspect = (namespace: string, name: string): Suspect => ({
  kind: 'Pod',
  namespace,
  objects: [{ id: `Pod ${namespace}/${name}`, subject: { apiVersion: 'v1', kind: 'Pod', namespace, name }, content: [] }],
});

/** `count` suspects in `namespaces` namespaces; those with the indices `culprits` trigger the bug. */
const searching = (count: number, culprits: readonly number[], { namespaces = 1, mayTry = Infinity } = {}) => {
  const suspects = Array.from({ length: count }, (_, index) => suspect(`ns-${Math.floor((index * namespaces) / count)}`, String(index)));
  const bad = culprits.flatMap((index) => suspects[index] ?? []);
  let tries = 0;
  const attempt = (excluded: ReadonlySet<Suspect>) => {
    tries += 1;
    const isFine = bad.every((each) => excluded.has(each));
    return Promise.resolve(
      isFine ? ({ ok: true, value: suspects.filter((each) => !excluded.has(each)) } as const) : ({ ok: false } as const),
    );
  };
  const verdict = findCulprits(suspects, { attempt, mayContinue: () => tries < mayTry });
  return { suspects, verdict, tries: () => tries, bad };
};

describe('the search for what triggers a bug', () => {
  test.each([0, 1, 499, 998, 999])('finds suspect %i of 1,000 in at most 13 tries', async (index) => {
    const { verdict, tries, bad } = searching(1000, [index]);
    expect(await verdict).toMatchObject({ culprits: bad, unsettled: [] });
    expect(tries()).toBeLessThanOrEqual(13);
  });

  test('decides about all that are no culprits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.uniqueArray(fc.nat(199), { minLength: 1, maxLength: 2 }),
        async (count, drawn) => {
          const culprits = drawn.filter((index) => index < count);
          fc.pre(culprits.length > 0);
          const { suspects, verdict, bad } = searching(count, culprits);
          const found = await verdict;
          expect(new Set(found?.culprits)).toEqual(new Set(bad));
          expect(found?.value).toEqual(suspects.filter((each) => !bad.includes(each)));
        },
      ),
    );
  });

  test('with many culprits in one namespace leaves that namespace out of this decision, and decides about the others', async () => {
    const many = Array.from({ length: 50 }, (_, index) => 100 + index);
    const { suspects, verdict, tries } = searching(200, many, { namespaces: 4 });
    const found = await verdict;
    expect(found?.value).toEqual(suspects.filter(({ namespace }) => namespace !== 'ns-2'));
    expect(tries()).toBeLessThanOrEqual(25);
  });

  test('that runs out of time answers with the best decision so far', async () => {
    const { verdict } = searching(1000, [700], { mayTry: 4 });
    const found = await verdict;
    expect(found?.culprits).toEqual([]);
    expect(found?.value).toHaveLength(875);
  });

  /** Of 500 pods in one namespace, beside 150 nodes; so many of these trigger the bug. */
  const podsDecidedAbout = async (bad: number, mayTry = Infinity) => {
    const [pods, nodes] = [500, 150];
    const ofNode = (index: number): Suspect => ({
      kind: 'Node',
      namespace: '',
      objects: [{ id: `Node ${index}`, subject: { apiVersion: 'v1', kind: 'Node', name: `${index}` }, content: [] }],
    });
    const own = Array.from({ length: nodes }, (_, index) => ofNode(index));
    const suspects = [...Array.from({ length: pods }, (_, index) => suspect('shop', String(index))), ...own];
    let tries = 0;
    const attempt = (excluded: ReadonlySet<Suspect>) => {
      tries += 1;
      const isFine = own.slice(0, bad).every((each) => excluded.has(each));
      return Promise.resolve(
        isFine ? ({ ok: true, value: suspects.filter((each) => !excluded.has(each)) } as const) : ({ ok: false } as const),
      );
    };
    const found = await findCulprits(suspects, { attempt, mayContinue: () => tries < mayTry });
    return found?.value.filter(({ namespace }) => namespace === 'shop').length;
  };

  test('when more nodes trigger a bug than one search finds › no pod is left out for them', async () => {
    expect(await podsDecidedAbout(100)).toBe(500);
  });

  test('when time runs out among the nodes › no pod is left out for them', async () => {
    expect(await podsDecidedAbout(100, 4)).toBe(500);
  });

  test('without a decision that works has no verdict', async () => {
    const verdict = await findCulprits([suspect('a', 'a')], { attempt: () => Promise.resolve({ ok: false }), mayContinue: () => true });
    expect(verdict).toBeUndefined();
  });
});
