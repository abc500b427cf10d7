import {
  type ClusterSnapshot,
  defaultLabelCatalog,
  defaultSchedulingPolicy,
  type InstanceType,
  type Node,
  type NodePool,
  type Pod,
  type RequirementSpec,
  type SchedulingPolicy,
  snapshotOf,
  type Taint,
} from '@karpenter/core';
import type { CSINode, NodeView, PersistentVolume, PersistentVolumeClaim, StorageClass } from '@karpenter/core/internal';
import { type OriginalQuestion, qualifiedPodName } from './question.ts';
import { reservationKey } from './suite-types.ts';

interface RecordedNode {
  readonly node: Node;
  readonly hasNode: boolean;
  readonly initialized: boolean;
  readonly managed: boolean;
  readonly deleting: boolean;
}

/** Type names with the cheapest first. */
interface RecordedClaim {
  readonly pool: string;
  readonly requirements: readonly RequirementSpec[];
  readonly types: readonly string[];
  readonly pods: readonly string[];
}

/** A question of the original's own test suites as it was recorded. */
export interface SuiteQuestion {
  readonly id: string;
  readonly nodePools: readonly NodePool[];
  /** NodePool → key of its instance types. */
  readonly typesOf: Readonly<Record<string, string>>;
  readonly nodes: readonly RecordedNode[];
  /** One pod of each DaemonSet. */
  readonly daemonPods: readonly Pod[];
  /** Pods of the whole cluster; some name nodes that are gone. */
  readonly pods: readonly Pod[];
  readonly pending: readonly Pod[];
  readonly namespaces: readonly { readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> } }[];
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[];
  readonly persistentVolumes: readonly PersistentVolume[];
  readonly storageClasses: readonly StorageClass[];
  readonly csiNodes: readonly CSINode[];
  readonly preferences: 'Respect' | 'Ignore';
  readonly minValues: 'Strict' | 'BestEffort' | '';
  readonly answer: {
    readonly claims?: readonly RecordedClaim[];
    readonly existing?: Readonly<Record<string, readonly string[]>>;
  };
}

/** Labels that the original's test provider gives its nodes beside those that every provider gives. */
const providerLabels = ['size', 'special', 'integer', 'karpenter.test.sh/testnodeclass', reservationKey];

const labelCatalog: SchedulingPolicy['labelCatalog'] = {
  ...defaultLabelCatalog,
  wellKnown: new Set([...defaultLabelCatalog.wellKnown, ...providerLabels]),
  reservationId: reservationKey,
};

/** Taints that go away before a node is initialized. */
const isPassing = ({ key }: Taint, startup: readonly Taint[]): boolean =>
  key.startsWith('node.kubernetes.io/not-ready') ||
  key.startsWith('node.kubernetes.io/unreachable') ||
  key === 'node.cloudprovider.kubernetes.io/uninitialized' ||
  key === 'karpenter.sh/unregistered' ||
  startup.some((taint) => taint.key === key);

const withState = (view: NodeView, { nodePools }: SuiteQuestion, recorded: RecordedNode | undefined): NodeView => {
  if (recorded === undefined) return view;
  const { hasNode, initialized, managed, deleting } = recorded;
  const { startupTaints = [] } = nodePools.find(({ metadata }) => metadata.name === view.nodePoolName)?.spec.template.spec ?? {};
  const isInitialized = initialized || !managed;
  return {
    ...view,
    hasNode,
    isRegistered: hasNode,
    isInitialized,
    taints: isInitialized ? view.taints : view.taints.filter((taint) => !isPassing(taint, startupTaints)),
    isMarkedForDeletion: deleting,
  };
};

const isUp = (pod: Pod): boolean => pod.metadata.deletionTimestamp === undefined;

/** The recorder leaves out what is empty. */
const withRequirements = (nodePool: NodePool): NodePool => {
  const { template } = nodePool.spec;
  const spec = { ...template.spec, requirements: (template.spec as Partial<NodePool['spec']['template']['spec']>).requirements ?? [] };
  return { ...nodePool, spec: { ...nodePool.spec, template: { ...template, spec } } };
};

const unbound = (pod: Pod): Pod => {
  const { nodeName: _, ...spec } = pod.spec;
  return { ...pod, spec };
};

const snapshotFor = (question: SuiteQuestion, typesOf: (key: string) => readonly InstanceType[]): ClusterSnapshot => {
  const moving = new Set(question.pending.map(qualifiedPodName));
  const snapshot = snapshotOf({
    ...question,
    nodePools: question.nodePools.map(withRequirements),
    instanceTypes: [],
    nodes: question.nodes.map(({ node }) => node),
    pods: question.pods.filter((pod) => pod.spec.nodeName !== undefined && !moving.has(qualifiedPodName(pod))),
    daemonSets: question.daemonPods.map(({ metadata, spec }) => ({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata,
      spec: { selector: {}, template: { spec } },
    })),
  });
  const recorded = new Map(question.nodes.map((node) => [node.node.metadata.name, node]));
  return {
    ...snapshot,
    nodePools: snapshot.nodePools.map((view) => {
      const key = question.typesOf[view.nodePool.metadata.name];
      return { ...view, instanceTypes: key === undefined ? [] : typesOf(key) };
    }),
    nodes: snapshot.nodes.map((view) => withState(view, question, recorded.get(view.name))),
    pendingPods: question.pending.filter(isUp).map(unbound),
  };
};

/** The question that one of the original's test suites asked. */
export const suiteQuestion = (question: SuiteQuestion, typesOf: (key: string) => readonly InstanceType[]): OriginalQuestion => ({
  id: question.id,
  snapshot: snapshotFor(question, typesOf),
  policy: {
    ...defaultSchedulingPolicy,
    labelCatalog,
    preferences: question.preferences,
    minValues: question.minValues === '' ? 'Strict' : question.minValues,
  },
  answer: {
    nodes: (question.answer.claims ?? []).map(({ pool, requirements, types, pods }) => ({
      nodePoolName: pool,
      instanceTypeNames: types,
      requirements,
      pods,
    })),
    existing: new Map(Object.entries(question.answer.existing ?? {})),
  },
});
