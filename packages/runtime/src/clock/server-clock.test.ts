import { describe, expect, test } from '@jest/globals';
import { fakeClock } from './fake-clock.ts';
import { serverClock } from './server-clock.ts';

const HOUR_MS = 3_600_000;

/** A machine whose clock differs from the server's, and can be set. */
const aMachine = (offMs: number) => {
  const server = fakeClock();
  const machine = { offMs };
  const corrections: number[] = [];
  const clock = serverClock({ ...server, now: () => server.now() + machine.offMs, elapsed: () => server.now() }, (byMs) =>
    corrections.push(Math.floor(byMs / 1000)),
  );
  /** Answers that state the server's time `lateMs` ago. */
  const answers = (count: number, lateMs = 0): void => {
    for (let sent = 0; sent < count; sent++) clock.noteDate(new Date(server.now() - lateMs).toUTCString());
  };
  const behindMs = (): number => server.now() - clock.now();
  return { server, machine, clock, corrections, answers, behindMs };
};

describe('the clock of a machine that is corrected by a server', () => {
  test.each([HOUR_MS, -HOUR_MS])('shows the server’s time from the first answer on where it differs by %i ms', (offMs) => {
    const { answers, behindMs, corrections } = aMachine(offMs);
    answers(1);
    expect(Math.abs(behindMs())).toBeLessThan(1000);
    expect(corrections).toEqual([-offMs / 1000]);
  });

  test('is left alone where it differs by seconds', () => {
    const { answers, behindMs, corrections } = aMachine(3000);
    answers(10);
    expect([behindMs(), corrections]).toEqual([-3000, []]);
  });

  test.each([HOUR_MS, -HOUR_MS])('runs on steadily when somebody sets the machine’s by %i ms', async (offMs) => {
    const { server, machine, clock, answers } = aMachine(0);
    answers(1);
    machine.offMs = offMs;
    const beforeMs = clock.now();
    await server.advance(10_000);
    expect(clock.now()).toBe(beforeMs + 10_000);
    answers(5);
    expect(clock.now()).toBe(beforeMs + 10_000);
  });

  test('is not moved by answers that were on their way for long, but once all of ten seconds agree', async () => {
    const { server, answers, corrections } = aMachine(0);
    answers(1);
    for (const lateMs of [20_000, 40_000, 60_000, 20_000]) answers(5, lateMs);
    await server.advance(9_000);
    answers(5, 20_000);
    expect(corrections).toEqual([]);
    await server.advance(1_000);
    answers(1, 20_000);
    expect(corrections).toEqual([-20]);
  });

  test('is not moved while servers differ', async () => {
    const { server, answers, corrections } = aMachine(0);
    answers(1);
    for (let second = 0; second < 60; second++) {
      await server.advance(1_000);
      answers(5, 20_000);
      if (second % 5 === 0) answers(1);
    }
    expect(corrections).toEqual([]);
  });

  test('ignores what is no date', () => {
    const { clock, behindMs } = aMachine(0);
    for (let times = 0; times < 5; times++) clock.noteDate('tomorrow');
    expect(behindMs()).toBe(0);
  });

  test('is not corrected where nobody can set it, as in tests that advance it', () => {
    const server = fakeClock();
    const clock = serverClock(server);
    for (let times = 0; times < 5; times++) clock.noteDate(new Date(server.now() + HOUR_MS).toUTCString());
    expect(clock.now()).toBe(server.now());
  });
});
