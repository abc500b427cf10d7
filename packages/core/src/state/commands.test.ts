import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import { Exchanges, REPLACES_ANNOTATION, ReplacementBackoff, commandRecordOf, commandRecordText } from './commands.ts';

const saying = (text: string): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'a', annotations: { [REPLACES_ANNOTATION]: text } },
  spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
});

describe('the record of a command on its replacement', () => {
  test('is read as it was written', () => {
    const record = {
      ...{ id: 'drift-1-a', method: 'drift', reason: 'Drifted', startedMs: 1 },
      ...{ candidates: ['a'], replacements: 1, savingsPerHour: -0.1 },
    };
    expect(commandRecordOf(saying(commandRecordText(record)))).toEqual(record);
  });

  test.each(['', 'no json', 'null', '[]', '{"id":"x"}'])('is none when somebody wrote %j there', (text) => {
    expect(commandRecordOf(saying(text))).toBeUndefined();
  });
});

const anExchange = (leaving: readonly string[], coming: readonly string[]) => ({ leaving: new Set(leaving), coming: new Set(coming) });

const set = (gone: readonly string[] = []) => {
  const touched: string[] = [];
  const exchanges = new Exchanges({ isStaying: (machine) => !gone.includes(machine), touch: (machine) => void touched.push(machine) });
  return { exchanges, touched };
};

describe('an exchange', () => {
  test('has its machines leave until its command ends it', () => {
    const { exchanges, touched } = set();
    exchanges.begin('c', anExchange(['a', 'b'], ['x']));
    expect([exchanges.isOpen('c'), exchanges.isLeaving('b'), exchanges.isLeaving('x')]).toEqual([true, true, false]);
    exchanges.end('c');
    expect([exchanges.isOpen('c'), exchanges.isLeaving('b')]).toEqual([false, false]);
    expect(touched).toEqual(['a', 'b', 'a', 'b']);
  });

  test('is over when one of the coming machines goes, and not when another machine does', () => {
    const { exchanges } = set();
    exchanges.begin('c', anExchange(['a'], ['x', 'y']));
    exchanges.begin('d', anExchange(['b'], ['z']));
    exchanges.lose('a');
    expect(exchanges.isLeaving('a')).toBe(true);
    exchanges.lose('y');
    expect([exchanges.isLeaving('a'), exchanges.isLeaving('b')]).toEqual([false, true]);
  });

  test('does not begin when something is gone that was to come', () => {
    const { exchanges } = set(['x']);
    exchanges.begin('c', anExchange(['a'], ['x']));
    expect([exchanges.isOpen('c'), exchanges.isLeaving('a')]).toEqual([false, false]);
  });

  test('without anything to come lasts until it is ended', () => {
    const { exchanges } = set();
    exchanges.begin('c', anExchange(['a'], []));
    exchanges.lose('x');
    expect(exchanges.isLeaving('a')).toBe(true);
  });
});

describe('replacement backoff', () => {
  const MINUTE_MS = 60_000;

  test('the wait grows with each failure of a machine up to a quarter of an hour, and others are not concerned', () => {
    const clock = fakeClock();
    const backoff = new ReplacementBackoff(clock);
    const waits = Array.from({ length: 7 }, (_, index) => {
      backoff.failed('claim/a', { commandId: `${index}`, why: 'replacement-gone' });
      return ((backoff.of('claim/a')?.untilMs ?? 0) - clock.now()) / MINUTE_MS;
    });
    expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15]);
    expect(backoff.of('claim/a')).toMatchObject({ why: 'replacement-gone', times: 7 });
    expect(backoff.of('claim/b')).toBeUndefined();
  });

  test.each([
    ['the API server refuses', 'refused', [1, 2, 4, 8, 15, 15]],
    ['admission denies', 'denied', [1, 2, 2, 2, 2, 2]],
  ])('a machine whose replacement %s waits, also once it has not drifted any more', (_, why, expected) => {
    const clock = fakeClock();
    const backoff = new ReplacementBackoff(clock);
    const waits = expected.map((__, index) => {
      backoff.failed('claim/a', { commandId: `${index}`, why });
      backoff.forgetDrift('claim/a');
      return ((backoff.of('claim/a')?.untilMs ?? 0) - clock.now()) / MINUTE_MS;
    });
    expect(waits).toEqual(expected);
  });

  test('a machine that is forgotten begins with the shortest wait again', () => {
    const backoff = new ReplacementBackoff(fakeClock());
    backoff.failed('claim/a', { commandId: '1', why: 'timeout' });
    backoff.forget('claim/a');
    expect(backoff.of('claim/a')).toBeUndefined();
    backoff.failed('claim/a', { commandId: '1', why: 'timeout' });
    expect(backoff.of('claim/a')?.times).toBe(1);
  });

  test('a command that is abandoned twice, because a write failed half-way, counts once', () => {
    const backoff = new ReplacementBackoff(fakeClock());
    backoff.failed('claim/a', { commandId: '1', why: 'timeout' });
    backoff.failed('claim/a', { commandId: '1', why: 'timeout' });
    expect(backoff.of('claim/a')?.times).toBe(1);
  });
});
