import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { NodeClaim } from '../../../apis/index.ts';
import { CloudProviderError } from '../../../cloudprovider/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import { FakeCluster } from '../../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../../fixtures/fake-shell.ts';
import { aNodeClaim } from '../../../testing/objects.ts';
import { AT_ONCE_PER_CLAIM, AT_ONCE_PER_POOL, Launch, LaunchRetry } from './launch.ts';

const claimOf = (name: string, pool = 'general'): NodeClaim =>
  aNodeClaim(name, { metadata: { labels: { 'karpenter.sh/nodepool': pool } } });

describe('the wait after a failed launch', () => {
  const started = () => {
    const clock = fakeClock(0);
    const retry = new LaunchRetry(clock);
    const unavailable = (claim: NodeClaim): number => retry.failed({ claim, picksAnother: true, afterMs: 0 });
    return { clock, retry, unavailable };
  };

  test('is none while another offering is left, twenty times a minute, and then grows', async () => {
    const { clock, unavailable } = started();
    const claim = claimOf('a');
    const waits = Array.from({ length: AT_ONCE_PER_CLAIM + 3 }, () => unavailable(claim));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(AT_ONCE_PER_CLAIM);
    expect(waits.slice(AT_ONCE_PER_CLAIM)).toEqual([1000, 2000, 4000]);
    await clock.advance(60_000);
    expect(unavailable(claim)).toBe(0);
  });

  test('is none for a hundred launches of a pool in a minute, whatever their number, and other pools have their own', () => {
    const { unavailable } = started();
    const waits = Array.from({ length: 500 }, (_, index) => unavailable(claimOf(`a-${index}`)));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(AT_ONCE_PER_POOL);
    expect(waits.at(-1)).toBe(1000);
    expect(unavailable(claimOf('b', 'other'))).toBe(0);
  });

  test('of a cloud that throttles is what it asks for', () => {
    const { retry } = started();
    const claim = claimOf('a');
    expect(retry.failed({ claim, picksAnother: false, afterMs: 7000 })).toBe(7000);
    expect(retry.remainingMs(claim)).toBe(7000);
    retry.forget(claim);
    expect(retry.remainingMs(claim)).toBe(0);
  });
});

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
    cluster.seed('NodeClaim', claimOf('a'));
    const launch = new Launch(shell);
    const seen = () => shell.caches.nodeClaims.get({ name: 'a' }) ?? claimOf('a');
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
    expect(shell.told.filter((each) => each.kind === 'launch-failed' && each.willRetry)).toHaveLength(7);
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
