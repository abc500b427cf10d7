import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import { CloudProviderError } from '../cloudprovider/index.ts';
import type { TypesAsPlanned } from '../cloudprovider/index.ts';
import { batchedCreate, gatheredCalls } from './batched-create.ts';
import type { BatchCreate } from './batched-create.ts';

describe('batched create', () => {
  const { signal } = new AbortController();

  const aClaim = (name: string, className = 'default'): NodeClaim => ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name },
    spec: { requirements: [], nodeClassRef: { group: 'acme.dev', kind: 'AcmeNodeClass', name: className } },
  });

  const start = (parts: Partial<BatchCreate> = {}) => {
    const clock = fakeClock();
    const calls: (readonly string[])[] = [];
    const ability: BatchCreate = {
      most: 10,
      createAll: (claims) => {
        calls.push(claims.map(({ metadata }) => metadata.name));
        return Promise.resolve(
          claims.map(({ metadata: { name } }) =>
            name === 'none'
              ? { kind: 'refused', error: new CloudProviderError('insufficient-capacity', 'sold out') }
              : { kind: 'launched', machine: { providerId: `acme:///${name}`, labels: {}, capacity: {}, allocatable: {} } },
          ),
        );
      },
      ...parts,
    };
    const create = batchedCreate(ability, { clock, idleMs: 10, maxMs: 50 });
    return { clock, calls, launch: (claim: NodeClaim) => create(claim, { signal }) };
  };

  describe('launches by the batch', () => {
    test('are one call; the refusal of one is nobody else’s', async () => {
      const { clock, calls, launch } = start();
      const answers = Promise.allSettled(['a', 'none', 'b'].map((name) => launch(aClaim(name))));
      await clock.advance(10);
      expect(await answers).toMatchObject([
        { status: 'fulfilled', value: { providerId: 'acme:///a' } },
        { status: 'rejected', reason: { code: 'insufficient-capacity' } },
        { status: 'fulfilled', value: { providerId: 'acme:///b' } },
      ]);
      expect(calls).toEqual([['a', 'none', 'b']]);
    });

    test('say with the call how types count, which is the same for all claims', async () => {
      const clock = fakeClock();
      const reported: unknown[] = [];
      const createAll: BatchCreate['createAll'] = (claims, { asPlanned }) => {
        reported.push(asPlanned);
        const machine = { providerId: 'acme:///a', labels: {}, capacity: {}, allocatable: {} };
        return Promise.resolve(claims.map(() => ({ kind: 'launched', machine })));
      };
      const create = batchedCreate({ most: 10, createAll }, { clock, idleMs: 10, maxMs: 50 });
      const asPlanned: TypesAsPlanned = (_claim, types) => types;
      const answers = Promise.all(['a', 'b'].map((name) => create(aClaim(name), { signal, asPlanned })));
      await clock.advance(10);
      await answers;
      expect(reported).toEqual([asPlanned]);
    });

    test('of one claim at once are one launch; later there is another request', async () => {
      const { clock, calls, launch } = start();
      const twice = Promise.all([launch(aClaim('a')), launch(aClaim('a'))]);
      await clock.advance(10);
      const [first, second] = await twice;
      expect(first).toBe(second);
      const again = launch(aClaim('a'));
      await clock.advance(10);
      await again;
      expect(calls).toEqual([['a'], ['a']]);
    });

    test('go together only where the cloud can', async () => {
      const { clock, calls, launch } = start({ batchKeyOf: ({ spec }) => spec.nodeClassRef.name });
      const answers = Promise.all([launch(aClaim('a', 'x')), launch(aClaim('b', 'y')), launch(aClaim('c', 'x'))]);
      await clock.advance(10);
      await answers;
      expect(calls).toEqual([['b'], ['a', 'c']]);
    });
  });
});

describe('gathered calls', () => {
  const { signal } = new AbortController();

  const start = (most = 3) => {
    const clock = fakeClock();
    const calls: (readonly string[])[] = [];
    const signals: AbortSignal[] = [];
    const ask = gatheredCalls<string, string>({
      ...{ clock, idleMs: 100, maxMs: 250, most, keyOf: ([first = '']) => first },
      call: async (requests, until) => {
        calls.push(requests);
        signals.push(until);
        await clock.sleep(1000, until);
        if (requests.includes('a-bad')) throw new Error('no');
        return requests.includes('a-short') ? [] : requests.map((request) => `answer to ${request}`);
      },
    });
    return { clock, calls, signals, ask };
  };

  describe('requests that come together', () => {
    test('become one call, and each gets its own answer', async () => {
      const { clock, calls, ask } = start();
      const answers = Promise.all([ask('a1', { signal }), ask('a2', { signal })]);
      await clock.advance(99);
      expect(calls).toEqual([]);
      await clock.advance(1);
      await clock.advance(1000);
      expect([calls, await answers]).toEqual([[['a1', 'a2']], ['answer to a1', 'answer to a2']]);
    });

    test('go in calls of their own when their keys differ', async () => {
      const { clock, calls, ask } = start();
      const answers = Promise.all([ask('a', { signal }), ask('b', { signal })]);
      await clock.advance(100);
      await clock.advance(1000);
      await answers;
      expect(calls).toEqual([['a'], ['b']]);
    });

    test('go at once when there are as many as a call takes; who comes then is of the next call', async () => {
      const { clock, calls, ask } = start(2);
      const answers = Promise.all(['a1', 'a2', 'a3'].map((each) => ask(each, { signal })));
      expect(calls).toEqual([['a1', 'a2']]);
      await clock.advance(100);
      await clock.advance(1000);
      await answers;
      expect(calls).toEqual([['a1', 'a2'], ['a3']]);
    });

    test('wait no longer than the longest, however many more come', async () => {
      const { clock, calls, ask } = start(100);
      for (let each = 0; each < 4; each += 1) {
        ask(`a${each}`, { signal }).catch(() => undefined);
        await clock.advance(80);
      }
      expect(calls).toEqual([['a0', 'a1', 'a2', 'a3']]);
    });

    test('all get the failure of their call', async () => {
      const { clock, ask } = start();
      const answers = Promise.allSettled([ask('a', { signal }), ask('a-bad', { signal })]);
      await clock.advance(100);
      await clock.advance(1000);
      expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    });

    test('learn that an answer is missing', async () => {
      const { clock, ask } = start();
      const answer = expect(ask('a-short', { signal })).rejects.toThrow('1 requests got 0 answers');
      await clock.advance(100);
      await clock.advance(1000);
      await answer;
    });
  });

  describe('who aborts', () => {
    test('is left out of a call that was not made yet', async () => {
      const { clock, calls, ask } = start();
      const end = new AbortController();
      const given = expect(ask('a1', { signal: end.signal })).rejects.toThrow('aborted');
      const other = ask('a2', { signal });
      end.abort();
      await clock.advance(100);
      await clock.advance(1000);
      await given;
      expect([calls, await other]).toEqual([[['a2']], 'answer to a2']);
    });

    test('alone, leaves no call to be made', async () => {
      const { clock, calls, ask } = start();
      const end = new AbortController();
      const given = expect(ask('a1', { signal: end.signal })).rejects.toThrow('aborted');
      end.abort();
      await given;
      await clock.advance(1000);
      expect(calls).toEqual([]);
    });

    test('does not end the call of the others; the last one does', async () => {
      const { clock, signals, ask } = start();
      const ends = [new AbortController(), new AbortController()];
      const given = Promise.allSettled(ends.map((end, index) => ask(`a${index}`, { signal: end.signal })));
      await clock.advance(100);
      ends[0]?.abort();
      expect(signals[0]?.aborted).toBe(false);
      ends[1]?.abort();
      expect(signals[0]?.aborted).toBe(true);
      expect((await given).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    });

    test('before it came, comes too late', () => {
      const { ask } = start();
      expect(() => ask('a', { signal: AbortSignal.abort() })).toThrow('aborted');
    });
  });
});
