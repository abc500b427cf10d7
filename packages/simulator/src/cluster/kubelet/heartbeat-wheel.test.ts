import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { createHeartbeatWheel } from './heartbeat-wheel.ts';

const PERIOD_MS = 10_000;

test('heartbeats › of members that join at any time come once a period, also after the last one left', async () => {
  const clock = fakeClock();
  const startMs = clock.now();
  using wheel = createHeartbeatWheel(clock, PERIOD_MS);
  const beats: Record<string, number[]> = { first: [], late: [], again: [] };
  const joining = (name: string) => wheel.join(() => beats[name]?.push(clock.now() - startMs));
  const first = joining('first');
  await clock.advance(PERIOD_MS + 3_700);
  const late = joining('late');
  await clock.advance(2 * PERIOD_MS);
  first[Symbol.dispose]();
  late[Symbol.dispose]();
  await clock.advance(5 * PERIOD_MS);
  expect(clock.nextTimerAtMs).toBeUndefined();
  joining('again');
  await clock.advance(2 * PERIOD_MS);
  for (const [name, times, joinedMs] of [
    ['first', 3, 0],
    ['late', 2, 13_700],
    ['again', 2, 83_700],
  ] as const) {
    expect(beats[name]).toHaveLength(times);
    expect(Math.min(...(beats[name] ?? []))).toBeGreaterThan(joinedMs);
    expect((beats[name]?.[1] ?? 0) - (beats[name]?.[0] ?? 0)).toBe(PERIOD_MS);
  }
});

test('heartbeats › of many members come in no burst', async () => {
  const clock = fakeClock();
  using wheel = createHeartbeatWheel(clock, PERIOD_MS);
  const times: number[] = [];
  for (let count = 0; count < 40; count += 1) wheel.join(() => times.push(clock.now()));
  await clock.advance(PERIOD_MS);
  expect(times).toHaveLength(40);
  expect(new Set(times).size).toBe(20);
});
