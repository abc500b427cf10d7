import { getOrMake, itemAt } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import { isActive, isReschedulable } from '../kube/index.ts';
import type { Pod } from '../kube/index.ts';
import type { PodSet } from './pod-classes/pod-class.ts';
import type { DeviceExplainer } from './devices/device-explainer.ts';
import type { NewNode, Run } from './nodes/new-nodes/new-node.ts';
import type { ExistingNodes } from './nodes/existing-nodes/existing-nodes.ts';
import type { Plan, PlannedNode } from './planned-node.ts';
import { relaxingPods } from './relaxed-preferences.ts';
import { rejecting } from './rejection/pod-rejection.ts';
import type { PoolRejection, Rejection } from './rejection/rejection.ts';
import type { DroppedGroup } from './solve/pod-groups.ts';
import type { Solution } from './solve/solve.ts';
import type { DomainTable } from './topology/domain-table.ts';
import { podGroupOf } from '../cluster/index.ts';
import type { BufferView, ClusterSnapshot, NodeView } from '../cluster/index.ts';

/** The answer to one question, still in classes and counts. */
export interface SolvedQuestion {
  readonly podSets: readonly PodSet[];
  /** The planned nodes that were chosen in the end. */
  readonly newNodes: readonly NewNode[];
  readonly solution: Solution;
  /** Pod groups that get no place, none of their pods among the pod sets. */
  readonly dropped: readonly DroppedGroup[];
  /** Pools that launch nothing, so that nothing was tried with them. */
  readonly closed: readonly PoolRejection[];
  /** Absent where no pod has topology constraints. */
  readonly domains: DomainTable | undefined;
  /** Absent where no pod claims devices. */
  readonly devices: DeviceExplainer | undefined;
}

/** Moves the next `count` pods of the class, oldest first, to a list. */
type Deal = (run: Pick<Run, 'podClass' | 'count'>, to: Pod[]) => void;

const podDealer = (podSets: readonly PodSet[]): Deal => {
  const stacks = new Map(podSets.map(({ podClass, pods }) => [podClass, { pods, dealt: 0 }]));
  return ({ podClass, count }, to) => {
    const stack = stacks.get(podClass);
    if (stack === undefined) return;
    for (let i = 0; i < count; i++) {
      const pod = stack.pods[stack.dealt++];
      if (pod !== undefined) to.push(pod);
    }
  };
};

/** Runs of pods between two pauses: about a millisecond. */
const PODS_A_STEP = 1024;

/** The same for planned nodes. */
const NODES_A_STEP = 8;

function* placingPods(existing: ExistingNodes, deal: Deal): Steps<Plan['placements']> {
  const placements = new Map<string, Pod[]>();
  for (const [index, run] of existing.log.entries()) {
    const name = itemAt(existing.nodes, run.node).name;
    const there = getOrMake(placements, name, () => []);
    deal(run, there);
    if (index % PODS_A_STEP === 0) yield;
  }
  return placements;
}

/** The rejections of a group's pods. All say why one of them lacked a place. */
function* rejectingGroup(
  { group, placed, lacking }: DroppedGroup,
  { closed, domains, devices }: SolvedQuestion,
): Steps<readonly Rejection[]> {
  const pods = group.podSets.flatMap((podSet) => podSet.pods);
  const [cause] = lacking === undefined ? [] : yield* rejecting(lacking.unplaced, { ledgers: lacking.ledgers, closed, domains, devices });
  const { name, minMember, staying } = group;
  const reason = {
    kind: 'pod-group',
    group: name,
    minMember,
    placed,
    members: staying + pods.length,
    ...(cause && { lacking: cause }),
  } as const;
  return pods.map((pod) => ({ pod, reason }));
}

function* rejectingAll(answer: SolvedQuestion): Steps<readonly Rejection[]> {
  const {
    solution: { unplaced, ledgers },
    closed,
    domains,
    devices,
  } = answer;
  const rejections: Rejection[] = [];
  for (const unplacedPods of unplaced) {
    for (const rejection of yield* rejecting(unplacedPods, { ledgers, closed, domains, devices })) rejections.push(rejection);
    yield;
  }
  for (const dropped of answer.dropped) for (const rejection of yield* rejectingGroup(dropped, answer)) rejections.push(rejection);
  return rejections;
}

/**
 * The plan of an answer, with pods in place of classes and counts. The oldest of a class go on existing nodes, the
 * next on planned ones; the youngest are left over.
 */
export function* assembling(
  answer: SolvedQuestion,
  existing: ExistingNodes,
  planNode: (newNode: NewNode, pods: readonly Pod[]) => PlannedNode,
): Steps<Plan> {
  const { podSets, newNodes } = answer;
  const deal = podDealer(podSets);
  yield;
  const placements = yield* placingPods(existing, deal);
  const plannedNodes: PlannedNode[] = [];
  for (const newNode of newNodes) {
    const pods: Pod[] = [];
    for (const run of newNode.runs) deal(run, pods);
    if (plannedNodes.push(planNode(newNode, pods)) % NODES_A_STEP === 0) yield;
  }
  const relaxed = yield* relaxingPods(podSets, answer.solution.relaxed);
  return {
    plannedNodes,
    placements,
    rejections: yield* rejectingAll(answer),
    ...(relaxed.length === 0 ? {} : { relaxed }),
    pricePerHour: plannedNodes.reduce((sum, { cheapest }) => sum + cheapest.offering.pricePerHour, 0),
  };
}

/** Where a plan puts the chunks of a buffer. */
export interface BufferOutcome {
  readonly view: BufferView;
  /** Node name → virtual pods that fit there. */
  readonly onNodes: ReadonlyMap<string, readonly Pod[]>;
  /** How many need a new node. */
  readonly onNewNodes: number;
  readonly rejections: readonly Rejection[];
}

/** A plan taken apart: what is to be done for pods that exist, and what became of each buffer. */
export interface SplitPlan {
  /** Without virtual pods; a planned node that is for them alone has no pods. */
  readonly plan: Plan;
  /** In the order of the buffers. */
  readonly buffers: readonly BufferOutcome[];
}

/** The planned node without virtual pods: itself where it has none. */
export const withoutVirtualPods = (node: PlannedNode, virtual: ReadonlySet<Pod>): PlannedNode =>
  node.pods.some((pod) => virtual.has(pod)) ? { ...node, pods: node.pods.filter((pod) => !virtual.has(pod)) } : node;

export const virtualPodsOf = (buffers: readonly BufferView[]): ReadonlySet<Pod> => new Set(buffers.flatMap((each) => each.virtualPods));

const outcomeOf = (view: BufferView, { placements, plannedNodes, rejections }: Plan): BufferOutcome => {
  const own = new Set(view.virtualPods);
  const onNodes = new Map<string, readonly Pod[]>();
  for (const [name, pods] of placements) {
    const there = pods.filter((pod) => own.has(pod));
    if (there.length > 0) onNodes.set(name, there);
  }
  return {
    view,
    onNodes,
    onNewNodes: plannedNodes.reduce((sum, { pods }) => sum + pods.filter((pod) => own.has(pod)).length, 0),
    rejections: rejections.filter(({ pod }) => own.has(pod)),
  };
};

/** Takes the virtual pods out of a plan. Costs one read of each pod for each buffer. */
export const splitPlan = (plan: Plan, buffers: readonly BufferView[]): SplitPlan => {
  if (buffers.length === 0) return { plan, buffers: [] };
  const virtual = virtualPodsOf(buffers);
  const isReal = (pod: Pod): boolean => !virtual.has(pod);
  const placements = new Map<string, readonly Pod[]>();
  for (const [name, pods] of plan.placements) {
    const real = pods.filter(isReal);
    if (real.length > 0) placements.set(name, real);
  }
  const { postponed, relaxed, ...rest } = plan;
  const real = {
    ...rest,
    placements,
    plannedNodes: plan.plannedNodes.map((node) => withoutVirtualPods(node, virtual)),
    rejections: plan.rejections.filter(({ pod }) => isReal(pod)),
    ...(postponed?.some(isReal) === true && { postponed: postponed.filter(isReal) }),
    ...(relaxed?.some(({ pod }) => isReal(pod)) === true && { relaxed: relaxed.filter(({ pod }) => isReal(pod)) }),
  };
  return { plan: real, buffers: buffers.map((view) => outcomeOf(view, plan)) };
};

/** In-flight nodes of a pod group that does not get all its places, and the group. */
export interface IncompleteGroup {
  /** `namespace/name`. */
  readonly name: string;
  readonly nodes: readonly NodeView[];
}

type Planned = Pick<Plan, 'plannedNodes' | 'placements' | 'rejections'>;

/** Whether the plan searched for a place and found none; a pod whose turn has not come may still get one. */
const lacksPlace = ({ reason: { kind } }: Rejection): boolean => kind === 'no-place' || kind === 'pod-group' || kind === 'no-node-pools';

/** Group with a pod that lacks a place → how many must have one. */
const lackingGroups = ({ rejections }: Planned, { podGroups }: ClusterSnapshot): ReadonlyMap<string, number> => {
  const lacking = new Map<string, number>();
  for (const rejection of rejections) {
    const group = lacksPlace(rejection) ? podGroupOf(rejection.pod, podGroups) : undefined;
    if (group !== undefined) lacking.set(group.name, Math.max(group.minMember, lacking.get(group.name) ?? group.minMember));
  }
  return lacking;
};

/**
 * The in-flight nodes that are only for members of pod groups that lack places: a launch has failed after the group was
 * planned. Nothing runs on them yet. Without them the group is planned as a whole again. Ordered by group, then as in
 * the snapshot.
 */
export const incompleteGroups = (plan: Planned, snapshot: ClusterSnapshot): readonly IncompleteGroup[] => {
  const lacking = lackingGroups(plan, snapshot);
  if (lacking.size === 0) return [];
  const groupOf = (pod: Pod): string | undefined => podGroupOf(pod, snapshot.podGroups)?.name;
  const staying = snapshot.nodes.filter(({ isMarkedForDeletion }) => !isMarkedForDeletion);
  const placed = [
    ...staying.map(({ pods }) => pods.filter(isActive)),
    ...plan.placements.values(),
    ...plan.plannedNodes.map(({ pods }) => pods),
  ]
    .flat()
    .map(groupOf);
  const countOf = (name: string): number => {
    const { succeeded = 0 } = snapshot.podGroups?.get(name) ?? {};
    return succeeded + placed.filter((each) => each === name).length;
  };
  const incomplete = [...lacking].flatMap(([name, minMember]) => (countOf(name) < minMember ? name : [])).sort();
  const membersOn = ({ pods, name }: NodeView): readonly Pod[] => [...pods.filter(isReschedulable), ...(plan.placements.get(name) ?? [])];
  const isForNoOther = (node: NodeView): boolean =>
    membersOn(node).every((pod) => pod.spec.nodeName === undefined && incomplete.includes(groupOf(pod) ?? ''));
  const idle = staying.filter(
    (node) => node.claim !== undefined && !node.isInitialized && membersOn(node).length > 0 && isForNoOther(node),
  );
  return incomplete
    .map((name) => ({ name, nodes: idle.filter((node) => membersOn(node).some((pod) => groupOf(pod) === name)) }))
    .filter(({ nodes }) => nodes.length > 0);
};
