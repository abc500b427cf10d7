import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { leapingClock } from './leaping-clock.ts';

const HOUR_MS = 3_600_000;

test('what is waited for takes no time, and comes in its order', async () => {
  const [clock, startedMs] = [leapingClock(), performance.now()];
  const startMs = clock.now();
  const came: string[] = [];
  clock.setTimeout(() => came.push('after half an hour'), HOUR_MS / 2);
  await clock.sleep(HOUR_MS);
  came.push('after an hour');
  expect(came).toEqual(['after half an hour', 'after an hour']);
  expect(clock.now() - startMs).toBeGreaterThanOrEqual(HOUR_MS);
  expect(performance.now() - startedMs).toBeLessThan(HOUR_MS / 100);
  await clock.stop();
});

test('a deadline an hour away does not pass while this process is at work on what it is for', async () => {
  const clock = leapingClock();
  await using server = createServer((socket: Socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  await once(socket, 'connect');
  let isLate = false;
  using _deadline = clock.setTimeout(() => (isLate = true), HOUR_MS);
  for (let round = 0; round < 5_000; round += 1) {
    socket.write('ping');
    await once(socket, 'data');
  }
  expect(isLate).toBe(false);
  socket.destroy();
  await clock.stop();
});

test('a clock that was stopped stands still', async () => {
  const clock = leapingClock();
  await clock.stop();
  let fired = false;
  clock.setTimeout(() => (fired = true), 1);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  setTimeout(() => resolve(undefined), 20);
  await promise;
  expect(fired).toBe(false);
});
