import type { EventSubject } from '@karpenter/runtime';
import { labels } from '../../apis/index.ts';
import { compareText, getOrMake, identities } from '../../base/index.ts';
import type { BufferView, ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { namespaceOf } from '../../kube/index.ts';
import type { ObjectMeta, Pod } from '../../kube/index.ts';
import { podId } from '../../state/index.ts';
import { aboutPod } from '../observability/events/event-subjects.ts';

/** What kinds of objects a decision can be made without. A claim whose node is not there yet counts as the node. */
type SuspectKind = 'Pod' | 'CapacityBuffer' | 'DaemonSet' | 'PodDisruptionBudget' | 'Node' | 'NodePool';

/** One object that a decision can be made without. */
export interface SuspectObject {
  /** Unique among the objects of a snapshot. */
  readonly id: string;
  readonly subject: EventSubject;
  /** What decisions read of it. The object has changed when one of these has. */
  readonly content: readonly unknown[];
}

/** What is left out together: one object, or all pending pods of a namespace that say the same. */
export interface Suspect {
  readonly kind: SuspectKind;
  /** Empty for what belongs to no namespace. */
  readonly namespace: string;
  readonly objects: readonly SuspectObject[];
}

const subjectOf = (apiVersion: string, kind: string, { name, namespace, uid }: ObjectMeta): EventSubject => ({
  ...{ apiVersion, kind, name },
  ...(namespace === undefined ? {} : { namespace }),
  ...(uid === undefined ? {} : { uid }),
});

const contentOfPod = ({ metadata, spec }: Pod): readonly unknown[] => [metadata.labels, metadata.annotations, spec];

const objectOfPod = (pod: Pod): SuspectObject => ({
  id: `Pod ${podId(pod)}`,
  subject: aboutPod(pod),
  content: contentOfPod(pod),
});

const subjectOfNode = ({ name, hasNode }: NodeView): EventSubject =>
  hasNode ? { apiVersion: 'v1', kind: 'Node', name } : { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name };

/** The nodes of these names, for events. */
export const subjectsOfNodes = (nodes: readonly NodeView[], names: ReadonlySet<string>): readonly EventSubject[] =>
  nodes.filter(({ name }) => names.has(name)).map(subjectOfNode);

const objectOfNode = (node: NodeView): SuspectObject => {
  const { name, labels: has, annotations, taints, allocatable, pods } = node;
  const inOrder = [...pods].sort((a, b) => compareText(podId(a), podId(b)));
  return {
    id: `Node ${name}`,
    subject: subjectOfNode(node),
    content: [has, annotations, taints, allocatable, ...inOrder.flatMap(contentOfPod)],
  };
};

interface Written {
  readonly metadata: ObjectMeta;
  readonly spec: unknown;
}

const suspectsOfKind = (apiVersion: string, kind: SuspectKind, all: readonly Written[]): readonly Suspect[] =>
  all.map(({ metadata, spec }) =>
    alone(kind, {
      id: idOf(kind, metadata),
      subject: subjectOf(apiVersion, kind, metadata),
      content: [metadata.labels, metadata.annotations, spec],
    }),
  );

const objectOfBuffer = ({ buffer: { metadata, spec }, virtualPods: [first] }: BufferView): SuspectObject => ({
  id: idOf('CapacityBuffer', metadata),
  subject: subjectOf('autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer', metadata),
  content: [metadata.annotations, spec, first?.metadata.labels, first?.spec],
});

const idOf = (kind: SuspectKind, { name, namespace = '' }: ObjectMeta): string => `${kind} ${namespace}/${name}`;

/** Pending pods that say the same, in order of their namespaces. */
const podGroups = (pods: readonly Pod[]): readonly Suspect[] => {
  // The cache shares what pods of one workload have in common.
  const numberOf = identities();
  const groups = new Map<string, Suspect & { readonly objects: SuspectObject[] }>();
  for (const pod of [...pods].sort((a, b) => compareText(podId(a), podId(b)))) {
    const namespace = namespaceOf(pod);
    const key = `${namespace} ${numberOf(pod.spec)} ${numberOf(pod.metadata.labels)} ${numberOf(pod.metadata.annotations)}`;
    getOrMake(groups, key, () => ({ kind: 'Pod' as const, namespace, objects: [] })).objects.push(objectOfPod(pod));
  }
  return [...groups.values()].sort((a, b) => compareText(a.namespace, b.namespace));
};

const alone = (kind: SuspectKind, object: SuspectObject): Suspect => ({
  kind,
  namespace: object.subject.namespace ?? '',
  objects: [object],
});

/**
 * Everything of a snapshot that a decision can be made without. Pending pods come first, because leaving one out costs
 * the others least; NodePools come last.
 */
export const suspectsOf = ({
  pendingPods,
  buffers = [],
  daemonSets,
  podDisruptionBudgets,
  nodes,
  nodePools,
}: ClusterSnapshot): readonly Suspect[] => [
  ...podGroups(pendingPods),
  ...buffers.map((buffer) => alone('CapacityBuffer', objectOfBuffer(buffer))),
  ...suspectsOfKind('apps/v1', 'DaemonSet', daemonSets),
  ...suspectsOfKind('policy/v1', 'PodDisruptionBudget', podDisruptionBudgets),
  ...nodes.map((node) => alone('Node', objectOfNode(node))),
  ...suspectsOfKind(
    'karpenter.sh/v1',
    'NodePool',
    nodePools.map(({ nodePool }) => nodePool),
  ),
];

/**
 * The node without anything that a decision could trip over: on its way out, so that it takes no pods and counts
 * against budgets.
 */
const bareNode = (node: NodeView): NodeView => {
  const { name, nodePoolName, claim, providerId, hasNode, isRegistered, isInitialized } = node;
  return {
    ...{ name, hasNode, isRegistered, isInitialized, isReady: false, isMarkedForDeletion: true },
    labels: { [labels.hostname]: name, ...(nodePoolName === undefined ? {} : { [labels.nodePool]: nodePoolName }) },
    ...{ annotations: {}, taints: [], capacity: {}, allocatable: {}, pods: [] },
    ...(nodePoolName === undefined ? {} : { nodePoolName }),
    ...(providerId === undefined ? {} : { providerId }),
    ...(claim && {
      claim: {
        ...{ apiVersion: claim.apiVersion, kind: claim.kind, metadata: { name: claim.metadata.name } },
        spec: { requirements: [], nodeClassRef: claim.spec.nodeClassRef },
      },
    }),
  };
};

/** The snapshot without these objects. A node stays by its name, because its machine still exists. */
export const withoutObjects = (snapshot: ClusterSnapshot, ids: ReadonlySet<string>): ClusterSnapshot => {
  if (ids.size === 0) return snapshot;
  const stays = (kind: SuspectKind, metadata: ObjectMeta): boolean => !ids.has(idOf(kind, metadata));
  return {
    ...snapshot,
    pendingPods: snapshot.pendingPods.filter((pod) => !ids.has(`Pod ${podId(pod)}`)),
    ...(snapshot.buffers && { buffers: snapshot.buffers.filter(({ buffer }) => stays('CapacityBuffer', buffer.metadata)) }),
    daemonSets: snapshot.daemonSets.filter(({ metadata }) => stays('DaemonSet', metadata)),
    podDisruptionBudgets: snapshot.podDisruptionBudgets.filter(({ metadata }) => stays('PodDisruptionBudget', metadata)),
    nodes: snapshot.nodes.map((node) => (ids.has(`Node ${node.name}`) ? bareNode(node) : node)),
    nodePools: snapshot.nodePools.filter(({ nodePool }) => stays('NodePool', nodePool.metadata)),
  };
};

/** The snapshot in which these nodes are there by their names alone, as machines that exist. */
export const withBareNodes = (snapshot: ClusterSnapshot, names: readonly string[]): ClusterSnapshot =>
  withoutObjects(snapshot, new Set(names.map((name) => `Node ${name}`)));

/**
 * Where a process notes what it plans, so that the next one knows what ended it. The process may die at any call, so
 * writes are synchronous.
 */
export interface PlanMarks {
  /** What was written last and not cleared; undefined: nothing, or it cannot be read. Throws nothing. */
  readonly read: () => string | undefined;
  /**
   * Whether the next process finds the text: it may be longer than marks are. Throws nothing: without a mark the next
   * process plans as usual.
   */
  readonly write: (text: string) => boolean;
  /** Whether the next process finds nothing. Throws nothing. */
  readonly clear: () => boolean;
}

/** The plans that may end a process. */
export type PlanKind = 'provisioning' | 'disruption';

/** What may not be planned until then (epoch ms). */
export interface Blame {
  readonly scope: string;
  readonly untilMs: number;
  /** The plans that a node ended; undefined: the scope is no node. */
  readonly of?: PlanKind;
}

/** The search for a node that ends plans. */
export interface CulpritSearch {
  /** Names of the nodes that may do it; undefined: any may. */
  readonly suspects: readonly string[] | undefined;
  /** Those that the plan which runs tries. */
  readonly tried: readonly string[];
}

/** Whether a node may end one kind of plan. */
export interface NodeSuspicion {
  /** Undefined unless plans of this kind ended processes, and none was made since. `searched`: and no node alone does it. */
  readonly stage: 'suspected' | 'searched' | undefined;
  /** Undefined: there is none. */
  readonly search: CulpritSearch | undefined;
}

/** What a process leaves behind. */
export interface PlanMark extends Readonly<Record<PlanKind, NodeSuspicion>> {
  /** Scopes of the plan that runs; empty: none does. */
  readonly during: readonly string[];
  /** One of these scopes ended an earlier process; undefined: nothing is suspected. */
  readonly suspects: readonly string[] | undefined;
  /** Further lists of suspects that ended a process: they come next. */
  readonly waiting: readonly (readonly string[])[];
  readonly blamed: readonly Blame[];
  /** Chores during which a process ended, and which were not done since. */
  readonly ended: readonly string[];
}

export const NO_SUSPICION: NodeSuspicion = { stage: undefined, search: undefined };

export const NO_MARK: PlanMark = {
  ...{ during: [], suspects: undefined, waiting: [], blamed: [], ended: [] },
  ...{ provisioning: NO_SUSPICION, disruption: NO_SUSPICION },
};

const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});

const blamesOf = (value: unknown): readonly Blame[] =>
  (Array.isArray(value) ? value : []).flatMap((each) => {
    const { scope, untilMs, of } = fieldsOf(each);
    if (!isText(scope) || typeof untilMs !== 'number' || !Number.isFinite(untilMs)) return [];
    return [{ scope, untilMs, ...(of === 'provisioning' || of === 'disruption' ? { of } : {}) }];
  });

const searchOf = (value: unknown): CulpritSearch | undefined => {
  const { suspects, tried } = fieldsOf(value);
  return areTexts(tried) ? { suspects: areTexts(suspects) ? suspects : undefined, tried } : undefined;
};

const suspicionOf = (value: unknown): NodeSuspicion => {
  const { stage, search } = fieldsOf(value);
  return { stage: stage === 'suspected' || stage === 'searched' ? stage : undefined, search: searchOf(search) };
};

const objectOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    // The process ended while it wrote the mark.
    return {};
  }
};

/** A mark as it was written; what cannot be read of it counts as not written. */
export const parsedMark = (text: string): PlanMark => {
  const { during, suspects, waiting, blamed, ended, provisioning, disruption } = objectOf(text);
  return {
    during: areTexts(during) ? during : [],
    suspects: areTexts(suspects) ? suspects : undefined,
    waiting: Array.isArray(waiting) ? waiting.filter(areTexts) : [],
    blamed: blamesOf(blamed),
    ended: areTexts(ended) ? ended : [],
    provisioning: suspicionOf(provisioning),
    disruption: suspicionOf(disruption),
  };
};

/** Whether the mark says nothing to the next process. */
export const isCleanMark = ({ during, suspects, blamed, ended, provisioning, disruption }: PlanMark): boolean =>
  during.length + blamed.length + ended.length === 0 &&
  [suspects, provisioning.stage, provisioning.search, disruption.stage, disruption.search].every((each) => each === undefined);

/** Of a workload its own; any other scope is one. */
export const namespaceOfScope = (scope: string): string => scope.split('/')[0] ?? '';

/**
 * The mark without the workloads that come later: their namespaces come in their place. The suspects stay by name, so
 * that they grow fewer.
 */
export const shortenedMark = (mark: PlanMark): PlanMark => ({
  ...mark,
  waiting: mark.waiting.map((scopes) => [...new Set(scopes.map(namespaceOfScope))]),
});
