import { memoByObject } from '../base/index.ts';
import { ageMs } from '../kube/index.ts';
import { annotations, capacityTypes, hashAnnotations, labels } from '../apis/index.ts';
import type { LabelCatalog, NodeClaim, NodePool } from '../apis/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import type { Labels } from '../kube/index.ts';
import { firstUnmet, requirementsOf } from '../requirements/index.ts';

/** What a claim is compared with. */
export interface DriftFacts {
  readonly pool: NodePool;
  readonly instanceTypes: readonly InstanceType[];
  readonly labelCatalog: LabelCatalog;
  readonly nowMs: number;
}

export type DriftReason = 'NodePoolDrifted' | 'RequirementsDrifted' | 'InstanceTypeNotFound';

const TYPE_GRACE_MS = 60 * 60_000;

/** Thousands of claims are compared with a pool. */
const hashOf = memoByObject(hashAnnotations);

/**
 * Compared only where both sides were hashed in the same way. A claim of the original is compared with what that wrote
 * on the pool, until the hash controller has rewritten both.
 * Differs: the original believes the pool's annotation, which anybody who applies an old manifest writes, too.
 */
const isTemplateChanged = ({ metadata: { annotations: made = {} } }: NodeClaim, pool: NodePool): boolean => {
  const isOurs = made[annotations.nodePoolHashVersion] === hashOf(pool)[annotations.nodePoolHashVersion];
  const wanted = isOurs ? hashOf(pool) : (pool.metadata.annotations ?? {});
  const isComparable =
    made[annotations.nodePoolHash] !== undefined &&
    wanted[annotations.nodePoolHash] !== undefined &&
    made[annotations.nodePoolHashVersion] !== undefined &&
    made[annotations.nodePoolHashVersion] === wanted[annotations.nodePoolHashVersion];
  return isComparable && made[annotations.nodePoolHash] !== wanted[annotations.nodePoolHash];
};

/** A reservation that has run out leaves a machine behind that is paid for as on demand. */
const capacityTypesOf = (capacityType: string): readonly string[] =>
  capacityType === capacityTypes.reserved ? [capacityType, capacityTypes.onDemand] : [capacityType];

/**
 * Whether the claim's machine is still among what is sold, in stock or not. What its labels do not say rules nothing out.
 * Differs: of an offering zone and capacity type are compared, no labels of the provider's.
 */
const isStillSold = (has: Labels, instanceTypes: readonly InstanceType[]): boolean => {
  const { [labels.zone]: zone, [labels.capacityType]: capacityType } = has;
  const type = instanceTypes.find(({ name }) => name === has[labels.instanceType]);
  const known = capacityType === undefined ? undefined : capacityTypesOf(capacityType);
  return type?.offerings.some((each) => (zone ?? each.zone) === each.zone && (known?.includes(each.capacityType) ?? true)) ?? false;
};

/** A pool may have tens of thousands of values, and thousands of claims are compared with them. */
const requirementsBy = memoByObject((catalog: LabelCatalog) =>
  memoByObject((pool: NodePool) => requirementsOf(pool.spec.template.spec.requirements, catalog)),
);

/** Why a claim no longer matches its pool, as far as core knows. The provider's own drift reasons come after these. */
export const driftOf = (claim: NodeClaim, { pool, instanceTypes, labelCatalog, nowMs }: DriftFacts): DriftReason | undefined => {
  if (isTemplateChanged(claim, pool)) return 'NodePoolDrifted';
  const claimLabels = claim.metadata.labels ?? {};
  if (firstUnmet(requirementsBy(labelCatalog)(pool), claimLabels) !== undefined) return 'RequirementsDrifted';
  const isOld = ageMs(claim.metadata, nowMs) > TYPE_GRACE_MS;
  return isOld && instanceTypes.length > 0 && !isStillSold(claimLabels, instanceTypes) ? 'InstanceTypeNotFound' : undefined;
};
