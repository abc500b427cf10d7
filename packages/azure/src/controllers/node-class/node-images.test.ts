import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { AKSNodeClass, NodeImage } from '../../apis/index.ts';
import { aNodeClass } from '../../testing/azure-world.ts';
import { FakeCluster } from '../../testing/fake-cluster.ts';
import { nodeImages } from './node-images.ts';

const { signal } = new AbortController();
const NOW = Date.UTC(2026, 0, 10, 12);
const image = (version: string): NodeImage => ({ id: `/CommunityGalleries/g/images/gen2/versions/${version}`, requirements: [] });

const resolved: AKSNodeClass = {
  ...aNodeClass(),
  status: { images: [image('1')], kubernetesVersion: '1.33.4', conditions: [{ type: 'ImagesReady', status: 'True' }] },
};

const imagesFor = async (nodeClass: AKSNodeClass, window?: readonly [start: string, end: string], kubernetesVersion = '1.33.4') => {
  const cluster = new FakeCluster();
  if (window !== undefined) {
    const [start, end] = window;
    const data = { 'aksManagedNodeOSUpgradeSchedule-start': start, 'aksManagedNodeOSUpgradeSchedule-end': end };
    cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'upcoming-maintenance-window' }, ...{ data } });
  }
  const images = { newest: () => Promise.resolve([image('2')]) };
  const deps = {
    kube: cluster.kube(),
    options: { systemNamespace: 'kube-system', sharedGalleries: undefined },
    images,
    clock: fakeClock(NOW),
  };
  const answer = await nodeImages(deps, { nodeClass, kubernetesVersion }, signal);
  return { version: answer.images[0]?.id.split('/').at(-1), message: answer.verdict.message };
};

const later = ['2026-01-11T00:00:00Z', '2026-01-11T04:00:00Z'] as const;

describe('newer images', () => {
  test('are taken where there is no window, and in it', async () => {
    expect((await imagesFor(resolved)).version).toBe('2');
    expect((await imagesFor(resolved, ['2026-01-10T10:00:00Z', '2026-01-10T14:00:00Z'])).version).toBe('2');
  });

  test('wait for the window', async () => {
    expect((await imagesFor(resolved, later)).version).toBe('1');
  });

  test('do not wait where the class has none yet, nor where the cluster was upgraded', async () => {
    expect((await imagesFor(aNodeClass(), later)).version).toBe('2');
    expect((await imagesFor(resolved, later, '1.34.0')).version).toBe('2');
  });

  test('wait for a window that cannot be read, and the condition says so', async () => {
    const { version, message } = await imagesFor(resolved, ['soon', '']);
    expect(version).toBe('1');
    expect(message).toMatch(/upcoming-maintenance-window .*is "soon"/);
  });
});
