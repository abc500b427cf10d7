import type { Steps } from '../base/index.ts';
import type { Pod } from '../kube/index.ts';
import type { Demand } from './classes/demand.ts';
import type { DeviceExplainer } from './devices/explain-devices.ts';
import type { Draft, Run } from './places/drafts/draft.ts';
import type { ExistingNodes } from './places/existing/existing-nodes.ts';
import type { Plan, PlannedNode } from './plan.ts';
import { relaxingPods } from './relaxed-preferences.ts';
import { rejecting } from './rejection/reject.ts';
import type { PoolRejection, Rejection } from './rejection/rejection.ts';
import type { DroppedGroup } from './solve/pod-groups.ts';
import type { Solution } from './solve/solve.ts';
import type { DomainTable } from './topology/domain-table.ts';

/** The answer to one question, still in classes and counts. */
export interface SolvedQuestion {
  readonly demands: readonly Demand[];
  /** The planned nodes that were chosen in the end. */
  readonly drafts: readonly Draft[];
  readonly solution: Solution;
  /** Pod groups that get no place, none of their pods among the demands. */
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

const podDealer = (demands: readonly Demand[]): Deal => {
  const stacks = new Map(demands.map(({ podClass, pods }) => [podClass, { pods, dealt: 0 }]));
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
const NODES_A_STEP = 16;

function* placingPods(existing: ExistingNodes, deal: Deal): Steps<Plan['placements']> {
  const placements = new Map<string, Pod[]>();
  for (const [index, run] of existing.log.entries()) {
    const name = existing.nodes[run.node]?.name ?? '';
    const there = placements.get(name) ?? [];
    placements.set(name, there);
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
  const pods = group.demands.flatMap((demand) => demand.pods);
  const [cause] = lacking === undefined ? [] : yield* rejecting(lacking.leftover, { ledgers: lacking.ledgers, closed, domains, devices });
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
    solution: { leftovers, ledgers },
    closed,
    domains,
    devices,
  } = answer;
  const rejections: Rejection[] = [];
  for (const leftover of leftovers) {
    for (const rejection of yield* rejecting(leftover, { ledgers, closed, domains, devices })) rejections.push(rejection);
    yield;
  }
  for (const dropped of answer.dropped) for (const rejection of yield* rejectingGroup(dropped, answer)) rejections.push(rejection);
  return rejections;
}

/**
 * The plan of an answer, with pods in place of classes and counts: the oldest of a class go on existing nodes, the next
 * on planned ones, the youngest are left over.
 */
export function* assembling(
  answer: SolvedQuestion,
  existing: ExistingNodes,
  planNode: (draft: Draft, pods: readonly Pod[]) => PlannedNode,
): Steps<Plan> {
  const { demands, drafts } = answer;
  const deal = podDealer(demands);
  const placements = yield* placingPods(existing, deal);
  const plannedNodes: PlannedNode[] = [];
  for (const draft of drafts) {
    const pods: Pod[] = [];
    for (const run of draft.runs) deal(run, pods);
    if (plannedNodes.push(planNode(draft, pods)) % NODES_A_STEP === 0) yield;
  }
  const relaxed = yield* relaxingPods(demands, answer.solution.relaxed);
  return {
    plannedNodes,
    placements,
    rejections: yield* rejectingAll(answer),
    ...(relaxed.length === 0 ? {} : { relaxed }),
    pricePerHour: plannedNodes.reduce((sum, { cheapest }) => sum + cheapest.offering.pricePerHour, 0),
  };
}
