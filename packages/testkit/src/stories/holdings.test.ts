import { describe, expect, jest, test } from '@jest/globals';
import { aStoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { aDiskStatefulSet, aDiskClass, zonesOfDisks, zonesOfPods } from './story-storage.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);

const sorted = (zones: ReadonlyMap<string, string | undefined>): readonly unknown[] => [...zones].sort();

describe('pods with disks in a zone', () => {
  test('get nodes there again when their nodes go', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aDiskClass(), aDiskStatefulSet(3));
    await story.until('three pods run', async () => (await runningPodCount(story)) === 3);
    const disks = sorted(await zonesOfDisks(story));
    expect(disks).toHaveLength(3);
    expect(sorted(await zonesOfPods(story))).toEqual(disks);
    const old = (await story.nodes()).map(({ metadata }) => metadata.name);
    for (const name of old) await story.kube.delete('Node', { name });
    await story.until(
      'they run on other nodes',
      async () => (await runningPodCount(story)) === 3 && (await story.nodes()).every(({ metadata }) => !old.includes(metadata.name)),
      1_800_000,
    );
    expect(sorted(await zonesOfPods(story))).toEqual(disks);
  });

  test('wait for a claim that is missing, and are checked again when it is there', async () => {
    await using story = await aStoryCluster();
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'lonely', namespace: 'default' },
      spec: {
        containers: [{ name: 'main', image: 'db', resources: { requests: { cpu: '1' } } }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'late' } }],
      },
    };
    await story.create(aStoryPool(), aDiskClass(), pod);
    await story.pass(30_000);
    expect(await story.claims()).toEqual([]);
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'late', namespace: 'default' },
      spec: { storageClassName: 'disk', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await story.create(claim);
    await story.until('the pod runs', async () => (await runningPodCount(story)) === 1);
  });
});

test('pods that want one host port get a node each', async () => {
  await using story = await aStoryCluster();
  const deployment = aStoryDeployment(3);
  const ports = [{ containerPort: 8080, hostPort: 8080, protocol: 'TCP' }];
  const listening = {
    ...deployment,
    spec: {
      ...deployment.spec,
      template: {
        metadata: { labels: { app: 'inflate' } },
        spec: { containers: [{ name: 'main', image: 'pause', ports, resources: { requests: { cpu: '1' } } }] },
      },
    },
  };
  await story.create(aStoryPool(), listening);
  await story.until('three pods run', async () => (await runningPodCount(story)) === 3);
  expect(new Set((await story.pods()).map(({ spec }) => spec.nodeName)).size).toBe(3);
  expect(await story.nodes()).toHaveLength(3);
});
