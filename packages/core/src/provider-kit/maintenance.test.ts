import { describe, expect, test } from '@jest/globals';
import { type FakeClock, fakeClock, requeueAfter, silentLogger } from '@karpenter/runtime';
import { layeredTags } from './node-class.ts';
import { orphanCollection } from './orphan-collection.ts';
import { hasQuota } from './block-list.ts';
import { refresher, standInPricePerHour } from './refresher.ts';

const { signal } = new AbortController();
const down = Object.assign(new Error('down'), { code: 'server' });

describe('what is kept fresh', () => {
  const start = (parts: { readonly onFailure?: (error: Error) => void } = {}) => {
    const clock = fakeClock(1_000_000);
    const answers: (boolean | Error)[] = [];
    const ages: (number | undefined)[] = [];
    let reads = 0;
    const keeper = refresher({
      ...{ name: 'prices', clock, everyMs: 1000, checkEveryMs: 400, onAge: (ageMs: number | undefined) => void ages.push(ageMs) },
      read: () => {
        reads += 1;
        const answer = answers.shift() ?? true;
        return typeof answer === 'boolean' ? Promise.resolve(answer) : Promise.reject(answer);
      },
      ...parts,
    });
    const refresh = (until = signal): Promise<void> => keeper.refresh(until);
    return { clock, answers, ages, refresh, reads: () => reads, reconcile: () => keeper.controller.reconcile({ signal }) };
  };

  test('is read when it is old enough, and its age is reported in between', async () => {
    const { clock, ages, reads, reconcile } = start();
    expect(await reconcile()).toEqual(requeueAfter(400));
    await clock.advance(400);
    await reconcile();
    await clock.advance(600);
    await reconcile();
    expect([reads(), ages]).toEqual([2, [0, 400, 0]]);
  });

  test('is read once for all who ask meanwhile', async () => {
    const { ages, reads, refresh, reconcile } = start();
    await Promise.all([refresh(), reconcile()]);
    expect([reads(), ages]).toEqual([1, [0]]);
  });

  test('reports nothing of a read that the end of the process cut off', async () => {
    const failures: Error[] = [];
    const { answers, refresh } = start({ onFailure: (error) => void failures.push(error) });
    answers.push(down);
    await refresh(AbortSignal.abort());
    expect(failures).toEqual([]);
  });

  test('stays as it was, and grows old, when the answer is of no use', async () => {
    const { clock, answers, ages, reconcile } = start();
    answers.push(true, false);
    await reconcile();
    await clock.advance(1500);
    await reconcile();
    expect(ages).toEqual([0, 1500]);
  });

  test('has no age before it was read; a failure is tried again with backoff', async () => {
    const { answers, ages, reconcile } = start();
    answers.push(down);
    await expect(reconcile()).rejects.toBe(down);
    expect(ages).toEqual([undefined]);
  });

  test('may take a failure calmly, but never a bug', async () => {
    const failures: Error[] = [];
    const { answers, reconcile } = start({ onFailure: (error) => void failures.push(error) });
    const bug = new TypeError('x is undefined');
    answers.push(down, bug);
    await reconcile();
    expect(failures).toEqual([down]);
    await expect(reconcile()).rejects.toBe(bug);
  });
});

describe('what machines left behind', () => {
  const collect = (...removals: readonly ((clock: FakeClock) => Promise<void>)[]) => {
    const clock = fakeClock(1_000_000);
    return orphanCollection({
      ...{ name: 'disks', clock, logger: silentLogger, everyMs: 60_000, sparedMs: 5000 },
      find: () =>
        Promise.resolve([
          { name: 'young', createdAtMs: 996_000, remove: () => Promise.reject(new Error('too young')) },
          ...removals.map((remove, index) => ({ name: `old-${index}`, remove: () => remove(clock) })),
        ]),
      staysForNow: (error) => error === down,
    }).reconcile({ signal });
  };

  test('is deleted once it is old enough; what the cloud keeps for now holds up nothing', async () => {
    const removed: number[] = [];
    const outcome = await collect(
      () => Promise.reject(down),
      () => Promise.resolve(void removed.push(1)),
    );
    expect([outcome, removed]).toEqual([requeueAfter(60_000), [1]]);
  });

  test('is searched for again by the next pass, once this one has taken a period: a pass that never ended would count as stuck', async () => {
    const removed: number[] = [];
    const slow = async (clock: FakeClock): Promise<void> => {
      await clock.advance(40_000);
      removed.push(removed.length);
    };
    const outcome = await collect(slow, slow, slow);
    expect([outcome, removed]).toEqual([requeueAfter(60_000), [0, 1]]);
  });

  test('waits when the cloud as a whole does not answer', async () => {
    const silent = Object.assign(new Error('silent'), { code: 'network' });
    await expect(collect(() => Promise.reject(silent))).rejects.toBe(silent);
  });
});

test('a quota that nothing is known of has room for everything', () => {
  const left = new Map([['cpus', 4]]);
  expect([hasQuota(left, 'CPUs', 4), hasQuota(left, 'cpus', 5), hasQuota(left, 'disks', 5)]).toEqual([true, false, true]);
});

test('tags of the cluster are under those of the class, and those under the provider’s own', () => {
  const tags = layeredTags({ cluster: { team: 'a', env: 'x' }, nodeClass: { team: 'b', 'a/b': '1' }, own: { a_b: '2' } }, (key) =>
    key.replaceAll('/', '_'),
  );
  expect(tags).toEqual({ team: 'b', env: 'x', a_b: '2' });
});

test('a price for a cloud without any grows with the machine', () => {
  const small = standInPricePerHour({ cpu: 2000, memory: 8 * 1024 ** 3 });
  expect(small).toBeCloseTo(0.106);
  expect(standInPricePerHour({ cpu: 4000, memory: 8 * 1024 ** 3 })).toBeGreaterThan(small);
});
