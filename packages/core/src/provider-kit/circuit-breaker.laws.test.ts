import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CloudProviderError } from '../cloudprovider/index.ts';
import { circuitBreaker } from './circuit-breaker.ts';

interface Call {
  readonly afterMs: number;
  readonly circuit: string;
  readonly fails: boolean;
}

/** What came of it, and when: `undefined` when the call was made. */
interface Made extends Call {
  readonly atMs: number;
  readonly refusedForMs: number | undefined;
}

const OPEN_MS = 1_000;
const LONGEST_MS = 8_000;

const down = new CloudProviderError('network', 'no answer');

/** Makes the calls one after the other. */
const replay = async (calls: readonly Call[]): Promise<readonly Made[]> => {
  const clock = { ms: 0, now: () => clock.ms };
  const breaker = circuitBreaker({ clock, failures: 3, withinMs: 5_000, share: 0.5, openMs: OPEN_MS, longestMs: LONGEST_MS });
  const made: Made[] = [];
  for (const call of calls) {
    clock.ms += call.afterMs;
    const error: unknown = await breaker
      .call(call.circuit, () => (call.fails ? Promise.reject(down) : Promise.resolve()))
      .catch((thrown: unknown) => thrown);
    const refusal = error instanceof CloudProviderError && error.reason === 'CircuitOpen' ? error : undefined;
    made.push({ ...call, atMs: clock.ms, refusedForMs: refusal?.retryAfterMs });
  }
  return made;
};

const calls = fc.array(fc.record({ afterMs: fc.nat(1_500), circuit: fc.constantFrom('a', 'b'), fails: fc.boolean() }), { maxLength: 60 });
const ofOne = calls.map((all) => all.map((call) => ({ ...call, circuit: 'a' })));

describe('whatever calls come', () => {
  test('a refusal keeps its word: no call is made before its time, and the first one after it is', () =>
    fc.assert(
      fc.asyncProperty(ofOne, async (all) => {
        let openUntilMs: number | undefined;
        for (const { atMs, refusedForMs } of await replay(all)) {
          if (openUntilMs !== undefined) expect(refusedForMs).toBe(atMs < openUntilMs ? openUntilMs - atMs : undefined);
          openUntilMs = refusedForMs === undefined ? undefined : atMs + refusedForMs;
        }
      }),
    ));

  test('nobody waits for longer than the longest, and nobody for nothing', () =>
    fc.assert(
      fc.asyncProperty(calls, async (all) => {
        for (const { refusedForMs = OPEN_MS } of await replay(all)) {
          expect(refusedForMs).toBeGreaterThan(0);
          expect(refusedForMs).toBeLessThanOrEqual(LONGEST_MS);
        }
      }),
    ));

  test('before the first refusal stand as many failures as it takes, and after it only one call for each time that it is tried again', () =>
    fc.assert(
      fc.asyncProperty(ofOne, async (all) => {
        const made = await replay(all.map((call) => ({ ...call, fails: true })));
        const firstRefused = made.findIndex(({ refusedForMs }) => refusedForMs !== undefined);
        if (firstRefused === -1) return;
        expect(firstRefused).toBeGreaterThanOrEqual(3);
        const tries = made.slice(firstRefused).filter(({ refusedForMs }) => refusedForMs === undefined);
        const spans = tries.slice(1).map(({ atMs }, i) => atMs - (tries[i]?.atMs ?? 0));
        for (const span of spans) expect(span).toBeGreaterThanOrEqual(OPEN_MS);
      }),
    ));

  test('a cloud that answers is always asked', () =>
    fc.assert(
      fc.asyncProperty(calls, async (all) => {
        for (const { refusedForMs } of await replay(all.map((call) => ({ ...call, fails: false })))) expect(refusedForMs).toBeUndefined();
      }),
    ));

  test('a circuit goes its way whatever becomes of the others', () =>
    fc.assert(
      fc.asyncProperty(calls, async (all) => {
        const together = (await replay(all)).filter(({ circuit }) => circuit === 'a');
        let waitedMs = 0;
        const alone = all.flatMap((call) => {
          waitedMs += call.afterMs;
          if (call.circuit !== 'a') return [];
          const afterMs = waitedMs;
          waitedMs = 0;
          return [{ ...call, afterMs }];
        });
        const outcomes = (made: readonly Made[]) => made.map(({ atMs, refusedForMs }) => [atMs, refusedForMs]);
        expect(outcomes(together)).toEqual(outcomes(await replay(alone)));
      }),
    ));
});
