import { describe, expect, test } from '@jest/globals';
import { answerInTime } from './answer-deadline.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const untilEnd = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))));

describe('waiting for an answer', () => {
  test.each([
    ['does not listen', never],
    ['ends with its signal', untilEnd],
  ])('ends without an answer when the call %s', async (_, ask) => {
    await expect(answerInTime('GET machines', ask, { patienceMs: 10 })).rejects.toMatchObject({
      name: 'ArmError',
      code: 'network',
      message: 'GET machines has had no answer for 0.01 s',
    });
  });

  test('ends with who waits', async () => {
    const giving = new AbortController();
    const waiting = answerInTime('GET machines', untilEnd, { signal: giving.signal });
    giving.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('gives answers and failures on as they are', async () => {
    const failure = new Error('refused');
    expect(await answerInTime('GET machines', () => Promise.resolve(1))).toBe(1);
    await expect(answerInTime('GET machines', () => Promise.reject(failure))).rejects.toBe(failure);
  });
});
