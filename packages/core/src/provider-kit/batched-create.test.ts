import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import { CloudProviderError } from '../cloudprovider/index.ts';
import type { TypesAsPlanned } from '../cloudprovider/index.ts';
import { batchedCreate } from './batched-create.ts';
import type { BatchCreate } from './batched-create.ts';

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
    const told: unknown[] = [];
    const createAll: BatchCreate['createAll'] = (claims, { asPlanned }) => {
      told.push(asPlanned);
      const machine = { providerId: 'acme:///a', labels: {}, capacity: {}, allocatable: {} };
      return Promise.resolve(claims.map(() => ({ kind: 'launched', machine })));
    };
    const create = batchedCreate({ most: 10, createAll }, { clock, idleMs: 10, maxMs: 50 });
    const asPlanned: TypesAsPlanned = (_claim, types) => types;
    const answers = Promise.all(['a', 'b'].map((name) => create(aClaim(name), { signal, asPlanned })));
    await clock.advance(10);
    await answers;
    expect(told).toEqual([asPlanned]);
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
