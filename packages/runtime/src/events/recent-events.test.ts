import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from './event-recorder.ts';
import { recentEvents } from './recent-events.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const launched = (name: string): RecordedEvent => ({
  subject: { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name },
  type: 'Normal',
  reason: 'Launched',
  message: 'Status condition transitioned, Type: Launched, Status: Unknown -> True',
});

const remembering = () => {
  let serial = 0;
  return recentEvents(() => (serial += 1));
};

describe('what is remembered of events', () => {
  test('does not grow with the objects that come and go: an hour after it was written an event is forgotten', () => {
    const recent = remembering();
    const sizes: number[] = [];
    for (let minute = 0; minute < 4 * 60; minute += 1) {
      for (const each of ['a', 'b', 'c']) recent.happened(launched(`${each}-${minute}`), minute * MINUTE_MS);
      if (minute % 60 === 59) sizes.push(recent.size);
    }
    expect(sizes).toEqual([180, 180, 180, 180]);
  });

  test('is no more than 4,096 events, however many happen at once', () => {
    const recent = remembering();
    for (let index = 0; index < 10_000; index += 1) recent.happened(launched(String(index)), 0);
    expect(recent.size).toBeLessThanOrEqual(4097);
    expect(recent.happened(launched('9999'), 1)).toEqual({ kind: 'swallow' });
    expect(recent.happened(launched('0'), 1)).toMatchObject({ kind: 'create' });
  });

  test('an event that goes on is counted up for as long as the API server has it', () => {
    const recent = remembering();
    for (let half = 0; half < 6; half += 1) recent.happened(launched('a'), half * 30 * MINUTE_MS);
    expect(recent.happened(launched('a'), 3 * HOUR_MS)).toEqual({ kind: 'bump', name: 'a.000000000001', count: 7 });
    expect(recent.happened(launched('a'), 4 * HOUR_MS)).toEqual({ kind: 'create', name: 'a.000000000002', count: 1 });
  });

  test('what is dropped is not among it: the event is written when it happens again', () => {
    const recent = remembering();
    expect(recent.happened(launched('a'), 0, () => false)).toEqual({ kind: 'drop' });
    expect(recent.happened(launched('a'), 1, () => true)).toMatchObject({ kind: 'create', count: 1 });
    expect(recent.happened(launched('a'), 2, () => false)).toEqual({ kind: 'swallow' });
  });

  test('one that is swallowed for longer than an hour is still swallowed until it was written an hour ago', () => {
    const recent = remembering();
    const event = { ...launched('a'), dedupeForMs: 2 * HOUR_MS };
    recent.happened(event, 0);
    expect(recent.happened(event, HOUR_MS - 1)).toEqual({ kind: 'swallow' });
    expect(recent.happened(event, HOUR_MS)).toMatchObject({ kind: 'create', count: 1 });
  });
});
