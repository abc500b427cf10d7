import { annotations, labels } from '../../../apis/index.ts';
import type { LabelCatalog, NodeClaim, NodePool } from '../../../apis/index.ts';
import type { InstanceType } from '../../../catalog/index.ts';
import { firstUnmet, requirementsOf } from '../../../requirements/index.ts';
import { ageMs } from '../../age.ts';

/** What a claim is compared with. */
export interface DriftFacts {
  readonly pool: NodePool;
  readonly instanceTypes: readonly InstanceType[];
  readonly labelCatalog: LabelCatalog;
  readonly nowMs: number;
}

export type DriftReason = 'NodePoolDrifted' | 'RequirementsDrifted' | 'InstanceTypeNotFound';

const TYPE_GRACE_MS = 60 * 60_000;

/** Compared only where both sides were hashed in the same way. */
const isTemplateChanged = (claim: NodeClaim, pool: NodePool): boolean => {
  const made = claim.metadata.annotations ?? {};
  const wanted = pool.metadata.annotations ?? {};
  const isComparable =
    made[annotations.nodePoolHash] !== undefined &&
    wanted[annotations.nodePoolHash] !== undefined &&
    made[annotations.nodePoolHashVersion] !== undefined &&
    made[annotations.nodePoolHashVersion] === wanted[annotations.nodePoolHashVersion];
  return isComparable && made[annotations.nodePoolHash] !== wanted[annotations.nodePoolHash];
};

/** Why a claim is no longer what its pool asks for, by what core knows; the provider is asked after that. */
export const driftOf = (claim: NodeClaim, { pool, instanceTypes, labelCatalog, nowMs }: DriftFacts): DriftReason | undefined => {
  if (isTemplateChanged(claim, pool)) return 'NodePoolDrifted';
  const claimLabels = claim.metadata.labels ?? {};
  if (firstUnmet(requirementsOf(pool.spec.template.spec.requirements, labelCatalog), claimLabels) !== undefined)
    return 'RequirementsDrifted';
  const isOld = ageMs(claim.metadata, nowMs) > TYPE_GRACE_MS;
  const isKnown = instanceTypes.length === 0 || instanceTypes.some(({ name }) => name === claimLabels[labels.instanceType]);
  return isOld && !isKnown ? 'InstanceTypeNotFound' : undefined;
};
