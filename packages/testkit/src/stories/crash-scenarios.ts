import type { NodePool } from '@karpenter/core';
import type { KarpenterOptions } from '@karpenter/core/controllers';
import type { KubeObject } from '@karpenter/runtime';
import { isRunning } from './cluster-picture.ts';
import type { ClusterPicture } from './cluster-picture.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { aStatefulSet, aStorageClass } from './story-storage.ts';

/** Something that Karpenter does from beginning to end, in the course of which it may die. */
export interface CrashScenario {
  readonly name: string;
  readonly options?: KarpenterOptions;
  /** Brings the cluster to where it begins. */
  prepare(story: StoryCluster): Promise<void>;
  /** What sets it off. */
  begin(story: StoryCluster): Promise<void>;
  /** Whether it came to what it should, `before` being the cluster at its beginning. */
  isDone(now: ClusterPicture, before: ClusterPicture): boolean;
  /** So many pods run at any time: what disruption budgets promise. */
  readonly leastRunning?: number;
}

const typesOf = (...names: readonly string[]) => ({ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: names });

/** A template like that of the pool of all stories, different in `spec`. */
const templateOf = (spec: Partial<NodePool['spec']['template']['spec']>): Pick<NodePool['spec'], 'template'> => {
  const { template } = aStoryPool().spec;
  return { template: { ...template, spec: { ...template.spec, ...spec } } };
};

const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] };

const named = <T extends KubeObject>(object: T, name: string): T => ({ ...object, metadata: { ...object.metadata, name } });

const budget = (spec: object): KubeObject & { readonly spec: object } => ({
  ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'inflate', namespace: 'default' } },
  spec: { ...spec, selector: { matchLabels: { app: 'inflate' } } },
});

const runningIn = ({ pods }: ClusterPicture): number => pods.filter(isRunning).length;
const areAllNew = ({ claims }: ClusterPicture, before: ClusterPicture): boolean =>
  claims.length > 0 && claims.every(({ metadata }) => before.claims.every((old) => old.metadata.name !== metadata.name));

const running = (story: StoryCluster, count: number): Promise<void> =>
  story.until(`${count} pods run`, async () => (await story.pods()).filter(isRunning).length === count);

/** Five pods on one node of a pool. */
const fivePods =
  (spec: Partial<NodePool['spec']>, ...others: readonly KubeObject[]) =>
  async (story: StoryCluster): Promise<void> => {
    await story.create(aStoryPool(spec), ...others, aStoryDeployment(5));
    await running(story, 5);
  };

const patchPool = async (story: StoryCluster, spec: object): Promise<void> => {
  await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec } });
};

const deleteNode = async (story: StoryCluster): Promise<void> => {
  const [node] = await story.nodes();
  await story.kube.delete('Node', { name: node?.metadata.name ?? '' });
};

const movedAsOne = (now: ClusterPicture, before: ClusterPicture): boolean => areAllNew(now, before) && runningIn(now) === 5;

/** Two nodes of eight cores, each with one pod left, in a pool that has just been allowed four. */
const twoHalfEmptyNodes = async (story: StoryCluster): Promise<void> => {
  await story.create(aStoryPool({ ...templateOf({ requirements: [onDemand, typesOf('sim-c8')] }), limits: { cpu: '16' } }));
  for (const [name, count] of [
    ['inflate', 7],
    ['other', 14],
  ] as const) {
    await story.create(named(aStoryDeployment(7), name));
    await running(story, count);
  }
};

const shrinkBoth = async (story: StoryCluster): Promise<void> => {
  await patchPool(story, templateOf({ requirements: [onDemand, typesOf('sim-c4', 'sim-c8')] }));
  for (const name of ['inflate', 'other']) await story.scale(name, 1);
};

/** What is tried: each way in which nodes come and go. */
export const crashScenarios: readonly CrashScenario[] = [
  {
    name: 'a scale-up',
    prepare: () => Promise.resolve(),
    begin: async (story) => story.create(aStoryPool({ limits: { cpu: '8' } }), aStoryDeployment(5)),
    isDone: (now) => runningIn(now) === 5,
  },
  {
    name: 'a scale-up of pods that are nominated',
    options: { podNomination: true },
    prepare: () => Promise.resolve(),
    begin: async (story) => story.create(aStoryPool({ limits: { cpu: '8' } }), aStoryDeployment(5)),
    isDone: (now) => runningIn(now) === 5,
  },
  {
    name: 'a drain under a disruption budget',
    prepare: fivePods({ limits: { cpu: '8' } }, budget({ minAvailable: 4 })),
    begin: deleteNode,
    isDone: movedAsOne,
    leastRunning: 4,
  },
  {
    name: 'an empty node',
    prepare: fivePods({ limits: { cpu: '8' } }),
    begin: (story) => story.scale('inflate', 0),
    isDone: ({ claims, pods }) => claims.length + pods.length === 0,
  },
  {
    name: 'drift with a replacement',
    prepare: fivePods({ limits: { cpu: '8' } }, budget({ minAvailable: 4 })),
    begin: (story) => patchPool(story, { template: { metadata: { labels: { team: 'a' } } } }),
    isDone: movedAsOne,
    leastRunning: 4,
  },
  {
    name: 'the consolidation of several nodes',
    prepare: twoHalfEmptyNodes,
    begin: shrinkBoth,
    isDone: (now, before) => areAllNew(now, before) && now.claims.length === 1 && runningIn(now) === 2,
  },
  {
    name: 'the consolidation of one node',
    prepare: fivePods({ limits: { cpu: '8' } }),
    begin: (story) => story.scale('inflate', 2),
    isDone: (now, before) => areAllNew(now, before) && runningIn(now) === 2 && now.claims.length === 1,
  },
  {
    name: 'an expiration',
    prepare: fivePods({ ...templateOf({ expireAfter: '3m' }), limits: { cpu: '8' }, disruption: { budgets: [{ nodes: '0' }] } }),
    begin: async (story) => {
      await story.pass(60_000);
      // Those that come next live for ever; the drift that this is waits for a budget that never comes.
      await patchPool(story, templateOf({ expireAfter: 'Never' }));
    },
    isDone: movedAsOne,
  },
  {
    name: 'an end by force',
    prepare: fivePods({ ...templateOf({ terminationGracePeriod: '1m' }), limits: { cpu: '8' } }, budget({ maxUnavailable: 0 })),
    begin: deleteNode,
    isDone: movedAsOne,
  },
  {
    name: 'a static pool that grows',
    options: { staticCapacity: true },
    prepare: () => Promise.resolve(),
    begin: async (story) =>
      story.create({ ...aStoryPool(), spec: { ...aStoryPool().spec, replicas: 2, limits: { nodes: '2' } } } as KubeObject),
    isDone: ({ claims }) => claims.length === 2,
  },
  {
    name: 'a static pool that drifts',
    options: { staticCapacity: true },
    prepare: async (story) => {
      await story.create({ ...aStoryPool(), spec: { ...aStoryPool().spec, replicas: 1, limits: { nodes: '2' } } } as KubeObject);
      await story.until('a node is up', async () =>
        (await story.nodes()).some(({ metadata }) => metadata.labels?.['karpenter.sh/initialized'] === 'true'),
      );
    },
    begin: (story) => patchPool(story, { template: { metadata: { labels: { team: 'a' } } } }),
    isDone: (now, before) => areAllNew(now, before) && now.claims.length === 1,
  },
  {
    name: 'a static pool that shrinks',
    options: { staticCapacity: true },
    prepare: async (story) => {
      await story.create({ ...aStoryPool(), spec: { ...aStoryPool().spec, replicas: 2 } } as KubeObject);
      await story.until(
        'two nodes are up',
        async () => (await story.nodes()).filter(({ metadata }) => metadata.labels?.['karpenter.sh/initialized'] === 'true').length === 2,
      );
    },
    begin: (story) => patchPool(story, { replicas: 0 }),
    isDone: ({ claims }) => claims.length === 0,
  },
  {
    name: 'a drain of pods with disks',
    prepare: async (story) => {
      await story.create(aStoryPool({ limits: { cpu: '8' } }), aStorageClass(), aStatefulSet(3));
      await running(story, 3);
    },
    begin: deleteNode,
    isDone: (now, before) => areAllNew(now, before) && runningIn(now) === 3,
  },
];
