import { isAdmissionDenial } from '@karpenter/runtime';
import { createNodeClaims } from '../../actions/index.ts';
import type { ClaimCreation, RefusedClaim } from '../../actions/index.ts';
import { getOrMake } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { LONGEST_DENIED_MS, podId } from '../../state/index.ts';
import type { ClusterState } from '../../state/index.ts';
import type { Clock } from '../../ports/index.ts';
import { truncate } from '../nodeclaim/lifecycle/launch.ts';
import { reportPool } from '../nodeclaim/lifecycle/register.ts';
import { withPendingPodsOnly } from '../isolation/plan-guard.ts';
import type { Shell } from '../shell.ts';

/** How long pods are held whose claims were refused twice, thrice and so on; the last one from then on. Denials hold less. */
const HOLDS_MS = [60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000];

/** What a pod adds to the claim of its node beside amounts, as text; equal for pods that add the same, empty for most. */
const additionsOf = ({ spec }: Pod): string => {
  const { nodeSelector, affinity, volumes, topologySpreadConstraints, resourceClaims } = spec;
  const parts = [nodeSelector, affinity, volumes, topologySpreadConstraints, resourceClaims];
  return parts.every((part) => part === undefined) ? '' : JSON.stringify(parts);
};

const groupsOf = (pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> => {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods) getOrMake(groups, additionsOf(pod), () => []).push(pod);
  return groups;
};

/** Field and value, as far as the API server names them. */
const messageOf = ({ error: { causes, message } }: RefusedClaim): string =>
  truncate(causes.length === 0 ? message : causes.map(({ field = 'NodeClaim', message: problem }) => `${field}: ${problem}`).join('; '));

/** Whose fault a refusal is. `unknown`: the pods add different things. */
type Blamed = 'pods' | 'pool' | 'unknown';

const blameOf = (groups: ReadonlyMap<string, readonly Pod[]>): Blamed => {
  if (groups.size > 1) return 'unknown';
  return groups.size === 0 || groups.has('') ? 'pool' : 'pods';
};

/** Whose fault it is that the claim of a replacement is refused. */
export const blameForReplacement = ({ planned: { pods } }: RefusedClaim): Blamed => blameOf(groupsOf(pods));

interface Hold {
  readonly times: number;
  /** Epoch ms. */
  readonly untilMs: number;
}

/** What refusals say about pods and pools. */
interface RefusalDeps {
  readonly clock: Clock;
  readonly state: Pick<ClusterState, 'launches'>;
}

/**
 * Keeps a pod whose NodeClaims the API server refuses from taking others with it. The pods of a refused claim are
 * planned apart in the same pass, in halves, until those whose additions are refused are alone. Such pods try other
 * pools first and are held from the second refusal on. A claim for pods that add nothing is the fault of its pool.
 */
export class ClaimRefusals {
  readonly #deps: RefusalDeps;
  /** Groups of pod ids to plan apart, the next one last. */
  readonly #apart: ReadonlySet<string>[] = [];
  readonly #holds = new Map<string, Hold>();

  constructor(deps: RefusalDeps) {
    this.#deps = deps;
  }

  get hasMore(): boolean {
    return this.#apart.length > 0;
  }

  /** The snapshot without pods that are held, or planned apart. */
  withoutSuspects(snapshot: ClusterSnapshot): ClusterSnapshot {
    if (this.#holds.size === 0 && !this.hasMore) return snapshot;
    const pending = new Set(snapshot.pendingPods.map(podId));
    for (const id of this.#holds.keys()) if (!pending.has(id)) this.#holds.delete(id);
    const apart = new Set(this.#apart.flatMap((ids) => [...ids]));
    const nowMs = this.#deps.clock.now();
    const isOut = (id: string): boolean => apart.has(id) || (this.#holds.get(id)?.untilMs ?? 0) > nowMs;
    return { ...snapshot, pendingPods: snapshot.pendingPods.filter((pod) => !isOut(podId(pod))) };
  }

  /** The snapshot in which only the next group that is planned apart waits for a place. */
  nextApart(snapshot: ClusterSnapshot): ClusterSnapshot {
    const ids = this.#apart.pop() ?? new Set();
    return { ...withPendingPodsOnly(snapshot), pendingPods: snapshot.pendingPods.filter((pod) => ids.has(podId(pod))) };
  }

  /** Learns from a refusal. */
  add(refused: RefusedClaim): Blamed {
    const { pods } = refused.planned;
    const groups = groupsOf(pods);
    const blamed = blameOf(groups);
    if (blamed === 'pods') this.#blamePods(refused);
    if (blamed === 'pool') this.#planApart(pods);
    if (blamed === 'unknown') this.#planGroupsApart(groups);
    return blamed;
  }

  #planGroupsApart(groups: ReadonlyMap<string, readonly Pod[]>): void {
    const plain = groups.get('');
    const others = [...groups].flatMap(([text, group]) => (text === '' ? [] : [group]));
    const half = plain === undefined ? Math.ceil(others.length / 2) : others.length;
    this.#planApart(others.slice(half).flat());
    this.#planApart(others.slice(0, half).flat());
    this.#planApart(plain ?? []);
  }

  /** Pods that add the same: they try another pool, then they wait. */
  #blamePods({ planned: { pods, nodePoolName }, error }: RefusedClaim): void {
    const times = 1 + Math.max(...pods.map((pod) => this.#holds.get(podId(pod))?.times ?? 0));
    const isFirst = times === 1;
    if (isFirst) this.#deps.state.launches.troubled(nodePoolName);
    const longestMs = isAdmissionDenial(error) ? LONGEST_DENIED_MS : Number.POSITIVE_INFINITY;
    const holdMs = isFirst ? 0 : Math.min(longestMs, HOLDS_MS[Math.min(times - 1, HOLDS_MS.length) - 1] ?? 0);
    for (const pod of pods) this.#holds.set(podId(pod), { times, untilMs: this.#deps.clock.now() + holdMs });
    if (isFirst) this.#planApart(pods);
  }

  #planApart(pods: readonly Pod[]): void {
    if (pods.length > 0) this.#apart.push(new Set(pods.map(podId)));
  }
}

/** Claims that were refused, and whose fault that is. */
interface Refusals {
  readonly refused: readonly RefusedClaim[];
  readonly blame: (refused: RefusedClaim) => Blamed;
}

/** Names pool and pods of each refused claim, and lets pools pause whose claims are refused whatever the pods add. */
export const reportRefusals = async (shell: Shell, { refused, blame }: Refusals, signal: AbortSignal): Promise<void> => {
  const { launches } = shell.state;
  // Before any of them counts as failed: claims of one plan say the same, and count once.
  for (const { claim } of refused) launches.asked(claim.metadata.name);
  for (const each of refused) {
    const { claim, planned } = each;
    const message = messageOf(each);
    const blamed = blame(each);
    // Only pods that wait for a place are to hear that it was refused.
    const pods = blamed === 'unknown' ? [] : planned.pods.filter(({ spec }) => spec.nodeName === undefined);
    shell.reporter.report({ kind: 'node-claim-invalid', planned: { ...planned, pods }, message });
    const isDenied = isAdmissionDenial(each.error);
    const outcome = { kind: 'failed', step: 'launched', cause: 'NodeClaimRefused', message, isDenied } as const;
    if (blamed === 'pool') await reportPool(shell, { claim, outcome }, signal);
  }
  for (const { claim } of refused) launches.gone(claim.metadata.name);
};

/** Creates the claims that the API server takes, then reports and remembers those that it refuses. */
export const createOrRefuse = async (
  shell: Shell,
  { creation, blame }: Pick<Refusals, 'blame'> & { readonly creation: Omit<ClaimCreation, 'onRefused'> },
  signal: AbortSignal,
): Promise<void> => {
  const refused: RefusedClaim[] = [];
  await createNodeClaims(shell, { ...creation, onRefused: (each) => void refused.push(each) }, signal);
  await reportRefusals(shell, { refused, blame }, signal);
};
