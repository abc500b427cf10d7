import { isFieldProblem } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import { requirementsText } from '../../catalog/index.ts';
import { claimedVolumesOf } from '../../kube/index.ts';
import type { ClaimedVolume, Pod } from '../../kube/index.ts';
import { firstConflict, merge } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { AttachedVolume } from './attached-volumes.ts';
import { claimNeeds } from './claim-needs.ts';
import type { ClaimNeeds, ClaimContext } from './claim-needs.ts';
import { claimOf } from './claim-of.ts';
import type { ClaimUsers } from './claim-users.ts';
import { united } from './united.ts';
import { ANYWHERE } from './volume-alternatives.ts';
import type { Alternatives } from './volume-alternatives.ts';

/** What the volumes of a pod ask of its node. */
export interface VolumeNeeds {
  /** Equal for pods whose volumes ask the same. */
  readonly text: string;
  readonly alternatives: Alternatives;
  /** CSI driver → volumes that this pod alone uses. */
  readonly own: Readonly<Record<string, number>>;
  /** Volumes that other pods use as well: one attachment serves all of them on a node. */
  readonly shared: readonly AttachedVolume[];
  readonly problem: FieldProblem | undefined;
}

/** What claims are read with. */
export interface VolumeContext extends ClaimContext {
  readonly users: ClaimUsers;
}

const NOTHING: VolumeNeeds = { text: '', alternatives: ANYWHERE, own: {}, shared: [], problem: undefined };

const refused = (problem: FieldProblem): VolumeNeeds => ({ ...NOTHING, text: JSON.stringify(problem), problem });

/** Every pair that some node satisfies, each once. */
const bothOf = (a: Alternatives, b: Alternatives): Alternatives => {
  const found = new Map<string, Requirements>();
  for (const one of a) {
    for (const other of b) {
      if (firstConflict(one, other) !== undefined) continue;
      const both = merge(one, other);
      found.set(requirementsText(both), both);
    }
  }
  return [...found.values()];
};

const missing = (field: string, value: string): FieldProblem => ({
  field,
  value,
  problem: 'there is no such PersistentVolumeClaim; create it, and the pod is looked at again',
});

const textOf = ({ alternatives, own, shared }: Omit<VolumeNeeds, 'text'>): string =>
  JSON.stringify([alternatives.map(requirementsText), own, shared]);

/** One claim of a pod as it stands. */
const readClaim = (pod: Pod, claimed: ClaimedVolume, { users, ...context }: VolumeContext): ClaimNeeds | FieldProblem => {
  const { volume, claim: value } = claimed;
  const field = `spec.volumes[${volume.name}]`;
  const claim = claimOf(claimed, context.storage);
  if (claim === undefined) return missing(field, value);
  const needs = claimNeeds({ field, value, claim }, context);
  const holder = isFieldProblem(needs) || !needs.isExclusive ? undefined : users.holderBefore(pod, value);
  if (holder === undefined) return needs;
  return {
    field,
    value,
    problem: `the claim is ReadWriteOncePod, and pod ${holder} uses it; the pod is looked at again when that has gone`,
  };
};

const needsOf = (pod: Pod, claimed: readonly ClaimedVolume[], context: VolumeContext): VolumeNeeds => {
  let { alternatives } = NOTHING;
  const own: Record<string, number> = {};
  const shared: AttachedVolume[] = [];
  const seen = new Set<string>();
  for (const each of claimed) {
    const { claim, volume } = each;
    if (seen.has(claim)) continue;
    seen.add(claim);
    const needs = readClaim(pod, each, context);
    if (isFieldProblem(needs)) return refused(needs);
    alternatives = bothOf(alternatives, needs.alternatives);
    if (alternatives.length === 0) {
      const field = `spec.volumes[${volume.name}]`;
      return refused({ field, value: claim, problem: 'no node reaches this volume together with those before it; keep them in one zone' });
    }
    const { driver } = needs;
    if (driver === undefined) continue;
    if (context.users.isShared(claim)) shared.push({ claim, driver });
    else own[driver] = (own[driver] ?? 0) + 1;
  }
  const found = { alternatives: united(alternatives), own, shared, problem: undefined };
  return { ...found, text: textOf(found) };
};

/**
 * Pod → what its volumes ask. Alternatives constrain the node alone: for spreads, the pod's own affinity says which domains count, as
 * kube-scheduler has it.
 */
export const volumeReader =
  (context: VolumeContext): ((pod: Pod) => VolumeNeeds) =>
  (pod) => {
    if (pod.spec.volumes === undefined) return NOTHING;
    const claimed = claimedVolumesOf(pod);
    return claimed.length === 0 ? NOTHING : needsOf(pod, claimed, context);
  };
