import { isFailure, requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { nodeClaimConditions } from '../apis/index.ts';
import type { NodeClaim } from '../apis/index.ts';
import type { CallOptions, NodeClassKind } from '../cloudprovider/index.ts';
import { isConditionTrue } from '../kube/index.ts';
import { isOfClass } from './node-class.ts';
import type { ClassKube, NodeClass } from './node-class.ts';

/** An optional ability of a cloud: what of a machine changes while it runs, so that no node is replaced. `G`: the goal. */
export interface InPlaceUpdate<C extends NodeClass, G> {
  /** What the claim's machine is to be brought to. Such members of the class stay out of its hash and of drift. Pure. */
  goalOf(claim: NodeClaim, nodeClass: C): G;
  /** The same for goals that mean the same. Pure. */
  hashOf(goal: G): string;
  /** Brings the machine to its goal. Safe to repeat: what fails midway is done again as a whole. `gone`: no machine is there. */
  bring(claim: NodeClaim, goal: G, options: CallOptions): Promise<'brought' | 'gone'>;
}

export interface InPlaceUpdating<C extends NodeClass, G> {
  readonly kind: Pick<NodeClassKind, 'group' | 'kind'>;
  readonly update: InPlaceUpdate<C, G>;
  /** Where a claim carries the hash of what its machine was brought to; a launch writes it too (`Machine.annotations`). */
  readonly annotation: string;
  readonly kube: Pick<ClassKube, 'list' | 'patch'>;
  /** Whether a failure is about this machine alone: it is tried again and does not keep the others from theirs. */
  readonly isOfOne: (failure: Error) => boolean;
  /** Called when a pass starts and after each group of it that updated a machine. */
  readonly onProgress?: (progress: InPlaceProgress) => void;
}

/** How far a pass over the machines of a class is. */
export interface InPlaceProgress {
  readonly className: string;
  /** Machines of the class still to update, those of later passes and those that failed among them. */
  readonly left: number;
  /** Machines that this pass has updated. 0: it starts. */
  readonly updated: number;
}

/** How long a claim is given to register before it is checked again. */
const WAIT_MS = 60_000;
/** Machines that are brought at the same time. The first goes alone: what is wrong for all is seen by it. */
const AT_ONCE = 5;
/**
 * Machines of one pass. The next one checks the class again: a change of it does not wait for the end of a large cluster.
 */
const A_PASS = 50;
const NEXT_PASS_MS = 1_000;

/** The first alone, then by a few. */
const inGroups = <T>(items: readonly T[]): readonly (readonly T[])[] => {
  const [first, ...rest] = items;
  if (first === undefined) return [];
  const groups = Array.from({ length: Math.ceil(rest.length / AT_ONCE) }, (_, at) => rest.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
  return [[first], ...groups];
};

interface Stale<G> {
  readonly claim: NodeClaim;
  readonly goal: G;
}

interface Pass<G> {
  readonly machines: readonly Stale<G>[];
  readonly signal: AbortSignal;
}

const isThere = ({ claim: { status } }: Stale<unknown>): boolean =>
  status?.providerID !== undefined && isConditionTrue(status.conditions, nodeClaimConditions.registered);

/**
 * Brings running machines to what their class asks for now, once they have joined. The first machine goes alone, then
 * five at a time, at most 50 in a pass. After a failure of one machine (`isOfOne`) the others still have their turn; any
 * other ends the pass. Both are tried again with backoff, so `update.bring` has to be safe to repeat.
 */
export const inPlaceUpdating = <C extends NodeClass, G>(updating: InPlaceUpdating<C, G>): Controller<C> => {
  const { kind, update, annotation, kube } = updating;

  const staleOf = (claim: NodeClaim, nodeClass: C): readonly Stale<G>[] => {
    if (claim.metadata.deletionTimestamp !== undefined || !isOfClass(claim, nodeClass, kind)) return [];
    const goal = update.goalOf(claim, nodeClass);
    return claim.metadata.annotations?.[annotation] === update.hashOf(goal) ? [] : [{ claim, goal }];
  };

  /** The hash is written last: until then everything is done again. */
  const bring = async ({ claim, goal }: Stale<G>, signal: AbortSignal): Promise<void> => {
    if ((await update.bring(claim, goal, { signal })) === 'gone') return;
    const body = { metadata: { annotations: { [annotation]: update.hashOf(goal) } } };
    await kube.patch('NodeClaim', { name: claim.metadata.name }, { type: 'merge', body, signal });
  };

  /**
   * Returns the failures of single machines. Throws a failure that others would meet too, once its whole group has ended.
   */
  const updateAll = async (pass: Pass<G>, onUpdated: (updated: number) => void): Promise<readonly Error[]> => {
    const failures: Error[] = [];
    let updated = 0;
    for (const group of inGroups(pass.machines)) {
      const outcomes = await Promise.allSettled(group.map((each) => bring(each, pass.signal)));
      const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      updated += group.length - failed.length;
      if (failed.length < group.length) onUpdated(updated);
      for (const failure of failed) {
        if (!isFailure(failure) || !updating.isOfOne(failure)) throw failure;
        failures.push(failure);
      }
    }
    return failures;
  };

  return {
    name: 'nodeclaim.inplaceupdate',
    kind: kind.kind,
    async reconcile(nodeClass, { signal }) {
      if (nodeClass.metadata.deletionTimestamp !== undefined) return settled;
      const { items } = await kube.list<NodeClaim>('NodeClaim', { signal });
      const stale = items.flatMap((claim) => staleOf(claim, nodeClass));
      const there = stale.filter(isThere);
      const now = there.slice(0, A_PASS);
      const report = (updated: number): void =>
        updating.onProgress?.({ className: nodeClass.metadata.name, left: stale.length - updated, updated });
      report(0);
      const [failure] = await updateAll({ machines: now, signal }, report);
      if (failure !== undefined) throw failure;
      if (there.length > now.length) return requeueAfter(NEXT_PASS_MS);
      return stale.every(isThere) ? settled : requeueAfter(WAIT_MS);
    },
  };
};
