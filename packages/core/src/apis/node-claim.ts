import type { FieldProblem } from '../base/index.ts';
import type { Condition, ObjectMeta, ResourceList, Taint } from '../kube/index.ts';
import { durationProblems, requirementProblems, taintProblems } from './field-problems.ts';
import type { LabelCatalog } from './label-catalog.ts';
import { labels } from './names.ts';
import type { NodeClaimTemplateSpec, NodeClassRef, RequirementSpec } from './node-pool.ts';

/** karpenter.sh/v1 NodeClaim as plain JSON: one machine, from wanted to gone. Its spec never changes. */
export interface NodeClaim {
  readonly apiVersion: 'karpenter.sh/v1';
  readonly kind: 'NodeClaim';
  readonly metadata: ObjectMeta;
  readonly spec: NodeClaimSpec;
  readonly status?: NodeClaimStatus;
}

/** What a machine must be: requirements over labels, and how it is to be set up. Never changed once written. */
export interface NodeClaimSpec {
  readonly taints?: readonly Taint[];
  readonly startupTaints?: readonly Taint[];
  readonly requirements: readonly RequirementSpec[];
  readonly resources?: { readonly requests?: ResourceList };
  readonly nodeClassRef: NodeClassRef;
  readonly terminationGracePeriod?: string;
  readonly expireAfter?: string;
}

/** Name of the pool that a claim or node is of; empty where it is of none. */
export const nodePoolNameOf = ({ metadata }: { readonly metadata: ObjectMeta }): string => metadata.labels?.[labels.nodePool] ?? '';

/** The most entries that the API server takes in `spec.requirements`. */
export const MOST_CLAIM_REQUIREMENTS = 100;

/** What became of the claim. Amounts are Kubernetes quantities. */
export interface NodeClaimStatus {
  readonly nodeName?: string;
  readonly providerID?: string;
  readonly imageID?: string;
  readonly capacity?: ResourceList;
  readonly allocatable?: ResourceList;
  readonly conditions?: readonly Condition[];
  readonly lastPodEventTime?: string;
}

/** Types of the conditions of a NodeClaim. */
export const nodeClaimConditions = {
  launched: 'Launched',
  registered: 'Registered',
  initialized: 'Initialized',
  consolidatable: 'Consolidatable',
  drifted: 'Drifted',
  drained: 'Drained',
  volumesDetached: 'VolumesDetached',
  instanceTerminating: 'InstanceTerminating',
  consistentStateFound: 'ConsistentStateFound',
  disruptionReason: 'DisruptionReason',
  ready: 'Ready',
} as const;

/** What is wrong with what NodePool templates and NodeClaims say alike. */
export const machineProblems = (
  field: string,
  spec: NodeClaimTemplateSpec,
  options: { readonly catalog: LabelCatalog; readonly forNodePool: boolean },
): readonly FieldProblem[] => {
  const { group, kind, name } = spec.nodeClassRef;
  const empty = Object.entries({ group, kind, name }).filter(([, value]) => value === '');
  return [
    ...taintProblems(field, spec),
    ...spec.requirements.flatMap((requirement, i) => requirementProblems(`${field}.requirements[${i}]`, requirement, options)),
    ...empty.map(([part]) => ({ field: `${field}.nodeClassRef.${part}`, value: '', problem: 'must not be empty' })),
    ...(group.includes('/') ? [{ field: `${field}.nodeClassRef.group`, value: group, problem: 'must be a group without version' }] : []),
    ...durationProblems(`${field}.expireAfter`, spec.expireAfter, 'or Never'),
    ...durationProblems(`${field}.terminationGracePeriod`, spec.terminationGracePeriod, 'never'),
  ];
};

/** Everything that is wrong with a NodeClaim; empty when it is sound. */
export const nodeClaimProblems = (claim: NodeClaim, catalog: LabelCatalog): readonly FieldProblem[] =>
  machineProblems('spec', claim.spec, { catalog, forNodePool: false });
