import { createWhatIf } from '../scheduling/index.ts';
import type { Plan, SchedulingPolicy } from '../scheduling/index.ts';
import { nameOf } from './pod-blocker.ts';
import type { Blocker } from './blocker.ts';
import type { DisruptionContext } from './disruption-context.ts';
import { survey } from './survey.ts';
import type { Surveyed } from './survey.ts';

/** One look at the cluster, shared by the methods. */
export interface Pass {
  readonly context: DisruptionContext;
  readonly candidates: readonly Surveyed[];
  /** The plan if these nodes were gone. */
  readonly ask: (without: ReadonlySet<string>) => Plan;
  /** The plan if nothing were given up; worked out when first asked for. */
  readonly baseline: () => Plan;
  /** `namespace/name` of pods that may stay without a place: pending ones, and those that find none anyway. */
  readonly hopeless: () => ReadonlySet<string>;
  /** The node has not been initialized: what is planned for it may yet find that it cannot run there. */
  readonly isComingUp: (nodeName: string) => boolean;
  /** Remembers why a node stays; the first reason counts. */
  readonly note: (nodeName: string, blocker: Blocker) => void;
  readonly blocked: ReadonlyMap<string, Blocker>;
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

const askerOf = ({ snapshot, policy: given, simulate, nowMs, shouldStop }: DisruptionContext): Pass['ask'] => {
  // A pass asks many questions, each about few pods: improving every answer until time is up would leave none for the next question.
  const policy: SchedulingPolicy = { ...given, nowMs, packing: 'first-fit' };
  if (simulate !== undefined) return (without) => simulate(snapshot, { ...policy, without }, shouldStop);
  const whatIf = once(() => createWhatIf(snapshot, policy));
  return (without) => whatIf().ask(without, shouldStop);
};

export const startPass = (context: DisruptionContext): Pass => {
  const { candidates, blocked: surveyed } = survey(context);
  const blocked = new Map(surveyed);
  const ask = askerOf(context);
  const baseline = once(() => ask(new Set()));
  const hopeless = once(() => {
    const pods = [...context.snapshot.pendingPods, ...baseline().rejections.map(({ pod }) => pod)];
    return new Set(pods.map(({ metadata }) => nameOf(metadata)));
  });
  const comingUp = new Set(context.snapshot.nodes.filter(({ isInitialized }) => !isInitialized).map(({ name }) => name));
  const note = (nodeName: string, blocker: Blocker) => {
    if (!blocked.has(nodeName)) blocked.set(nodeName, blocker);
  };
  return { context, candidates, ask, baseline, hopeless, isComingUp: (name) => comingUp.has(name), note, blocked };
};
