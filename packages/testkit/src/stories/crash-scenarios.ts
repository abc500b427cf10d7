import type { Node, NodeClaim, NodePool } from '@karpenter/core';
import type { KarpenterOptions } from '@karpenter/core/controllers';
import { type KubeObject, kubeTime } from '@karpenter/runtime';
import type { SimulatedInstanceType } from '@karpenter/simulator';
import { isRunning } from './cluster-picture.ts';
import type { StoryPicture } from './cluster-picture.ts';
import { aRebalancePlan, fillSmallNodes, smallAndLarge } from './rebalance-objects.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aLargePod, aStoryDeployment, aStoryPool, storyTemplate } from './story-objects.ts';
import { aDiskStatefulSet, aDiskClass } from './story-storage.ts';
import { LEAVES_AT_ANNOTATION, TroubledProvider } from './troubled-provider.ts';

/** Something that Karpenter does from beginning to end, and may die while doing. */
export interface CrashScenario {
  readonly name: string;
  readonly options?: KarpenterOptions;
  /** What the cloud sells; its usual sizes when left out. */
  readonly instanceTypes?: readonly SimulatedInstanceType[];
  /** Brings the cluster to where it begins. */
  prepare(story: StoryCluster): Promise<void>;
  /** What sets it off. */
  begin(story: StoryCluster): Promise<void>;
  /** Whether it came to what it should, `before` being the cluster at its beginning. */
  isDone(now: StoryPicture, before: StoryPicture): boolean;
  /** So many pods run at any time: what disruption budgets promise. */
  readonly leastRunning?: number;
  /**
   * So many claims at most are made in vain: a command that has asked for some of its replacements is called off, and
   * planned again.
   */
  readonly claimsInVain?: number;
}

const typesOf = (...names: readonly string[]) => ({ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: names });

const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] };

const named = <T extends KubeObject>(object: T, name: string): T => ({ ...object, metadata: { ...object.metadata, name } });

const budget = (spec: object): KubeObject & { readonly spec: object } => ({
  ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'inflate', namespace: 'default' } },
  spec: { ...spec, selector: { matchLabels: { app: 'inflate' } } },
});

const runningIn = ({ pods }: StoryPicture): number => pods.filter(isRunning).length;
const areAllNew = ({ claims }: StoryPicture, before: StoryPicture): boolean =>
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

const movedAsOne = (now: StoryPicture, before: StoryPicture): boolean => areAllNew(now, before) && runningIn(now) === 5;

/** Two nodes of eight cores, each with one pod left, in a pool that has just been allowed four. */
const twoHalfEmptyNodes = async (story: StoryCluster): Promise<void> => {
  await story.create(aStoryPool({ ...storyTemplate({ requirements: [onDemand, typesOf('sim-c8')] }), limits: { cpu: '16' } }));
  for (const [name, count] of [
    ['inflate', 7],
    ['other', 14],
  ] as const) {
    await story.create(named(aStoryDeployment(7), name));
    await running(story, count);
  }
};

const shrinkBoth = async (story: StoryCluster): Promise<void> => {
  await patchPool(story, storyTemplate({ requirements: [onDemand, typesOf('sim-c4', 'sim-c8')] }));
  for (const name of ['inflate', 'other']) await story.scale(name, 1);
};

const isReplacement = ({ metadata }: NodeClaim): boolean => metadata.annotations?.['karpenter.sh/replaces'] !== undefined;

/** Two of five pods are left, and the first machine that is to come for them is deleted by a person. */
const shrinkInVain = async (story: StoryCluster): Promise<void> => {
  await story.scale('inflate', 2);
  await story.until('a replacement is requested', async () => (await story.claims()).some(isReplacement));
  const replacement = (await story.claims()).find(isReplacement);
  await story.kube.delete('NodeClaim', { name: replacement?.metadata.name ?? '' });
};

const THEIR_HASH = { 'karpenter.sh/nodepool-hash': '123', 'karpenter.sh/nodepool-hash-version': 'v3' };

/** Pool and claims say what another version of Karpenter said of them. */
const writeTheirHash = async (story: StoryCluster): Promise<void> => {
  const patch = { type: 'merge', body: { metadata: { annotations: THEIR_HASH } } } as const;
  for (const { metadata } of await story.claims()) await story.kube.patch('NodeClaim', { name: metadata.name }, patch);
  await story.kube.patch('NodePool', { name: 'general' }, patch);
};

const hasOurHash = ({ metadata }: NodeClaim): boolean =>
  metadata.annotations?.['karpenter.sh/nodepool-hash-version'] === 'karpenter-ts-v1' &&
  metadata.annotations['karpenter.sh/nodepool-hash'] !== THEIR_HASH['karpenter.sh/nodepool-hash'];

/** Five pods on one node of a cloud that announces on nodes which machines it takes away. */
const fivePodsOnSpot = async (story: StoryCluster): Promise<void> => {
  const cloud = new TroubledProvider({ clock: story.clock, random: () => 1 });
  story.interceptors = { ...story.interceptors, cloud: (provider) => cloud.of(provider) };
  story.restart();
  await fivePods({ limits: { cpu: '8' } })(story);
};

const NOTICE_MS = 60_000;

/** The cloud announces that it takes the machine, and takes it when its time is up. */
const interrupt = async (story: StoryCluster): Promise<void> => {
  const [node] = await story.nodes();
  const annotations = { [LEAVES_AT_ANNOTATION]: String(story.clock.now() + NOTICE_MS) };
  await story.kube.patch('Node', { name: node?.metadata.name ?? '' }, { type: 'merge', body: { metadata: { annotations } } });
  story.clock.setTimeout(() => story.cloud.loseMachine(node?.spec?.providerID ?? ''), NOTICE_MS);
};

/** Five pods on one node of a cloud that says what nodes do not recover from. */
const fivePodsOnDisks = async (story: StoryCluster): Promise<void> => {
  Object.assign(story.cloud, { repairPolicies: [{ conditionType: 'DiskBroken', conditionStatus: 'True', tolerationMs: 30_000 }] });
  story.restart();
  await fivePods({ limits: { cpu: '8' } })(story);
};

const fallIll = async (story: StoryCluster): Promise<void> => {
  const [node] = await story.nodes();
  const lastTransitionTime = kubeTime(story.clock.now());
  const conditions = [...(node?.status?.conditions ?? []), { type: 'DiskBroken', status: 'True', lastTransitionTime }];
  await story.kube.patchStatus('Node', { name: node?.metadata.name ?? '' }, { type: 'merge', body: { status: { conditions } } });
};

/** Five pods come, and the first launches for them meet this. */
const launchInto =
  (kind: 'insufficient-capacity' | 'offering-unavailable' | 'lost', times = 1) =>
  async (story: StoryCluster): Promise<void> => {
    story.cloud.faults.add({ fault: { kind }, times });
    await story.create(aStoryPool({ limits: { cpu: '8' } }), aStoryDeployment(5));
  };

const loseMachine = async (story: StoryCluster): Promise<void> => {
  const [node] = await story.nodes();
  story.cloud.loseMachine(node?.spec?.providerID ?? '');
};

/** A machine comes about that no claim accounts for. */
const launchUnasked = async (story: StoryCluster): Promise<void> => {
  const [claim] = await story.claims();
  if (claim === undefined) throw new Error('there is a claim to take after');
  const { signal } = new AbortController();
  void story.cloud.create({ ...claim, metadata: { ...claim.metadata, name: 'nobody', uid: 'nobody' } }, { signal });
  await story.until('a second machine is there', async () => (await story.cloud.list({ signal })).length === 2);
};

/** Five small pods on a node that only a large one, which is with them, needs. */
const oneNodeTooLarge = async (story: StoryCluster): Promise<void> => {
  const requirements = [onDemand, typesOf('sim-m16', 'sim-c4', 'sim-c2')];
  await story.create(aStoryPool({ ...storyTemplate({ requirements }), limits: { cpu: '16' } }), aLargePod(), aStoryDeployment(5));
  await running(story, 6);
};

/** Two full nodes of sixteen cores, on each five small pods and a large one. */
const twoNodesTooLarge = async (story: StoryCluster): Promise<void> => {
  const requirements = [onDemand, typesOf('sim-m16', 'sim-c4', 'sim-c2')];
  await story.create(aStoryPool({ ...storyTemplate({ requirements }), limits: { cpu: '32' } }));
  for (const [name, count] of [
    ['inflate', 6],
    ['other', 12],
  ] as const) {
    await story.create(named(aLargePod('10'), `${name}-large`), named(aStoryDeployment(5), name));
    await running(story, count);
  }
};

const leaveTheSmallPods = async (story: StoryCluster): Promise<void> => {
  for (const name of ['inflate', 'other']) await story.scale(`${name}-large`, 0);
};

/** The pool may no longer buy the size that five pods are on together. */
const forbidTheirSize = (story: StoryCluster): Promise<void> =>
  patchPool(story, storyTemplate({ requirements: [onDemand, typesOf('sim-c4', 'sim-c2')] }));

const CLASS_LABEL = 'karpenter.simulated.test/simulatednodeclass';

/** Claim and node are as a version made them that did not know the label of their class. */
const forgetTheirClass = async (story: StoryCluster): Promise<void> => {
  const patch = { type: 'merge', body: { metadata: { labels: { [CLASS_LABEL]: null } } } } as const;
  for (const { metadata } of await story.claims()) await story.kube.patch('NodeClaim', { name: metadata.name }, patch);
  for (const { metadata } of await story.nodes()) await story.kube.patch('Node', { name: metadata.name }, patch);
};

const namesItsClass = ({ metadata }: Node | NodeClaim): boolean => metadata.labels?.[CLASS_LABEL] === 'default';

/** Four small nodes full of pods, in a pool that lets two go at once. */
const smallNodes = async (story: StoryCluster): Promise<void> => {
  await fillSmallNodes(story);
  await patchPool(story, { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '2' }] } });
};

/** Two waves, each counted once, have moved all pods to one large node. */
const isRebalanced = ({ claims, pods, rebalances }: StoryPicture): boolean => {
  const { phase, nodes, waves, savingsPerHour } = rebalances[0]?.status ?? {};
  const isCounted = phase === 'Completed' && nodes === 4 && waves === 2 && savingsPerHour === '1.1000';
  return isCounted && claims.length === 1 && pods.filter(isRunning).length === 12;
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
    prepare: fivePods({ ...storyTemplate({ expireAfter: '3m' }), limits: { cpu: '8' }, disruption: { budgets: [{ nodes: '0' }] } }),
    begin: async (story) => {
      await story.pass(60_000);
      // Those that come next live for ever; the drift that this is waits for a budget that never comes.
      await patchPool(story, storyTemplate({ expireAfter: 'Never' }));
    },
    isDone: movedAsOne,
  },
  {
    name: 'an end by force',
    prepare: fivePods({ ...storyTemplate({ terminationGracePeriod: '1m' }), limits: { cpu: '8' } }, budget({ maxUnavailable: 0 })),
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
      await story.create(aStoryPool({ limits: { cpu: '8' } }), aDiskClass(), aDiskStatefulSet(3));
      await running(story, 3);
    },
    begin: deleteNode,
    isDone: (now, before) => areAllNew(now, before) && runningIn(now) === 3,
  },
  {
    name: 'a consolidation that is called off, and the next one',
    prepare: fivePods({ limits: { cpu: '8' } }),
    begin: shrinkInVain,
    isDone: (now, before) => areAllNew(now, before) && runningIn(now) === 2 && now.claims.length === 1,
  },
  {
    name: 'one node that gives way to several',
    prepare: oneNodeTooLarge,
    begin: (story) => story.scale('large', 0),
    isDone: (now, before) => areAllNew(now, before) && runningIn(now) === 5 && now.claims.length > 1,
    claimsInVain: 1,
  },
  {
    name: 'several nodes that give way to several',
    prepare: twoNodesTooLarge,
    begin: leaveTheSmallPods,
    isDone: (now, before) => areAllNew(now, before) && runningIn(now) === 10 && now.claims.length > 2,
    claimsInVain: 1,
  },
  {
    name: 'drift with several replacements',
    prepare: fivePods({ limits: { cpu: '8' } }, budget({ minAvailable: 4 })),
    begin: forbidTheirSize,
    isDone: (now, before) => movedAsOne(now, before) && now.claims.length > 1,
    leastRunning: 4,
    claimsInVain: 1,
  },
  {
    name: 'a rebalance in waves',
    instanceTypes: smallAndLarge,
    prepare: smallNodes,
    begin: (story) => story.create(budget({ maxUnavailable: 6 }), aRebalancePlan()),
    isDone: isRebalanced,
    leastRunning: 6,
    claimsInVain: 1,
  },
  {
    name: 'labels of classes that are filled in',
    prepare: fivePods({ limits: { cpu: '8' } }),
    begin: forgetTheirClass,
    isDone: (now, before) => !areAllNew(now, before) && [...now.claims, ...now.nodes].every(namesItsClass),
  },
  {
    name: 'a hash that is migrated',
    prepare: fivePods({ limits: { cpu: '8' } }),
    begin: writeTheirHash,
    isDone: (now, before) => !areAllNew(now, before) && now.claims.length === before.claims.length && now.claims.every(hasOurHash),
  },
  {
    name: 'a repair',
    options: { nodeRepair: true },
    prepare: fivePodsOnDisks,
    begin: fallIll,
    isDone: movedAsOne,
  },
  {
    name: 'an interruption',
    prepare: fivePodsOnSpot,
    begin: interrupt,
    isDone: movedAsOne,
  },
  {
    name: 'a launch that fails',
    prepare: () => Promise.resolve(),
    begin: launchInto('insufficient-capacity'),
    isDone: (now) => runningIn(now) === 5,
  },
  {
    name: 'a machine whose node never comes',
    prepare: () => Promise.resolve(),
    begin: launchInto('lost'),
    isDone: (now) => runningIn(now) === 5,
  },
  {
    name: 'a machine that vanishes',
    prepare: fivePods({ limits: { cpu: '8' } }),
    begin: loseMachine,
    isDone: movedAsOne,
  },
  {
    name: 'a machine that no claim accounts for',
    prepare: fivePods({ limits: { cpu: '8' } }),
    begin: launchUnasked,
    isDone: ({ claims, machines, pods }) => claims.length === 1 && machines.length === 1 && pods.length === 5,
  },
  {
    name: 'a pool that gets a minimum',
    prepare: (story) => story.create(aStoryPool()),
    begin: (story) => patchPool(story, { minimum: { nodes: '1' } }),
    isDone: ({ claims }) => claims.length === 1,
  },
  {
    name: 'a launch whose first offerings are refused',
    prepare: () => Promise.resolve(),
    begin: launchInto('offering-unavailable', 3),
    isDone: (now) => runningIn(now) === 5,
  },
];
