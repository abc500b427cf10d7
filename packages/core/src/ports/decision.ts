import type { EventSubject } from '@karpenter/runtime';
import type { DisruptionReason, NodeClaim, RebalancePlan } from '../apis/index.ts';
import type { DoNotDisruptStatus, LeftOut, NodeView } from '../cluster/index.ts';
import type { DisruptionAllowance, Blocker, DisruptionMethod, WeighedMove } from '../disruption/index.ts';
import type { Node, Pod, ResizeTrouble } from '../kube/index.ts';
import type { Plan, PlannedNode } from '../scheduling/index.ts';

/** Why a claim was created: for pods (or a static pool), or in place of what is disrupted. A metric label, in lower case. */
export type CreationReason = 'provisioned' | DisruptionReason;

/** What a running command is about, for events and logs. */
export interface CommandSummary {
  readonly id: string;
  /** `emptiness`, `drift`, `rebalance`, `multi-node`, `single-node`. */
  readonly method: string;
  readonly reason: string;
  readonly decision: 'delete' | 'replace';
  readonly candidates: readonly NodeView[];
  readonly replacements: readonly PlannedNode[];
  readonly savingsPerHour: number;
}

/** A node that a pass of disruption does not take, and why. */
export interface KeptNode {
  readonly node: NodeView;
  readonly blocker: Blocker;
}

/** A pod whose `do-not-disrupt` is more than a plain `true`. */
export interface PodDoNotDisrupt {
  readonly pod: Pod;
  readonly status: DoNotDisruptStatus;
}

/** A pod whose resize in place does not go on. */
export interface StuckResize {
  readonly pod: Pod;
  readonly nodeName: string;
  readonly trouble: ResizeTrouble;
}

/** Something that was decided or observed, reported once and after the fact. */
export type Decision =
  /** `atMs`: when the plan was complete. */
  | { readonly kind: 'plan-computed'; readonly plan: Plan; readonly pods: number; readonly durationMs: number; readonly atMs: number }
  | { readonly kind: 'left-out'; readonly leftOut: LeftOut }
  /** These objects trigger a bug: they are left out until they change, or until `untilMs` (epoch ms) if it is given. */
  | { readonly kind: 'quarantined'; readonly subjects: readonly EventSubject[]; readonly error: unknown; readonly untilMs?: number }
  /**
   * The process before this one ended while it planned these namespaces or workloads; until then (epoch ms) plans are
   * made in parts.
   */
  | { readonly kind: 'unclean-end'; readonly during: readonly string[]; readonly untilMs: number }
  /** Little of the heap is left, so that plans are made in smaller portions. */
  | { readonly kind: 'memory-short'; readonly usedRatio: number }
  /** The claim of a planned node could not be made because of a bug; the others are. */
  | { readonly kind: 'claim-not-made'; readonly planned: PlannedNode; readonly error: unknown }
  /** A text for people could not be made. */
  | { readonly kind: 'report-failed'; readonly about: string; readonly error: unknown }
  | { readonly kind: 'node-claim-created'; readonly claim: NodeClaim; readonly planned: PlannedNode; readonly reason: CreationReason }
  /** Whether the claim was made is not known: it is created again under the same name. */
  | { readonly kind: 'node-claim-unanswered'; readonly claim: NodeClaim; readonly error: unknown }
  | { readonly kind: 'node-claim-refused'; readonly planned: PlannedNode; readonly resource: string; readonly of: 'pool' | 'cluster' }
  /** The API server refuses the claim; `message` names field and value, or who denied it. */
  | { readonly kind: 'node-claim-invalid'; readonly planned: PlannedNode; readonly message: string }
  | { readonly kind: 'launched'; readonly claim: NodeClaim; readonly labels: Readonly<Record<string, string>>; readonly tookMs: number }
  | {
      readonly kind: 'launch-failed';
      readonly claim: NodeClaim;
      readonly reason: string;
      readonly message: string;
      readonly willRetry: boolean;
    }
  | { readonly kind: 'registered'; readonly claim: NodeClaim; readonly nodeName: string; readonly tookMs: number }
  | { readonly kind: 'taint-missing'; readonly claim: NodeClaim; readonly nodeName: string }
  | { readonly kind: 'initialized'; readonly claim: NodeClaim; readonly nodeName: string; readonly tookMs: number }
  /** Deleted although its node joined. */
  | { readonly kind: 'never-initialized'; readonly claim: NodeClaim; readonly message: string }
  /** Somebody takes it off; the claim goes on without it. */
  | { readonly kind: 'finalizer-removed'; readonly claim: NodeClaim }
  | { readonly kind: 'claim-disrupted'; readonly claim: NodeClaim; readonly reason: string }
  | { readonly kind: 'claim-terminated'; readonly claim: NodeClaim; readonly tookMs: number; readonly machineTookMs?: number }
  /** Every pod that had to leave has left. */
  | { readonly kind: 'node-drained'; readonly node: Node; readonly claim: NodeClaim }
  | {
      readonly kind: 'node-terminated';
      readonly node: Node;
      readonly claim?: NodeClaim;
      readonly tookMs: number;
      readonly lifetimeMs: number;
    }
  /** Every pod of the node will be gone by then. */
  | { readonly kind: 'deadline-nears'; readonly node: Node; readonly claim: NodeClaim; readonly deadline: string }
  | { readonly kind: 'volumes-awaited'; readonly node: Node; readonly claim?: NodeClaim; readonly volumes: readonly string[] }
  | { readonly kind: 'claim-inconsistent'; readonly claim: NodeClaim; readonly message: string }
  /** So many nodes are unhealthy that the cause probably lies elsewhere. */
  | { readonly kind: 'repair-blocked'; readonly node: Node; readonly claim: NodeClaim }
  | { readonly kind: 'node-unhealthy'; readonly node: Node; readonly claim: NodeClaim; readonly condition: string }
  /** The cloud takes the machine away; it may be gone from the deadline on. */
  | { readonly kind: 'interrupted'; readonly node: Node; readonly claim: NodeClaim; readonly reason: string; readonly deadlineMs: number }
  | { readonly kind: 'pod-bound'; readonly pod: Pod; readonly tookMs: number }
  /** `reason`: why its node goes. */
  | { readonly kind: 'pod-evicted'; readonly pod: Pod; readonly nodeName: string; readonly reason: string }
  /** Past disruption budgets, because the node's time runs out. */
  | { readonly kind: 'pod-forced'; readonly pod: Pod; readonly nodeName: string; readonly graceSeconds: number; readonly reason: string }
  /**
   * A drain does not go on: `pods` hold it up (`namespace/name`, the first five), `holds` says what keeps them.
   * Reported again at each poll.
   */
  | {
      readonly kind: 'drain-waiting';
      readonly node: Node;
      readonly claim?: NodeClaim;
      readonly message: string;
      readonly pods: readonly string[];
      readonly holds: readonly ('do-not-disrupt' | 'refused' | 'slow')[];
    }
  /** So many pods say now that they are expected on the node. */
  | { readonly kind: 'pods-nominated'; readonly nodeName: string; readonly pods: number }
  | { readonly kind: 'nomination-failed'; readonly pod: Pod; readonly message: string }
  /** `status`: 429, or 500 where several budgets select the pod. */
  | {
      readonly kind: 'eviction-blocked';
      readonly pod: Pod;
      readonly nodeName: string;
      readonly message: string;
      readonly status: number;
    }
  /** The API server refused an eviction for another reason; 404 also where another pod has the name now. */
  | { readonly kind: 'eviction-failed'; readonly pod: Pod; readonly status: number; readonly message: string }
  /** Found; it must last for a while before it is acted on. */
  | { readonly kind: 'command-proposed'; readonly command: CommandSummary }
  /** `claimNames`: its replacements. */
  | { readonly kind: 'command-started'; readonly command: CommandSummary; readonly claimNames: readonly string[] }
  /** Its replacements are not ready yet; reported again at each poll. */
  | { readonly kind: 'command-waiting'; readonly command: CommandSummary; readonly claimNames: readonly string[] }
  | { readonly kind: 'command-succeeded'; readonly command: CommandSummary }
  | { readonly kind: 'command-abandoned'; readonly command: CommandSummary; readonly why: string }
  /** The plan with its new status, and the status before. */
  | { readonly kind: 'rebalance-changed'; readonly plan: RebalancePlan; readonly before: NonNullable<RebalancePlan['status']> }
  /** What the pools' budgets allow, for every reason. */
  | { readonly kind: 'budgets-read'; readonly allowances: readonly DisruptionAllowance[] }
  /** How many nodes methods of each reason may take, budgets aside. */
  | { readonly kind: 'candidates-counted'; readonly eligible: ReadonlyMap<DisruptionReason, number> }
  /** What a method took to evaluate, and for which reason it would have acted. */
  | { readonly kind: 'method-evaluated'; readonly method: DisruptionMethod; readonly reason: DisruptionReason; readonly tookMs: number }
  | { readonly kind: 'moves-weighed'; readonly moves: readonly WeighedMove[] }
  | { readonly kind: 'do-not-disrupt-read'; readonly pods: readonly PodDoNotDisrupt[] }
  | { readonly kind: 'resizes-read'; readonly pods: readonly StuckResize[] }
  | { readonly kind: 'nodes-kept'; readonly kept: readonly KeptNode[] }
  | { readonly kind: 'catalog-failed'; readonly nodePoolName: string; readonly error: unknown }
  | { readonly kind: 'machine-collected'; readonly providerId: string };

/** Where decisions are reported: logs, metrics and events are computed from them in one place. Never fails its caller. */
export interface DecisionReporter {
  report(decision: Decision): void;
}
