/**
 * `@karpenter/core`: the model, the pure decisions, and the contract with a cloud. Nothing here reads a clock, a
 * cluster or a network; the controllers that do are behind `@karpenter/core/controllers`.
 */
export { capacityTypes, defaultLabelCatalog, labels, mergeLabelCatalogs, nodeClaimConditions, unregisteredTaint } from './apis/index.ts';
export type { CelRule, CustomResourceDefinition, JsonSchema, LabelCatalog, NodeClaim, NodePool, RequirementSpec } from './apis/index.ts';
export { decimalIn, durationMs, epochMsOf, timestampOf, wholeNumberIn } from './base/index.ts';
export { allocatableOf, compatibleOfferings, isCompatibleOffering } from './catalog/index.ts';
export type { InstanceType, Offering } from './catalog/index.ts';
export { CloudProviderError, failedLaunchOf } from './cloudprovider/index.ts';
export type {
  CloudProvider,
  CreateOptions,
  DeleteOutcome,
  Interruption,
  Machine,
  NodeClassKind,
  RepairPolicy,
} from './cloudprovider/index.ts';
export { snapshotOf } from './cluster/index.ts';
export type { ClusterSnapshot } from './cluster/index.ts';
export { proposeCommand, rebalance } from './disruption/index.ts';
export type { Command, DisruptionContext } from './disruption/index.ts';
export { conditionOf, fits, isConditionTrue, parseQuantity, quantitiesOf, resourcesOf, subtractResources, unitsOf } from './kube/index.ts';
export type { Condition, Node, Pod, Resources, Taint } from './kube/index.ts';
export { admits, firstConflict, labelRequirements, requirementsOf } from './requirements/index.ts';
export type { Requirement, Requirements } from './requirements/index.ts';
export { defaultSchedulingPolicy, explain, explainTree, simulate } from './scheduling/index.ts';
export type { Plan, PlannedNode, Rejection, SchedulingPolicy } from './scheduling/index.ts';
