import { expect, jest, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import { aStoryCluster } from './story-cluster.ts';
import { aStoryPool } from './story-objects.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);

const GRACE_SECONDS = 10;

/** Two pods, or one on each node, which take ten seconds to end. */
const aWorkload = (kind: 'Deployment' | 'DaemonSet', name: string, priorityClassName?: string): KubeObject => {
  const containers = [{ name: 'main', image: 'pause', resources: { requests: { cpu: '500m' } } }];
  const spec = {
    terminationGracePeriodSeconds: GRACE_SECONDS,
    containers,
    ...(priorityClassName === undefined ? {} : { priorityClassName }),
  };
  const template = { metadata: { labels: { app: name } }, spec };
  return {
    ...{ apiVersion: 'apps/v1', kind, metadata: { name, namespace: 'default' } },
    ...{ spec: { ...(kind === 'Deployment' ? { replicas: 2 } : {}), selector: { matchLabels: { app: name } }, template } },
  };
};

test('a node is drained in four groups, each when the one before has left: applications, daemons, what is critical, critical daemons', async () => {
  await using story = await aStoryCluster();
  const inOrder = ['web', 'logs', 'dns', 'network'];
  await story.create(
    aStoryPool({ disruption: { consolidateAfter: 'Never' } }),
    aWorkload('DaemonSet', 'network', 'system-node-critical'),
    aWorkload('DaemonSet', 'logs'),
    aWorkload('Deployment', 'dns', 'system-cluster-critical'),
    aWorkload('Deployment', 'web'),
  );
  await story.until('six pods run', async () => (await runningPodCount(story)) === 6);
  const [node] = await story.nodes();
  const name = node?.metadata.name ?? '';
  await story.kube.delete('Node', { name });
  const together = new Set<string>();
  await story.until(
    'the node is gone',
    async () => {
      const ending = (await story.pods()).filter(
        ({ metadata, spec }) => spec.nodeName === name && metadata.deletionTimestamp !== undefined,
      );
      together.add([...new Set(ending.map(({ metadata }) => metadata.labels?.['app']))].join(' and '));
      return (await story.nodes()).every(({ metadata }) => metadata.name !== name);
    },
    600_000,
  );
  expect([...together].filter((apps) => apps !== '')).toEqual(inOrder);
  const evicted = story.decisions.flatMap((each) => (each.kind === 'pod-evicted' ? (each.pod.metadata.labels?.['app'] ?? '') : []));
  expect(evicted).toEqual(['web', 'web', 'logs', 'dns', 'dns', 'network']);
  expect(story.decisions.filter(({ kind }) => kind === 'node-drained')).toHaveLength(1);
});
