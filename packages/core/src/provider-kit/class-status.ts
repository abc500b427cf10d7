import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import type { NodeClassKind } from '../cloudprovider/index.ts';
import { conditionOf, isConditionTrue, withCondition } from '../kube/index.ts';
import type { Condition } from '../kube/index.ts';
import type { Clock } from '../ports/index.ts';
import type { ClassKube, NodeClass } from './node-class.ts';

/** What was found about one part of a class. */
export type Verdict = Pick<Condition, 'type' | 'status'> & { readonly reason?: string; readonly message?: string };

/** What a look at a class gave. */
export interface ClassJudgement {
  readonly verdicts: readonly Verdict[];
  /** The conditions that must all be True for the class to be Ready. */
  readonly parts: readonly string[];
  /** Of the class as it was looked at. */
  readonly generation: number;
  readonly nowMs: number;
}

const READY = 'Ready';

/** Ready is True when all parts are; else it says what the first part that is not says. */
const readyOf = (conditions: readonly Condition[], parts: readonly string[]): Verdict => {
  const found = parts.map(
    (type) => conditionOf(conditions, type) ?? { type, status: 'Unknown' as const, reason: 'AwaitingReconciliation' },
  );
  const worst = found.find(({ status }) => status === 'False') ?? found.find(({ status }) => status === 'Unknown');
  if (worst === undefined) return { type: READY, status: 'True', reason: READY };
  return {
    type: READY,
    status: worst.status,
    reason: worst.reason ?? worst.type,
    message: `${worst.type}=${worst.status}${worst.message ? `, ${worst.message}` : ''}`,
  };
};

/** The conditions of a class after some were judged, Ready among them. Untouched where they say the same as before. */
export const judgedConditions = (
  conditions: readonly Condition[] | undefined,
  { verdicts, parts, generation, nowMs }: ClassJudgement,
): readonly Condition[] => {
  const put = (all: readonly Condition[], { type, status, reason, message }: Verdict): readonly Condition[] =>
    withCondition(all, { type, status, reason: reason ?? type, message: message ?? '', observedGeneration: generation }, nowMs);
  const judged = verdicts.reduce(put, conditions ?? []);
  return put(judged, readyOf(judged, parts));
};

/** What a class comes to in its cloud: what was found about its parts, and the members of its status beside the conditions. */
export interface ResolvedClass {
  readonly verdicts: readonly Verdict[];
  readonly status: object;
}

export interface ClassStatusKeeping<C extends NodeClass> {
  readonly kind: Pick<NodeClassKind, 'kind'>;
  /** Holds on to the class until `nodeClassTermination` lets it go. */
  readonly finalizer: string;
  readonly parts: readonly string[];
  readonly resolve: (nodeClass: C, signal: AbortSignal) => Promise<ResolvedClass>;
  /** How long a class that is Ready is good; one that is not is looked at three times as often. */
  readonly recheckMs: number;
  readonly kube: Pick<ClassKube, 'patch' | 'patchStatus'>;
  readonly clock: Clock;
}

/** Members in the order of their names, as the API server gives them back. */
const inOrder = (status: object): object => Object.fromEntries(Object.entries(status).sort(([a], [b]) => (a < b ? -1 : 1)));

const isSame = (a: object | undefined, b: object): boolean => JSON.stringify(inOrder(a ?? {})) === JSON.stringify(inOrder(b));

/** Resolves what a class asks for into its status; Ready when all of its parts are. */
export const nodeClassStatusKeeping = <C extends NodeClass>(keeping: ClassStatusKeeping<C>): Controller<C> => {
  const { kind, finalizer, parts, kube, clock, recheckMs } = keeping;
  const hold = async ({ metadata: { name, resourceVersion, finalizers = [] } }: C, signal: AbortSignal): Promise<void> => {
    if (finalizers.includes(finalizer)) return;
    const metadata = { ...(resourceVersion !== undefined && { resourceVersion }), finalizers: [...finalizers, finalizer] };
    await kube.patch(kind.kind, { name }, { type: 'merge', body: { metadata }, signal });
  };
  return {
    name: 'nodeclass.status',
    kind: kind.kind,
    concurrency: 10,
    async reconcile(nodeClass, { signal }) {
      const { name, deletionTimestamp, generation = 0 } = nodeClass.metadata;
      if (deletionTimestamp !== undefined) return settled;
      await hold(nodeClass, signal);
      const { verdicts, status } = await keeping.resolve(nodeClass, signal);
      const conditions = judgedConditions(nodeClass.status?.conditions, { verdicts, parts, generation, nowMs: clock.now() });
      const resolved = { ...status, conditions };
      if (!isSame(nodeClass.status, resolved))
        await kube.patchStatus(kind.kind, { name }, { type: 'merge', body: { status: resolved }, signal });
      return requeueAfter(isConditionTrue(conditions, 'Ready') ? recheckMs : recheckMs / 3);
    },
  };
};
