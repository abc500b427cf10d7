import { describe, expect, test } from '@jest/globals';
import { fakeClock, KubeError } from '@karpenter/runtime';
import type { EvictOptions } from '@karpenter/runtime';
import type { Pod } from '../kube/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import type { Decision } from '../ports/index.ts';
import { Evictions } from './evictions.ts';

const { signal } = new AbortController();
const pod: Pod = { metadata: { name: 'web', namespace: 'default', uid: 'u' }, spec: { containers: [], nodeName: 'n' } };

const anEvictionScene = () => {
  const kube = new FakeCluster();
  const clock = fakeClock();
  const reported: Decision['kind'][] = [];
  const evictions = new Evictions({ kube, clock, reporter: { report: ({ kind }) => void reported.push(kind) } });
  return { kube, clock, reported, evictions };
};

describe('evicting a pod', () => {
  test('is reported once it has been accepted', async () => {
    const { evictions, reported } = anEvictionScene();
    await evictions.evict(pod, { reason: 'Empty', signal });
    expect(reported).toEqual(['pod-evicted']);
  });

  test('that was accepted › is not repeated while the cache does not show the pod as terminating, but after ten seconds', async () => {
    const { clock, evictions, reported } = anEvictionScene();
    for (const waitMs of [0, 100, 9800, 100]) {
      await clock.advance(waitMs);
      await evictions.evict(pod, { reason: 'Empty', signal });
    }
    expect(reported).toEqual(['pod-evicted', 'pod-evicted']);
  });

  test('that was accepted before the clock was set back is repeated at once', async () => {
    const { clock, evictions, reported } = anEvictionScene();
    const now = clock.now.bind(clock);
    await clock.advance(3_600_000);
    for (const backMs of [0, 0, 3_600_000, 3_600_000]) {
      Object.assign(clock, { now: () => now() - backMs });
      await evictions.evict(pod, { reason: 'Empty', signal });
    }
    expect(reported).toEqual(['pod-evicted', 'pod-evicted']);
  });

  test('that its budget refuses is tried again after 100 ms, then 200 ms, and so on', async () => {
    const { kube, clock, evictions, reported } = anEvictionScene();
    kube.evictionAnswer = { blocked: 'not now', status: 429 };
    for (const waitMs of [0, 99, 1, 199, 1]) {
      await clock.advance(waitMs);
      await evictions.evict(pod, { reason: 'Empty', signal });
    }
    expect(reported).toEqual(['eviction-blocked', 'eviction-blocked', 'eviction-blocked']);
  });

  test('names its uid, so that a successor of the same name is left alone', async () => {
    const { kube, evictions } = anEvictionScene();
    const asked: (string | undefined)[] = [];
    Object.assign(kube, {
      evict: (_pod: unknown, options: EvictOptions) => {
        asked.push(options.uid);
        return Promise.resolve('evicted');
      },
    });
    await evictions.evict(pod, { reason: 'Empty', signal });
    expect(asked).toEqual(['u']);
  });

  test('that is gone, or another pod by now, counts as not found', async () => {
    const { kube, evictions, reported } = anEvictionScene();
    kube.evictionAnswer = 'gone';
    await evictions.evict(pod, { reason: 'Empty', signal });
    expect(reported).toEqual(['eviction-failed']);
  });

  test('when the API server fails, is reported with the status, thrown, and tried again after 100 ms', async () => {
    const { kube, clock, evictions, reported } = anEvictionScene();
    const failure = new KubeError('etcd is away', { code: 'server', status: 500, cause: undefined });
    Object.assign(kube, { evict: () => Promise.reject(failure) });
    await expect(evictions.evict(pod, { reason: 'Empty', signal })).rejects.toBe(failure);
    expect(reported).toEqual(['eviction-failed']);
    expect(evictions.refusalOf(pod)).toBe('etcd is away');
    await clock.advance(99);
    await evictions.evict(pod, { reason: 'Empty', signal });
    await clock.advance(1);
    await expect(evictions.evict(pod, { reason: 'Empty', signal })).rejects.toBe(failure);
  });

  test('that is aborted leaves no refusal behind', async () => {
    const { kube, evictions } = anEvictionScene();
    const aborted = new KubeError('aborted by the caller', { code: 'aborted', cause: undefined });
    Object.assign(kube, { evict: () => Promise.reject(aborted) });
    await expect(evictions.evict(pod, { reason: 'Empty', signal })).rejects.toBe(aborted);
    expect(evictions.refusalOf(pod)).toBeUndefined();
  });

  test('when one namespace has hundreds › at most 32 are under way, and a pod of another namespace is next but for these', async () => {
    const { kube, evictions } = anEvictionScene();
    const begun: string[] = [];
    const answers: (() => void)[] = [];
    Object.assign(kube, {
      evict: ({ namespace }: { namespace: string }) => {
        begun.push(namespace);
        return new Promise((resolve) => answers.push(() => resolve('evicted')));
      },
      delete: (_kind: string, { namespace }: { namespace: string }) => {
        begun.push(namespace);
        return Promise.resolve();
      },
    });
    const podIn = (namespace: string, name: string): Pod => ({ ...pod, metadata: { name, namespace, uid: `${namespace}/${name}` } });
    const crowd = Array.from({ length: 300 }, (_, index) => evictions.evict(podIn('crowd', `pod-${index}`), { reason: 'Empty', signal }));
    const other = evictions.force(podIn('other', 'web'), { reason: 'Empty', graceSeconds: 1, signal });
    expect(begun).toHaveLength(32);
    for (const answer of answers.splice(0, 2)) answer();
    await other;
    expect(begun.filter((namespace) => namespace === 'crowd').length).toBeLessThanOrEqual(35);
    for (let each = 0; each < 300; each++) {
      for (const answer of answers.splice(0)) answer();
      await Promise.resolve();
    }
    await Promise.all(crowd);
    expect(begun).toHaveLength(301);
  });
});
