import { describe, expect, test } from '@jest/globals';
import { type FakeClock, fakeClock } from '../clock/fake-clock.ts';
import { KubeError } from '../client/kube-error.ts';
import { createLeaderElector } from './leader-elector.ts';
import { testLeaseStore, type TestLeaseStore } from './test-lease-store.ts';

const replica = (identity: string, { clock, store }: { readonly clock: FakeClock; readonly store: TestLeaseStore }) => {
  const client = store.client();
  const reported: boolean[] = [];
  const lease = { namespace: 'kube-system', name: 'karpenter' };
  const elector = createLeaderElector({ client, clock, identity, lease, onLeadership: (isLeader) => void reported.push(isLeader) });
  const end = new AbortController();
  let isLeading = false;
  const lead = async (signal: AbortSignal): Promise<void> => {
    isLeading = true;
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    isLeading = false;
  };
  return { client, elector, reported, end, lead, start: () => elector.run(end.signal, lead), isLeading: () => isLeading };
};

const twoReplicas = () => {
  const shared = { clock: fakeClock(Date.UTC(2026, 0, 1)), store: testLeaseStore() };
  return { ...shared, first: replica('first', shared), second: replica('second', shared) };
};

describe('of two replicas', () => {
  test('one leads, and goes on leading', async () => {
    const { clock, store, first, second } = twoReplicas();
    void first.start();
    void second.start();
    await clock.advance(0);
    expect([first.isLeading(), second.isLeading()]).toEqual([true, false]);
    for (let minute = 0; minute < 10; minute += 1) {
      await clock.advance(60_000);
      expect([first.elector.isLeader(), second.elector.isLeader()]).toEqual([true, false]);
    }
    expect(store.lease?.spec).toEqual({
      holderIdentity: 'first',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:10:00.000000Z',
      leaseTransitions: 0,
    });
  });

  test('the second takes over within a retry when the first ends in good order', async () => {
    const { clock, store, first, second } = twoReplicas();
    const ended = first.start();
    void second.start();
    await clock.advance(30_000);
    first.end.abort();
    expect(await ended).toBe('finished');
    expect(store.lease?.spec).not.toHaveProperty('holderIdentity');
    expect(store.lease?.spec).toMatchObject({ leaseDurationSeconds: 1 });
    await clock.advance(2_000);
    expect(second.isLeading()).toBe(true);
    expect(store.lease?.spec).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
  });

  test('the first, cut off, stops before the second takes over, and the two never lead at once', async () => {
    const { clock, first, second } = twoReplicas();
    const ended = first.start();
    void second.start();
    await clock.advance(30_000);
    first.client.isCutOff = true;
    let stoppedAfterMs: number | undefined;
    let tookOverAfterMs: number | undefined;
    for (let ms = 0; ms < 30_000; ms += 500) {
      await clock.advance(500);
      expect(first.isLeading() && second.isLeading()).toBe(false);
      if (!first.isLeading()) stoppedAfterMs ??= ms;
      if (second.isLeading()) tookOverAfterMs ??= ms;
    }
    expect(await ended).toBe('lost');
    expect(stoppedAfterMs).toBeLessThanOrEqual(10_500);
    expect(tookOverAfterMs).toBeGreaterThanOrEqual(13_000);
    expect(tookOverAfterMs).toBeLessThanOrEqual(19_000);
  });

  test('a first write whose answer comes late counts from when it was sent, so that the two never lead at once', async () => {
    const clock = fakeClock(Date.UTC(2026, 0, 1));
    const store = testLeaseStore();
    const first = replica('first', { clock, store });
    const second = replica('second', { clock, store });
    const { create } = first.client;
    first.client.create = async (kind, object) => {
      const created = await create(kind, object);
      await clock.sleep(9_000);
      first.client.isCutOff = true;
      return created;
    };
    void first.start();
    await clock.advance(0);
    void second.start();
    let hasLed = false;
    for (let ms = 0; ms < 30_000; ms += 500) {
      await clock.advance(500);
      hasLed ||= first.isLeading();
      expect(first.isLeading() && second.isLeading()).toBe(false);
    }
    expect([hasLed, second.isLeading()]).toEqual([true, true]);
  });

  test('each reports whether it leads: at the start, and once for each change', async () => {
    const { clock, first, second } = twoReplicas();
    const lost = first.start();
    void second.start();
    await clock.advance(30_000);
    first.client.isCutOff = true;
    await clock.advance(30_000);
    expect(await lost).toBe('lost');
    expect([first.reported, second.reported]).toEqual([
      [false, true, false],
      [false, true],
    ]);
    second.end.abort();
    await clock.advance(0);
    expect(second.reported).toEqual([false, true, false]);
  });

  test('a request that is never answered costs one attempt, not the lease', async () => {
    const { clock, first, second } = twoReplicas();
    void first.start();
    void second.start();
    await clock.advance(30_000);
    const { get } = first.client;
    first.client.get = (_kind, _key, { signal } = {}) => {
      first.client.get = get;
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          reject(new KubeError('aborted', { code: 'aborted', cause: signal.reason }));
        });
      });
    };
    await clock.advance(60_000);
    expect([first.isLeading(), second.isLeading()]).toEqual([true, false]);
    expect(first.reported).toEqual([false, true]);
  });

  test('a short outage changes nothing', async () => {
    const { clock, first, second } = twoReplicas();
    void first.start();
    void second.start();
    await clock.advance(30_000);
    first.client.isCutOff = true;
    second.client.isCutOff = true;
    await clock.advance(7_000);
    first.client.isCutOff = false;
    second.client.isCutOff = false;
    await clock.advance(60_000);
    expect([first.isLeading(), second.isLeading()]).toEqual([true, false]);
  });

  test('the one that is stopped while it waits never leads', async () => {
    const { clock, first, second } = twoReplicas();
    void first.start();
    const ended = second.start();
    await clock.advance(10_000);
    second.end.abort();
    await clock.advance(0);
    expect(await ended).toBe('finished');
    expect(second.isLeading()).toBe(false);
  });

  test('a clock that is wrong on one machine lets nobody take over early', async () => {
    const store = testLeaseStore();
    const clock = fakeClock(Date.UTC(2026, 0, 1));
    const first = replica('first', { clock, store });
    const fastClock = fakeClock(Date.UTC(2030, 0, 1));
    const second = replica('second', { clock: fastClock, store });
    void first.start();
    await clock.advance(0);
    void second.start();
    for (let second_ = 0; second_ < 60; second_ += 1) {
      await clock.advance(1_000);
      await fastClock.advance(1_000);
    }
    expect([first.isLeading(), second.isLeading()]).toEqual([true, false]);
  });
});

test('a leader that may hold on longer than the others wait is a bug', () => {
  const options = { client: testLeaseStore().client(), clock: fakeClock(), identity: 'a', lease: { namespace: 'n', name: 'l' } };
  expect(() => createLeaderElector({ ...options, leaseDurationMs: 10_000, renewDeadlineMs: 10_000 })).toThrow(RangeError);
});

test('when the metric of leadership throws › a leader that loses its lease stops all the same', async () => {
  const shared = { clock: fakeClock(Date.UTC(2026, 0, 1)), store: testLeaseStore() };
  const client = shared.store.client();
  const onLeadership = (): void => {
    throw new RangeError('no such label');
  };
  const lease = { namespace: 'kube-system', name: 'karpenter' };
  const elector = createLeaderElector({ client, clock: shared.clock, identity: 'first', lease, onLeadership });
  const { lead, isLeading } = replica('first', shared);
  const end = elector.run(new AbortController().signal, lead);
  await shared.clock.advance(0);
  expect(isLeading()).toBe(true);
  client.isCutOff = true;
  await shared.clock.advance(20_000);
  expect([isLeading(), await end]).toEqual([false, 'lost']);
});
