import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { timeLimitedProvider } from './provider-wrappers.ts';
import type { CloudProvider } from '../../cloudprovider/index.ts';
import { CloudProviderError } from '../../cloudprovider/index.ts';

const { signal } = new AbortController();
const pool = { metadata: { name: 'general' } } as NodePool;
const claim = { metadata: { name: 'a' } } as NodeClaim;
const m4: InstanceType = { name: 'm4', requirements: new Map(), offerings: [], capacity: {}, overhead: {} };

const aProvider = (parts: Partial<CloudProvider>) => {
  const clock = fakeClock();
  return { clock, provider: timeLimitedProvider({ name: 'test', ...parts } as CloudProvider, clock) };
};

/** A question whose answer the test gives. */
const aSlowCatalog = () => {
  const answers: PromiseWithResolvers<readonly InstanceType[]>[] = [];
  const scene = aProvider({
    getInstanceTypes: () => {
      const answer = Promise.withResolvers<readonly InstanceType[]>();
      answers.push(answer);
      return answer.promise;
    },
  });
  const ask = (): Promise<readonly InstanceType[]> => scene.provider.getInstanceTypes(pool, { signal });
  return { ...scene, ask, answers };
};

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof CloudProviderError ? error.code : error),
  );

describe('a provider that does not answer', () => {
  test('fails after two minutes in calls about one machine', async () => {
    const { provider, clock } = aProvider({ delete: () => new Promise(() => undefined) });
    const asked = codeOf(provider.delete(claim, { signal }));
    await clock.advance(120_000);
    expect(await asked).toBe('network');
  });

  test('keeps callers waiting for its catalog for ten seconds at most, and only once', async () => {
    const { ask, clock, answers } = aSlowCatalog();
    const first = codeOf(ask());
    await clock.advance(10_000);
    expect(await first).toBe('network');
    expect(await codeOf(ask())).toBe('network');
    expect(answers).toHaveLength(1);
  });

  test('is heard when it answers at last', async () => {
    const { ask, clock, answers } = aSlowCatalog();
    const first = codeOf(ask());
    await clock.advance(10_000);
    await first;
    answers[0]?.resolve([m4]);
    await clock.advance(0);
    expect(await ask()).toEqual([m4]);
  });

  test('gets a new call for its catalog after five minutes', async () => {
    const { ask, clock, answers } = aSlowCatalog();
    const first = codeOf(ask());
    await clock.advance(300_000);
    await first;
    const second = ask();
    answers[1]?.resolve([m4]);
    expect(await second).toEqual([m4]);
  });
});

describe('a provider that answers', () => {
  test('gets a call each time, and its errors are passed on', async () => {
    const { ask, answers } = aSlowCatalog();
    const first = ask();
    answers[0]?.resolve([m4]);
    expect(await first).toEqual([m4]);
    const second = codeOf(ask());
    answers[1]?.reject(new CloudProviderError('node-class-not-ready', 'no such class'));
    expect(await second).toBe('node-class-not-ready');
    const third = ask();
    answers[2]?.resolve([]);
    expect(await third).toEqual([]);
  });

  test('gives its answer about a machine, and leaves no timer behind', async () => {
    const { provider, clock } = aProvider({ delete: () => Promise.resolve('gone') });
    expect(await provider.delete(claim, { signal })).toBe('gone');
    expect(clock.pendingTimers).toBe(0);
  });
});
