import { isFieldProblem, memoByObject } from '../../base/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import { requirementsText } from '../../catalog/index.ts';
import { amountIn, claimedVolumesOf } from '../../kube/index.ts';
import type { ClaimedVolume, Pod } from '../../kube/index.ts';
import { isTooComplex } from '../rejection/rejection.ts';
import type { TooComplex } from '../rejection/rejection.ts';
import { ANYWHERE, alternativesOfAll, isRefused } from './volume-alternatives.ts';
import type { Alternatives, ClaimedAlternatives } from './volume-alternatives.ts';
import type { AttachedVolume } from './attachment-limits.ts';
import { claimNeeds } from './claim-needs.ts';
import type { ClaimNeeds, ClaimContext } from './claim-needs.ts';
import { claimOf } from './volume-claims.ts';
import type { ClaimUsers } from './volume-claims.ts';

/** What the volumes of a pod ask of its node. */
export interface VolumeNeeds {
  /** Equal for pods whose volumes ask the same. */
  readonly text: string;
  readonly alternatives: Alternatives;
  /** CSI driver → volumes that this pod alone uses. */
  readonly own: Readonly<Record<string, number>>;
  /** Volumes that other pods use as well: one attachment serves all of them on a node. */
  readonly shared: readonly AttachedVolume[];
  readonly problem: FieldProblem | TooComplex | undefined;
}

/** What claims are read with. */
export interface VolumeContext extends ClaimContext {
  readonly users: ClaimUsers;
}

const NOTHING: VolumeNeeds = { text: '', alternatives: ANYWHERE, own: {}, shared: [], problem: undefined };

const refused = (problem: FieldProblem | TooComplex): VolumeNeeds => ({ ...NOTHING, text: JSON.stringify(problem), problem });

const missing = (field: string, value: string): FieldProblem => ({
  field,
  value,
  problem: 'there is no such PersistentVolumeClaim; create it, and the pod is checked again',
});

const textOf = ({ alternatives, own, shared }: Omit<VolumeNeeds, 'text'>): string =>
  JSON.stringify([alternatives.map(requirementsText), own, shared]);

/** One claim of a pod as it stands. */
const readClaim = (pod: Pod, claimed: ClaimedVolume, { users, ...context }: VolumeContext): ClaimNeeds | FieldProblem | TooComplex => {
  const { volume, claim: value } = claimed;
  const field = `spec.volumes[${volume.name}]`;
  const claim = claimOf(claimed, context.storage);
  if (claim === undefined) return missing(field, value);
  const needs = claimNeeds({ field, value, claim }, context);
  const holder = isTooComplex(needs) || isFieldProblem(needs) || !needs.isExclusive ? undefined : users.holderBefore(pod, value);
  if (holder === undefined) return needs;
  return {
    field,
    value,
    problem: `the claim is ReadWriteOncePod, and pod ${holder} uses it; the pod is checked again when that has gone`,
  };
};

const needsOf = (pod: Pod, claimed: readonly ClaimedVolume[], context: VolumeContext): VolumeNeeds => {
  const volumes: ClaimedAlternatives[] = [];
  const own: Record<string, number> = {};
  const shared: AttachedVolume[] = [];
  const seen = new Set<string>();
  for (const each of claimed) {
    const { claim } = each;
    if (seen.has(claim)) continue;
    seen.add(claim);
    const needs = readClaim(pod, each, context);
    if (isTooComplex(needs) || isFieldProblem(needs)) return refused(needs);
    const { alternatives, driver } = needs;
    volumes.push({ field: `spec.volumes[${each.volume.name}]`, claim, alternatives });
    if (driver === undefined) continue;
    if (context.users.isShared(claim)) shared.push({ claim, driver });
    else own[driver] = amountIn(own, driver) + 1;
  }
  const alternatives = alternativesOfAll(volumes);
  if (isRefused(alternatives)) return refused(alternatives);
  const found = { alternatives, own, shared, problem: undefined };
  return { ...found, text: textOf(found) };
};

/**
 * Pod → what its volumes ask, read once for each pod. Alternatives constrain the node alone: for spreads, the pod's own
 * affinity says which domains count, as kube-scheduler has it.
 */
export const volumeReader = (context: VolumeContext): ((pod: Pod) => VolumeNeeds) => {
  const read = memoByObject((pod: Pod): VolumeNeeds => {
    const claimed = claimedVolumesOf(pod);
    return claimed.length === 0 ? NOTHING : needsOf(pod, claimed, context);
  });
  return (pod) => (pod.spec.volumes === undefined ? NOTHING : read(pod));
};
