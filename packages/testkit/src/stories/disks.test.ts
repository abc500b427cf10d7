import { describe, expect, jest, test } from '@jest/globals';
import type { NodePool } from '@karpenter/core';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { aDiskIn, aDiskStatefulSet, aDiskClass, zonesOfDisks, zonesOfPods } from './story-storage.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(240_000);

const MINUTE = 60_000;

interface Attachment extends ApiObject {
  readonly spec: { readonly nodeName: string };
}
const attachments: KindRef<Attachment> = { kind: 'VolumeAttachment', apiVersion: 'storage.k8s.io/v1' };
const nodeNames = async (story: StoryCluster): Promise<readonly string[]> => (await story.nodes()).map(({ metadata }) => metadata.name);
const hasMachine = ({ cloud }: StoryCluster, nodeName: string): boolean => cloud.cloud.exists(`simulated:///${nodeName}`);
/** Node name → how many disks it has. */
const disksOf = ({ local }: StoryCluster): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(local.list(attachments), ({ spec }) => spec.nodeName)].map(([name, { length }]) => [name, length]));

const { template } = aStoryPool().spec;
const templateWith = (spec: Partial<NodePool['spec']['template']['spec']>): Partial<NodePool['spec']> => ({
  template: { ...template, spec: { ...template.spec, ...spec } },
});

describe('disks', () => {
  test('of a node that is consolidated are detached while its machine is still there, and their pods run in their zone', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aDiskClass(), aDiskStatefulSet(1), aStoryDeployment(6));
    await story.until('seven pods run', async () => (await runningPodCount(story)) === 7);
    const [old = ''] = await nodeNames(story);
    const detached: (readonly [string, boolean])[] = [];
    using _watch = story.local.watch(attachments, ({ type, object: { spec } }) => {
      if (type === 'DELETED') detached.push([spec.nodeName, hasMachine(story, spec.nodeName)]);
    });
    await story.scale('inflate', 0);
    await story.until(
      'the database runs on another node, and the old one is gone',
      async () => (await runningPodCount(story)) === 1 && !(await nodeNames(story)).includes(old),
      30 * MINUTE,
    );
    expect(detached).toEqual([[old, true]]);
    expect(await zonesOfPods(story)).toEqual(await zonesOfDisks(story));
    expect([...disksOf(story)]).toEqual([[(await nodeNames(story))[0], 1]]);
  });

  test('beyond what a machine attaches open another one, however little their pods ask', async () => {
    await using story = await aStoryCluster();
    const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['sim-c1'] }];
    await story.create(aStoryPool(templateWith({ requirements })), aDiskClass(), aDiskStatefulSet(5, '100m'));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    expect([...disksOf(story).values()].toSorted()).toEqual([1, 2, 2]);
    expect(await story.claims()).toHaveLength(3);
  });

  test('that are there already say in which zone the machine is bought', async () => {
    await using story = await aStoryCluster();
    const container = { name: 'main', image: 'db', resources: { requests: { cpu: '1' } } };
    const pod = (name: string) => ({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' } },
      spec: { containers: [container], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }] },
    });
    await story.create(aStoryPool(), ...aDiskIn('sim-3', 'third'), ...aDiskIn('sim-2', 'second'), pod('third'), pod('second'));
    await story.until('both pods run', async () => (await runningPodCount(story)) === 2);
    expect([...(await zonesOfPods(story))].toSorted()).toEqual([
      ['second', 'sim-2'],
      ['third', 'sim-3'],
    ]);
  });

  test('that several pods wait for are made in one zone, in which all of their machines are bought at once', async () => {
    await using story = await aStoryCluster();
    const claim = {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'shared', namespace: 'default' } },
      spec: { storageClassName: 'disk', accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
    };
    const container = { name: 'main', image: 'web', resources: { requests: { cpu: '3' } } };
    const user = (name: string, spec: object = {}) => ({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' } },
      spec: { containers: [container], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'shared' } }], ...spec },
    });
    const tied = user('tied', { nodeSelector: { 'topology.kubernetes.io/zone': 'sim-3' } });
    const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['sim-c4'] }];
    await story.create(aStoryPool(templateWith({ requirements })), aDiskClass(), claim, user('first'), user('second'), tied);
    await story.until('all three run', async () => (await runningPodCount(story)) === 3);
    expect([...new Set((await zonesOfPods(story)).values())]).toEqual(['sim-3']);
    expect(await story.claims()).toHaveLength(3);
  });

  test('that nobody detaches hold their machine until the grace period of its claim is over, and no longer', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(templateWith({ terminationGracePeriod: '5m' })), aStoryDeployment(1));
    await story.until('the pod runs', async () => (await runningPodCount(story)) === 1);
    const [old = ''] = await nodeNames(story);
    await story.create({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'stuck' } },
      ...{ spec: { attacher: 'disk.csi.simulated.test', nodeName: old, source: { persistentVolumeName: 'stuck' } } },
    });
    await story.kube.delete('Node', { name: old });
    await story.pass(4 * MINUTE);
    expect([hasMachine(story, old), await runningPodCount(story)]).toEqual([true, 1]);
    await story.until('the machine is gone', () => !hasMachine(story, old), 2 * MINUTE);
  });
});

test('a pod whose host port a DaemonSet holds gets a machine on which that does not run', async () => {
  await using story = await aStoryCluster();
  const ports = [{ containerPort: 8080, hostPort: 8080, protocol: 'TCP' }];
  const container = { name: 'main', image: 'web', ports, resources: { requests: { cpu: '100m' } } };
  const labels = { app: 'ingress' };
  const daemonSet = {
    ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'ingress', namespace: 'default' } },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { nodeSelector: { 'kubernetes.io/arch': 'arm64' }, containers: [container] } },
    },
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default' }, spec: { containers: [container] } };
  await story.create(aStoryPool(), daemonSet, pod);
  await story.until('the pod runs', async () => (await runningPodCount(story)) === 1);
  expect((await story.nodes()).map(({ metadata }) => metadata.labels?.['kubernetes.io/arch'])).toEqual(['amd64']);
});
