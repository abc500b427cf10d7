import type { Node, NodeClaim, NodePool } from '@karpenter/core';
import type { KarpenterOptions } from '@karpenter/core/controllers';
import type { KubeObject } from '@karpenter/runtime';
import type { KindRef } from '@karpenter/api-server';
import type { Guarantees } from './cluster-observer.ts';
import { hasCondition, isRunning } from './cluster-picture.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aLargePod, aStoryDeployment, aStoryPool } from './story-objects.ts';
import { LEAVES_AT_ANNOTATION } from './troubled-provider.ts';

/** What users do, second by second, while Karpenter's view is distorted. They act on the API server directly. */
export interface ViewScenario {
  readonly name: string;
  readonly options?: KarpenterOptions;
  readonly guarantees: Guarantees;
  /** Pods that run in the end. */
  readonly podsInTheEnd: number;
  /** Left out: any number. */
  readonly nodesInTheEnd?: number;
  /** Brings the cluster to where it begins. */
  prepare(story: StoryCluster): Promise<void>;
  readonly userActions: Readonly<Record<number, (story: StoryCluster) => void>>;
}

const sizes = (...values: readonly string[]) => [
  { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] },
  { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values },
];

const buying = (requirements: ReturnType<typeof sizes>, spec: Partial<NodePool['spec']>): NodePool => {
  const { template } = aStoryPool().spec;
  return aStoryPool({ ...spec, template: { ...template, spec: { ...template.spec, requirements } } });
};

/** Nodes of four cores: three pods of one core each. */
const fourCores = (spec: Partial<NodePool['spec']>): NodePool => buying(sizes('sim-c4'), spec);

const pods = (app: string, replicas: number): KubeObject =>
  JSON.parse(JSON.stringify(aStoryDeployment(replicas)).replaceAll('inflate', app)) as KubeObject;

const budget = (minAvailable: number): KubeObject & { readonly spec: object } => ({
  ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'inflate', namespace: 'default' } },
  spec: { minAvailable, selector: { matchLabels: { app: 'inflate' } } },
});

const create = ({ local }: StoryCluster, ...objects: readonly KubeObject[]): void => {
  for (const object of objects) local.create(object);
};

const scale = ({ local }: StoryCluster, name: string, replicas: number): void => {
  local.patch('Deployment', { namespace: 'default', name }, { type: 'merge', body: { spec: { replicas } } });
};

const patchPool = ({ local }: StoryCluster, spec: object): void => {
  local.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec } });
};

const nodes: KindRef<Node & KubeObject> = { kind: 'Node' };

/** The first node that is not being deleted. */
const aStayingNode = ({ local }: StoryCluster): Node | undefined =>
  local.list(nodes).find(({ metadata }) => metadata.deletionTimestamp === undefined);

const deleteOneNode = (story: StoryCluster): void => {
  const node = aStayingNode(story);
  if (node !== undefined) story.local.delete('Node', { name: node.metadata.name });
};

const claims: KindRef<NodeClaim & KubeObject> = { kind: 'NodeClaim' };

/** A person deletes the machine that is to come for a node that goes, if one is. */
const deleteReplacement = ({ local }: StoryCluster): void => {
  const replacement = local
    .list(claims)
    .find((claim) => claim.metadata.annotations?.['karpenter.sh/replaces'] !== undefined && !hasCondition(claim, 'Initialized'));
  if (replacement !== undefined) local.delete('NodeClaim', { name: replacement.metadata.name });
};

const NOTICE_MS = 60_000;

/** The cloud announces that it takes a machine, and takes it when its time is up. */
const interruptOneNode = (story: StoryCluster): void => {
  const node = aStayingNode(story);
  if (node === undefined) return;
  const leavesAt = String(story.clock.now() + NOTICE_MS);
  story.local.patch(
    'Node',
    { name: node.metadata.name },
    { type: 'merge', body: { metadata: { annotations: { [LEAVES_AT_ANNOTATION]: leavesAt } } } },
  );
  story.clock.setTimeout(() => story.cloud.loseMachine(node.spec?.providerID ?? ''), NOTICE_MS);
};

const running =
  (count: number, ...objects: readonly KubeObject[]) =>
  async (story: StoryCluster): Promise<void> => {
    create(story, ...objects);
    await story.until(`${count} pods run`, async () => (await story.pods()).filter(isRunning).length === count);
  };

/** The scenarios: every way in which a guarantee might be broken. */
export const viewScenarios: readonly ViewScenario[] = [
  {
    name: 'a scale-up to a limit',
    guarantees: {},
    podsInTheEnd: 12,
    prepare: () => Promise.resolve(),
    userActions: {
      0: (story) => create(story, aStoryPool({ limits: { cpu: '16', memory: '48Gi', nodes: '5' } }), pods('inflate', 6)),
      15: (story) => create(story, pods('other', 8)),
      40: (story) => scale(story, 'other', 12),
      80: (story) => scale(story, 'other', 6),
    },
  },
  {
    name: 'a drain under a disruption budget',
    guarantees: { leastRunning: 5 },
    podsInTheEnd: 6,
    prepare: running(6, fourCores({ limits: { cpu: '16' } }), budget(5), pods('inflate', 6)),
    userActions: { 2: deleteOneNode, 60: deleteOneNode },
  },
  {
    name: 'consolidation under a budget',
    guarantees: { mostGoing: 1, leastRunning: 5 },
    podsInTheEnd: 6,
    prepare: running(
      12,
      fourCores({ limits: { cpu: '24' }, disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1' }] } }),
      budget(5),
      pods('inflate', 6),
      pods('other', 6),
    ),
    userActions: {
      0: (story) => scale(story, 'other', 0),
      50: (story) => scale(story, 'other', 5),
      90: (story) => scale(story, 'other', 0),
    },
  },
  {
    name: 'drift under a budget',
    guarantees: { mostGoing: 1, leastRunning: 5 },
    podsInTheEnd: 6,
    prepare: running(
      6,
      fourCores({ limits: { cpu: '12' }, disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1' }] } }),
      budget(5),
      pods('inflate', 6),
    ),
    userActions: {
      0: (story) => patchPool(story, { template: { metadata: { labels: { team: 'a' } } } }),
      60: (story) => patchPool(story, { template: { metadata: { labels: { team: 'b' } } } }),
    },
  },
  {
    name: 'consolidation whose replacements a person deletes',
    guarantees: {},
    podsInTheEnd: 2,
    nodesInTheEnd: 1,
    prepare: running(12, aStoryPool({ limits: { cpu: '16' } }), pods('inflate', 12)),
    userActions: {
      0: (story) => scale(story, 'inflate', 2),
      ...Object.fromEntries([24, 27, 48, 52, 70].map((at) => [at, deleteReplacement])),
    },
  },
  {
    name: 'a node that gives way to several under a budget',
    guarantees: { mostGoing: 1, leastRunning: 4 },
    podsInTheEnd: 5,
    prepare: running(
      6,
      buying(sizes('sim-m16', 'sim-c4', 'sim-c2'), {
        limits: { cpu: '24' },
        disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1' }] },
      }),
      budget(4),
      aLargePod(),
      pods('inflate', 5),
    ),
    userActions: {
      0: (story) => scale(story, 'large', 0),
      50: (story) => scale(story, 'large', 1),
      85: (story) => scale(story, 'large', 0),
    },
  },
  {
    name: 'drift into several under a budget',
    guarantees: { mostGoing: 1, leastRunning: 5 },
    podsInTheEnd: 6,
    prepare: running(
      6,
      buying(sizes('sim-c8'), { limits: { cpu: '12' }, disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1' }] } }),
      budget(5),
      pods('inflate', 6),
    ),
    userActions: {
      0: (story) => patchPool(story, { template: { spec: { requirements: sizes('sim-c4') } } }),
      60: (story) => patchPool(story, { template: { spec: { requirements: sizes('sim-c2') } } }),
    },
  },
  {
    name: 'interruptions',
    guarantees: {},
    podsInTheEnd: 6,
    prepare: running(6, fourCores({ limits: { cpu: '12' } }), pods('inflate', 6)),
    userActions: { 0: interruptOneNode, 70: interruptOneNode },
  },
  {
    name: 'a static pool that grows to its limit and shrinks',
    options: { staticCapacity: true },
    guarantees: {},
    podsInTheEnd: 0,
    nodesInTheEnd: 1,
    prepare: () => Promise.resolve(),
    userActions: {
      0: (story) => create(story, { ...aStoryPool(), spec: { ...aStoryPool().spec, replicas: 2, limits: { nodes: '3' } } } as KubeObject),
      40: (story) => patchPool(story, { replicas: 3 }),
      80: (story) => patchPool(story, { replicas: 1 }),
    },
  },
];
