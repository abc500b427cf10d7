import { expect, jest, test } from '@jest/globals';
import { CloudProviderError } from '@karpenter/core';
import type { CloudProvider } from '@karpenter/core';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);

const REFUSED = 'a.b.c';
const poolOf = ({ metadata }: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }): string =>
  metadata.labels?.['karpenter.sh/nodepool'] ?? '';

/** A cloud that takes no machine of one pool, for a reason that does not pass. */
const refusing = (provider: CloudProvider): CloudProvider => ({
  ...provider,
  name: provider.name,
  labelCatalog: provider.labelCatalog,
  repairPolicies: provider.repairPolicies,
  getSupportedNodeClasses: () => provider.getSupportedNodeClasses(),
  create: (claim, options) =>
    poolOf(claim) === REFUSED
      ? Promise.reject(
          new CloudProviderError('launch-refused', 'the value of osProfile.computerName is invalid', { reason: 'LaunchRefused' }),
        )
      : provider.create(claim, options),
  delete: (claim, options) => provider.delete(claim, options),
  get: (id, options) => provider.get(id, options),
  list: (options) => provider.list(options),
  getInstanceTypes: (pool, options) => provider.getInstanceTypes(pool, options),
  isDrifted: (claim, options) => provider.isDrifted(claim, options),
});

const claimsOf = ({ decisions }: StoryCluster, pool: string): number =>
  decisions.filter((decision) => decision.kind === 'node-claim-created' && poolOf(decision.claim) === pool).length;

test('when the cloud refuses every machine of the first pool › its pods run on machines of the next one within a minute', async () => {
  await using story = await aStoryCluster();
  story.interceptors = { ...story.interceptors, cloud: refusing };
  story.restart();
  const general = aStoryPool();
  await story.create({ ...aStoryPool({ weight: 50 }), metadata: { name: REFUSED } }, general);
  await story.create(aStoryDeployment(5));
  await story.until('five pods run', async () => (await runningPodCount(story)) === 5, 60_000);
  expect([claimsOf(story, REFUSED), claimsOf(story, 'general') > 0]).toEqual([1, true]);
  await story.create({ ...aStoryDeployment(3), metadata: { name: 'later', namespace: 'default' } });
  await story.until('eight pods run', async () => (await runningPodCount(story)) === 8, 60_000);
  expect(claimsOf(story, REFUSED)).toBe(1);
});
