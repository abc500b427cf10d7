import type { Steps } from '../base/index.ts';
import type { Pod } from '../kube/index.ts';
import { preparingWhatIf } from '../scheduling/index.ts';
import type { Plan, SchedulingPolicy } from '../scheduling/index.ts';
import type { Blocker } from './blocker.ts';
import type { DisruptionContext } from './disruption-context.ts';
import { surveying } from './survey.ts';
import type { Surveyed } from './survey.ts';

/** One look at the cluster, shared by the methods. */
export interface Pass {
  readonly context: DisruptionContext;
  readonly candidates: readonly Surveyed[];
  /** The plan if these nodes were gone. */
  readonly asking: (without: ReadonlySet<string>) => Steps<Plan>;
  /** The plan if nothing were given up; worked out when first asked for. */
  readonly baseline: () => Steps<Plan>;
  /** Pods that may stay without a place: pending ones, and those that find none anyway. */
  readonly hopeless: () => Steps<ReadonlySet<Pod>>;
  /** The node has not been initialized: what is planned for it may yet find that it cannot run there. */
  readonly isComingUp: (nodeName: string) => boolean;
  /** Remembers why a node stays; the first reason counts. */
  readonly note: (nodeName: string, blocker: Blocker) => void;
  readonly blocked: ReadonlyMap<string, Blocker>;
}

/** Worked out by the first who asks, and remembered. */
const once = <T>(making: () => Steps<T>): (() => Steps<T>) => {
  let made: { readonly value: T } | undefined;
  return function* () {
    made ??= { value: yield* making() };
    return made.value;
  };
};

const askerOf = ({ snapshot, policy: given, simulate, nowMs, shouldStop }: DisruptionContext): Pass['asking'] => {
  // A pass asks many questions, each about few pods: improving every answer until time is up would leave none for the next question.
  const policy: SchedulingPolicy = { ...given, nowMs, packing: 'first-fit' };
  if (simulate !== undefined)
    return function* (without) {
      yield;
      return simulate(snapshot, { ...policy, without }, shouldStop);
    };
  const whatIf = once(() => preparingWhatIf(snapshot, policy));
  return function* (without) {
    yield;
    return yield* (yield* whatIf()).asking(without, shouldStop);
  };
};

export function* startingPass(context: DisruptionContext): Steps<Pass> {
  const { candidates, blocked: surveyed } = yield* surveying(context);
  const blocked = new Map(surveyed);
  const asking = askerOf(context);
  const baseline = once(() => asking(new Set()));
  const hopeless = once(function* (): Steps<ReadonlySet<Pod>> {
    const { rejections } = yield* baseline();
    const pods = new Set(context.snapshot.pendingPods);
    yield;
    for (const { pod } of rejections) pods.add(pod);
    return pods;
  });
  const comingUp = new Set(context.snapshot.nodes.filter(({ isInitialized }) => !isInitialized).map(({ name }) => name));
  const note = (nodeName: string, blocker: Blocker) => {
    if (!blocked.has(nodeName)) blocked.set(nodeName, blocker);
  };
  return { context, candidates, asking, baseline, hopeless, isComingUp: (name) => comingUp.has(name), note, blocked };
}
