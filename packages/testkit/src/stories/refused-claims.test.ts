import { expect, jest, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import { aStoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(300_000);

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

const absent = (key: string): Expression => ({ key, operator: 'DoesNotExist' });

/** A pod that is small enough for the node of any others, and requires this. */
const aPodRequiring = (name: string, matchExpressions: readonly Expression[]): KubeObject & { readonly spec: object } => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' } },
  spec: {
    containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '100m' } } }],
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } },
  },
});

test.each<[string, readonly Expression[]]>([
  ['another node by its host name', [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['n1'] }]],
  ['a restricted label', [{ key: 'karpenter.sh/x', operator: 'NotIn', values: ['a'] }]],
  ['a restricted label of a domain within', [absent('example.karpenter.sh/x')]],
  ['120 labels that no node has', Array.from({ length: 120 }, (_, index) => absent(`x.example.com/k-${index}`))],
])('when a pod excludes %s › it runs, and so do the pods beside it', async (_, excluded) => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool());
  await story.pass(2_000);
  await story.create(aStoryDeployment(3), aPodRequiring('odd', excluded));
  await story.until(
    'four pods run',
    async () => (await story.pods()).filter(({ spec }) => spec.nodeName !== undefined).length === 4,
    60_000,
  );
  expect(story.decisions.filter(({ kind }) => kind === 'node-claim-invalid')).toEqual([]);
});

test('when a pod requires that its node has no host name › the pods beside it run, and it waits without a machine', async () => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool());
  await story.pass(2_000);
  await story.create(aPodRequiring('odd', [absent('kubernetes.io/hostname')]), aStoryDeployment(3));
  const bound = async (): Promise<number> => (await story.pods()).filter(({ spec }) => spec.nodeName !== undefined).length;
  await story.until('three pods run', async () => (await bound()) === 3, 60_000);
  const before = (await story.claims()).length;
  await story.pass(60_000);
  expect([await bound(), (await story.claims()).length]).toEqual([3, before]);
});
