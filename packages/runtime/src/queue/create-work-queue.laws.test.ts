import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fakeClock } from '../clock/fake-clock.ts';
import { backoffMs } from './backoff.ts';
import { createWorkQueue } from './create-work-queue.ts';
import { heap } from './heap.ts';

type Command =
  | { readonly do: 'add'; readonly key: string; readonly priority: number; readonly afterMs: number }
  | { readonly do: 'retry' | 'forget'; readonly key: string }
  | { readonly do: 'take' | 'finish' }
  | { readonly do: 'advance'; readonly ms: number };

const key = fc.constantFrom('a', 'b', 'c', 'd');
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    key,
    priority: fc.integer({ min: 0, max: 2 }),
    afterMs: fc.constantFrom(0, 0, 0, 10, 1_000),
  }),
  fc.record({ do: fc.constantFrom('retry' as const, 'forget' as const), key }),
  fc.record({ do: fc.constantFrom('take' as const, 'take' as const, 'finish' as const) }),
  fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(0, 5, 10, 1_000) }),
);

const backoff = { baseMs: 5, maxMs: 40 };

/** Runs commands against a queue and a model that only knows which keys owe a turn, and when at the latest. */
const play = async (commands: readonly Command[]) => {
  const clock = fakeClock();
  const queue = createWorkQueue({ clock, backoff });
  const inFlight: string[] = [];
  const owedFrom = new Map<string, number>();
  const owe = (name: string, afterMs: number): void => {
    const due = clock.now() + afterMs;
    owedFrom.set(name, Math.min(due, owedFrom.get(name) ?? due));
  };
  const failures = new Map<string, number>();

  const receive = (name: string): void => {
    expect(inFlight).not.toContain(name);
    const due = owedFrom.get(name);
    expect(due).toBeDefined();
    expect(due).toBeLessThanOrEqual(clock.now());
    owedFrom.delete(name);
    inFlight.push(name);
  };

  const take = async (): Promise<void> => {
    const ready = [...owedFrom].filter(([name, due]) => due <= clock.now() && !inFlight.includes(name));
    expect(queue.depth).toBe(ready.length);
    if (ready.length > 0) receive((await queue.take()) ?? 'nothing');
  };

  const run = async (each: Command): Promise<void> => {
    switch (each.do) {
      case 'add':
        queue.add(each.key, each);
        owe(each.key, each.afterMs);
        return;
      case 'retry': {
        const count = (failures.get(each.key) ?? 0) + 1;
        failures.set(each.key, count);
        queue.retry(each.key);
        owe(each.key, backoffMs(count, backoff));
        return;
      }
      case 'forget':
        failures.delete(each.key);
        queue.forget(each.key);
        return;
      case 'take':
        await take();
        return;
      case 'finish': {
        const done = inFlight.shift();
        if (done !== undefined) queue.done(done);
        return;
      }
      case 'advance':
        await clock.advance(each.ms);
    }
  };

  for (const each of commands) await run(each);
  return { clock, queue, inFlight, owedFrom };
};

describe('whatever the order of calls on a queue', () => {
  test('a key is owed one turn at most, never given to two, never before its time, and never lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 60 }), async (commands) => {
        const { clock, queue, inFlight, owedFrom } = await play(commands);
        for (const each of inFlight) queue.done(each);
        await clock.advance(10_000);
        const left: string[] = [];
        while (queue.depth > 0) left.push((await queue.take()) ?? 'nothing');
        expect(left.sort()).toEqual([...owedFrom.keys()].sort());
        queue.shutDown();
        expect(await queue.take()).toBeUndefined();
        expect(clock.pendingTimers).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  test('those with the highest priority come first, then those that came first', async () => {
    const waiting = fc.uniqueArray(fc.record({ key: fc.string({ minLength: 1 }), priority: fc.integer({ min: -3, max: 3 }) }), {
      selector: (each) => each.key,
    });
    await fc.assert(
      fc.asyncProperty(waiting, async (keys) => {
        const queue = createWorkQueue({ clock: fakeClock() });
        for (const each of keys) queue.add(each.key, { priority: each.priority });
        const given: string[] = [];
        while (queue.depth > 0) given.push((await queue.take()) ?? '');
        const expected = keys.map((each, at) => ({ ...each, at })).sort((a, b) => b.priority - a.priority || a.at - b.at);
        expect(given).toEqual(expected.map((each) => each.key));
      }),
    );
  });

  test('everyone who waits is served, who came last first', async () => {
    const queue = createWorkQueue({ clock: fakeClock() });
    const takers = [queue.take(), queue.take(), queue.take()];
    queue.add('a');
    queue.add('b');
    queue.shutDown();
    expect(await Promise.all(takers)).toEqual([undefined, 'b', 'a']);
  });
});

test('a heap gives its values in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (values) => {
      const ordered = heap<number>((a, b) => a - b);
      for (const value of values) ordered.push(value);
      const given = values.map(() => ordered.pop());
      expect(given).toEqual([...values].sort((a, b) => a - b));
      expect([ordered.size, ordered.peek(), ordered.pop()]).toEqual([0, undefined, undefined]);
    }),
  );
});

test('a backoff doubles from its base to its maximum', () => {
  expect([0, 1, 2, 3, 4, 5, 2_000].map((failures) => backoffMs(failures, backoff))).toEqual([0, 5, 10, 20, 40, 40, 40]);
});
