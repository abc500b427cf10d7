import { describe, expect, test } from '@jest/globals';
import { CloudProviderError } from '../cloudprovider/index.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import type { CircuitBreaking } from './circuit-breaker.ts';

const down = new CloudProviderError('network', 'no answer');
const soldOut = new CloudProviderError('insufficient-capacity', 'sold out');

const failing = (error: Error) => (): Promise<never> => Promise.reject(error);
const answering = (): Promise<string> => Promise.resolve('answer');

/** Opens at the third failure within a minute, for ten seconds. */
const aBreaker = (other: Partial<CircuitBreaking> = {}) => {
  const clock = { ms: 0, now: () => clock.ms };
  const breaker = circuitBreaker({ clock, failures: 3, withinMs: 60_000, share: 0.5, openMs: 10_000, longestMs: 60_000, ...other });
  /** What came of a call: its answer, or the code and the reason of its error. */
  const ask = async (run: () => Promise<string>, circuit = 'calls'): Promise<string> => {
    try {
      return await breaker.call(circuit, run);
    } catch (error) {
      return error instanceof CloudProviderError ? (error.reason ?? error.code) : String(error);
    }
  };
  const fail = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await ask(failing(down));
  };
  return { clock, breaker, ask, fail };
};

describe('a circuit', () => {
  test('gives answers and errors as they are', async () => {
    const { breaker } = aBreaker();
    await expect(breaker.call('calls', answering)).resolves.toBe('answer');
    await expect(breaker.call('calls', failing(soldOut))).rejects.toBe(soldOut);
    expect(breaker.states()).toEqual(new Map([['calls', 'closed']]));
  });

  test('opens at the last failure that is borne, and says until when and why', async () => {
    const { breaker, fail } = aBreaker();
    await fail(3);
    const refused = { code: 'throttled', reason: 'CircuitOpen', retryAfterMs: 10_000, cause: down };
    await expect(breaker.call('calls', answering)).rejects.toMatchObject(refused);
    await expect(breaker.call('calls', answering)).rejects.toThrow('no calls for 10 s, because so many failed; the last: no answer');
    expect(breaker.states().get('calls')).toBe('open');
  });

  test('is not about another', async () => {
    const { ask, fail } = aBreaker();
    await fail(3);
    expect(await ask(answering, 'others')).toBe('answer');
  });

  test('stays closed while most calls are answered', async () => {
    const { ask, fail } = aBreaker();
    for (let i = 0; i < 4; i++) await ask(answering);
    await fail(3);
    expect(await ask(answering)).toBe('answer');
    await fail(2);
    expect(await ask(answering)).toBe('CircuitOpen');
  });

  test('forgets failures that are long ago', async () => {
    const { clock, ask, fail } = aBreaker();
    await fail(2);
    clock.ms = 66_001;
    await fail(2);
    expect(await ask(answering)).toBe('answer');
  });

  test.each([
    ['a refusal', soldOut],
    ['a call that was aborted', new DOMException('aborted', 'AbortError')],
    ['a bug', new TypeError('undefined is not a function')],
  ])('does not open for %s', async (_, error) => {
    const { ask } = aBreaker();
    for (let i = 0; i < 9; i++) await ask(failing(error));
    expect(await ask(answering)).toBe('answer');
  });

  test('opens for the failures that count', async () => {
    const { ask } = aBreaker({ judge: (error) => (error === soldOut ? 'failed' : 'answered') });
    for (let i = 0; i < 3; i++) await ask(failing(soldOut));
    expect(await ask(answering)).toBe('CircuitOpen');
  });
});

describe('an open circuit', () => {
  test('lets one call through when its time is over, and closes when that is answered', async () => {
    const { clock, breaker, ask, fail } = aBreaker();
    await fail(3);
    clock.ms = 9_999;
    expect(await ask(answering)).toBe('CircuitOpen');
    clock.ms = 10_000;
    expect(breaker.states().get('calls')).toBe('half-open');
    const probe = Promise.withResolvers<string>();
    const probed = ask(() => probe.promise);
    expect(await ask(answering)).toBe('CircuitOpen');
    probe.resolve('answer');
    expect([await probed, await ask(answering)]).toEqual(['answer', 'answer']);
    expect(breaker.states().get('calls')).toBe('closed');
  });

  test('closes by a refusal too: the cloud is there', async () => {
    const { clock, ask, fail } = aBreaker();
    await fail(3);
    clock.ms = 10_000;
    expect([await ask(failing(soldOut)), await ask(answering)]).toEqual(['insufficient-capacity', 'answer']);
  });

  test('is open twice as long each time, up to the longest; as long without a failure is a new start', async () => {
    const { clock, ask, fail } = aBreaker();
    const secondsOpen = async (): Promise<number> => {
      const startMs = clock.ms;
      for (clock.ms += 1; (await ask(failing(down))) === 'CircuitOpen';) clock.ms += 1_000;
      return Math.floor((clock.ms - startMs) / 1_000);
    };
    await fail(3);
    const times: number[] = [];
    for (let i = 0; i < 5; i++) times.push(await secondsOpen());
    expect(times).toEqual([10, 20, 40, 60, 60]);
    clock.ms += 60_000;
    await ask(answering);
    clock.ms += 60_000;
    await fail(3);
    expect(await secondsOpen()).toBe(10);
  });

  test('waits for another call when the deciding one was aborted', async () => {
    const { clock, ask, fail } = aBreaker();
    await fail(3);
    clock.ms = 10_000;
    await ask(failing(new DOMException('aborted', 'AbortError')));
    expect(await ask(answering)).toBe('answer');
  });

  test('is neither closed nor opened for longer by calls that began before', async () => {
    const { clock, breaker, ask, fail } = aBreaker();
    const slow = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    const slowly = slow.map(({ promise }) => ask(() => promise));
    await fail(3);
    slow[0].resolve('answer');
    slow[1].reject(down);
    await Promise.all(slowly);
    expect(breaker.states().get('calls')).toBe('open');
    clock.ms = 10_000;
    expect(await ask(answering)).toBe('answer');
  });
});
