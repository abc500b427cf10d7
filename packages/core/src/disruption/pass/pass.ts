import { launchingPools, readingSound } from '../../cluster/index.ts';
import type { BufferView, ClusterSnapshot, LeftOut } from '../../cluster/index.ts';
import { namespacedNameOf } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { preparingWhatIf, splitPlan, virtualPodsOf } from '../../scheduling/index.ts';
import type { Plan, SchedulingPolicy } from '../../scheduling/index.ts';
import { disruptionOf } from '../../apis/index.ts';
import { durationMs } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import type { WeighedMove } from '../command.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import { leastPriceAmong } from '../consolidation/cheaper-replacement.ts';
import { settleTimeOf, surveying } from './survey.ts';
import type { PoolTotals, DisruptionCandidate } from './survey.ts';

/** Where CapacityBuffers have their room while nothing is deleted. */
export interface BufferPlaces {
  /** Node name → the buffers that have room there, as `namespace/name`, in their order. */
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  /** Virtual pods that need no new node: a move that takes their place has to replace it. */
  readonly settled: ReadonlySet<Pod>;
  readonly all: ReadonlySet<Pod>;
}

const NOWHERE: BufferPlaces = { hosts: new Map(), settled: new Set(), all: new Set() };

/** The places of buffers in the plan in which nothing is deleted; `baseline` undefined: there are no buffers. */
const bufferPlacesIn = (buffers: readonly BufferView[], baseline: Plan | undefined): BufferPlaces => {
  if (baseline === undefined) return NOWHERE;
  const hosts = new Map<string, readonly string[]>();
  const settled = new Set<Pod>();
  for (const { view, onNodes } of splitPlan(baseline, buffers).buffers) {
    const name = namespacedNameOf(view.buffer.metadata);
    for (const [nodeName, pods] of onNodes) {
      hosts.set(nodeName, [...(hosts.get(nodeName) ?? []), name]);
      for (const pod of pods) settled.add(pod);
    }
  }
  return { hosts, settled, all: virtualPodsOf(buffers) };
};

type Packing = SchedulingPolicy['packing'];

export interface QuestionOptions {
  readonly packing: Packing;
  /** Nodes that stay, and take no pods. */
  readonly closed?: ReadonlySet<string>;
  /** See `WhatIfOptions`. */
  readonly isPackedOnly?: boolean;
  /** Answered in full even when time is up. Default false. */
  readonly isPatient?: boolean;
}

/** One pass over the cluster, shared by the methods. */
export interface Pass {
  readonly context: DisruptionContext;
  readonly candidates: readonly DisruptionCandidate[];
  /** Pool → the totals of all its nodes. */
  readonly totals: ReadonlyMap<string, PoolTotals>;
  /** The plan if these nodes were gone. */
  readonly asking: (without: ReadonlySet<string>, options: QuestionOptions) => Steps<Plan>;
  /**
   * The plan if nothing were deleted. Computed once, and in full even when time is up, because all moves are compared
   * with it.
   */
  readonly baseline: (packing: Packing) => Steps<Plan>;
  /** Pods that a move may leave unplaced: the pending ones, and those that find no place even without it. */
  readonly mayStayUnplaced: () => Steps<ReadonlySet<Pod>>;
  /** Pods of nodes on their way out → the node that stays on which they have a place. Computed once. */
  readonly promised: () => Steps<ReadonlyMap<Pod, string>>;
  /** What the baseline means for CapacityBuffers. Computed once. */
  readonly bufferPlaces: () => Steps<BufferPlaces>;
  /** Whether the node is not initialized yet: pods planned for it may turn out not to fit. */
  readonly isComingUp: (nodeName: string) => boolean;
  /** Nodes on which consolidation puts no further pods yet. */
  readonly settling: ReadonlySet<string>;
  /** A lower bound on what pods cost on new machines. */
  readonly leastPrice: (pods: readonly Pod[]) => number;
  /** Remembers why a node stays; the first reason counts. */
  readonly note: (nodeName: string, blocker: Blocker) => void;
  readonly blocked: ReadonlyMap<string, Blocker>;
  /** How pools judged moves, in the order in which they were weighed. */
  readonly weighed: WeighedMove[];
}

/** Runs the steps for the first caller, and remembers the result. */
const once = <T>(making: () => Steps<T>): (() => Steps<T>) => {
  let made: { readonly value: T } | undefined;
  return function* () {
    made ??= { value: yield* making() };
    return made.value;
  };
};

const never = (): boolean => false;

const askerOf = ({ snapshot, policy: given, simulate, nowMs, shouldStop }: DisruptionContext): Pass['asking'] => {
  const policy: SchedulingPolicy = { ...given, nowMs };
  if (simulate !== undefined)
    return function* (without, { packing, isPatient }) {
      yield;
      return simulate(snapshot, { ...policy, packing, without }, isPatient === true ? never : shouldStop);
    };
  const whatIf = once(() => preparingWhatIf(snapshot, policy));
  return function* (without, options) {
    yield;
    const { isPatient, ...question } = options;
    return yield* (yield* whatIf()).asking(without, { ...question, shouldStop: isPatient === true ? never : shouldStop });
  };
};

/** Karpenter's nodes that cannot be read, with their blockers. */
const unreadable = ({ nodes }: ClusterSnapshot, leftOut: readonly LeftOut[]): readonly (readonly [string, Blocker])[] => {
  const problems = new Map(leftOut.flatMap(({ kind, name, problem }) => (kind === 'Node' ? [[name, problem] as const] : [])));
  return nodes.flatMap(({ name, claim }) => {
    const problem = problems.get(name);
    return claim === undefined || problem === undefined ? [] : [[name, { kind: 'unreadable', problem }] as const];
  });
};

/**
 * Names of nodes whose pods came or went less than `consolidateAfter` ago. Consolidation moves no further pods there,
 * because that would keep postponing the nodes' own consolidation.
 */
const settlingNodes = (context: DisruptionContext): ReadonlySet<string> => {
  const { snapshot, nowMs } = context;
  const waiting = new Map(
    snapshot.nodePools.flatMap(({ nodePool }) => {
      const isStatic = nodePool.spec.replicas !== undefined;
      const waits = (durationMs(disruptionOf(nodePool).consolidateAfter) ?? 0) > 0;
      return waits && !isStatic ? [[nodePool.metadata.name, nodePool] as const] : [];
    }),
  );
  const settling = snapshot.nodes.filter((node) => {
    const nodePool = waiting.get(node.nodePoolName ?? '');
    return node.claim !== undefined && nodePool !== undefined && settleTimeOf(node, nodePool, context) > nowMs;
  });
  return new Set(settling.map(({ name }) => name));
};

/**
 * The same pass with questions answered in full: for the first candidate of a method, so that each pass evaluates one at
 * least.
 */
export const withoutDeadline = (pass: Pass): Pass => ({
  ...pass,
  asking: (without, options) => pass.asking(without, { ...options, isPatient: true }),
});

export function* startingPass(given: DisruptionContext): Steps<Pass> {
  const { snapshot, leftOut } = yield* readingSound(given.snapshot, given.policy.labelCatalog);
  const context: DisruptionContext = { ...given, snapshot };
  const { candidates, totals, blocked: surveyed } = yield* surveying(context);
  const blocked = new Map([...surveyed, ...unreadable(given.snapshot, leftOut)]);
  const asking = askerOf(context);
  const baselines = {
    'first-fit': once(() => asking(new Set(), { packing: 'first-fit', isPatient: true })),
    cheapest: once(() => asking(new Set(), { packing: 'cheapest', isPatient: true })),
  };
  const mayStayUnplaced = once(function* (): Steps<ReadonlySet<Pod>> {
    const { rejections } = yield* baselines['first-fit']();
    const pods = new Set(context.snapshot.pendingPods);
    yield;
    for (const { pod } of rejections) pods.add(pod);
    return pods;
  });
  const promised = once(function* (): Steps<ReadonlyMap<Pod, string>> {
    const leaving = new Set(context.snapshot.nodes.flatMap(({ isMarkedForDeletion, pods }) => (isMarkedForDeletion ? pods : [])));
    const places = new Map<Pod, string>();
    if (leaving.size === 0) return places;
    const { placements } = yield* baselines['first-fit']();
    for (const [name, pods] of placements) for (const pod of pods) if (leaving.has(pod)) places.set(pod, name);
    return places;
  });
  const { buffers = [] } = context.snapshot;
  const bufferPlaces = once(function* (): Steps<BufferPlaces> {
    return bufferPlacesIn(buffers, buffers.length === 0 ? undefined : yield* baselines['first-fit']());
  });
  const comingUp = new Set(context.snapshot.nodes.filter(({ isInitialized }) => !isInitialized).map(({ name }) => name));
  const note = (nodeName: string, blocker: Blocker) => {
    if (!blocked.has(nodeName)) blocked.set(nodeName, blocker);
  };
  return {
    ...{ context, candidates, totals, asking, mayStayUnplaced, promised, bufferPlaces, note, blocked, weighed: [] },
    baseline: (packing) => baselines[packing](),
    isComingUp: (name) => comingUp.has(name),
    settling: settlingNodes(context),
    leastPrice: leastPriceAmong(launchingPools(context.snapshot)),
  };
}
