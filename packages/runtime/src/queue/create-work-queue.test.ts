import { expect, test } from '@jest/globals';
import { fakeClock } from '../clock/fake-clock.ts';
import { createWorkQueue } from './create-work-queue.ts';

test('reports to its metrics how long keys waited and were worked on', async () => {
  const reported: string[] = [];
  const clock = fakeClock();
  const metrics = {
    depth: (waiting: number) => void reported.push(`depth ${waiting}`),
    waited: (ms: number) => void reported.push(`waited ${ms}`),
    worked: (ms: number) => void reported.push(`worked ${ms}`),
    retried: () => void reported.push('retried'),
  };
  const queue = createWorkQueue({ clock, metrics });
  queue.add('a');
  await clock.advance(30);
  await queue.take();
  await clock.advance(200);
  queue.done('a');
  queue.retry('a');
  expect(reported).toEqual(['depth 1', 'waited 30', 'depth 0', 'worked 200', 'retried']);
});

test('metrics that throw cost a queue nothing', async () => {
  const clock = fakeClock();
  const fail = (): never => {
    throw new TypeError('x is undefined');
  };
  const queue = createWorkQueue({ clock, metrics: { depth: fail, waited: fail, worked: fail, retried: fail } });
  queue.add('a', { afterMs: 10 });
  await clock.advance(20);
  expect(await queue.take()).toBe('a');
  queue.done('a');
  queue.retry('a');
  await clock.advance(20);
  expect(await queue.take()).toBe('a');
});

test('a key that is not in flight cannot be done: that is a bug', () => {
  expect(() => createWorkQueue({ clock: fakeClock() }).done('a')).toThrow(TypeError);
});

test('with more workers than work › the same few are served again and again', async () => {
  const queue = createWorkQueue({ clock: fakeClock() });
  const served: number[] = [];
  const work = async (worker: number): Promise<void> => {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      served.push(worker);
      queue.done(key);
    }
  };
  const workers = [0, 1, 2, 3].map(work);
  for (const key of ['a', 'b', 'c', 'd']) {
    queue.add(key);
    await new Promise(setImmediate);
  }
  queue.shutDown();
  await Promise.all(workers);
  expect(served).toEqual([3, 3, 3, 3]);
});

test('a delay that is no number is a bug', () => {
  expect(() => createWorkQueue({ clock: fakeClock() }).add('a', { afterMs: Number.NaN })).toThrow(TypeError);
});

test('an earlier time replaces a later one, a later one does not', async () => {
  const clock = fakeClock();
  const queue = createWorkQueue({ clock });
  queue.add('a', { afterMs: 100 });
  queue.add('a', { afterMs: 10 });
  queue.add('a', { afterMs: 1_000 });
  await clock.advance(10);
  expect(queue.depth).toBe(1);
  queue.add('b', { afterMs: 100 });
  queue.add('b');
  expect(queue.depth).toBe(2);
});
