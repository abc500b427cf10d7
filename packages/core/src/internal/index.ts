/**
 * `@karpenter/core/internal`: what the other packages of this repository need beyond the public entry points.
 * Builders and suites of the testkit, the cluster of the simulator, the apps. It changes with any release, without
 * notice.
 */
export {
  budgetProblemsOf,
  capacityBufferCrd,
  hashAnnotations,
  nodeClaimCrd,
  nodeClaimCrdWith,
  nodeClaimProblems,
  nodeOverlayConditions,
  nodeOverlayCrd,
  nodeOverlayCrdWith,
  nodeOverlayProblems,
  nodePoolCrd,
  nodePoolCrdWith,
  nodePoolHash,
  nodePoolProblems,
  rebalancePlanCrd,
} from '../apis/index.ts';
export type { CapacityBuffer, CrdVersion, NodeClaimTemplateSpec, NodeOverlay, NodePoolSpec, RebalancePlan } from '../apis/index.ts';
export { compareText, COUNTS, finish, formatDuration, getOrMake, isInCronWindow, isRecord } from '../base/index.ts';
export type { NumberRange, Steps } from '../base/index.ts';
export { applyOverlays, cheapestOffering, overlayRules, poolLabelRequirements } from '../catalog/index.ts';
export type { DynamicResources, NodeRequirements } from '../catalog/index.ts';
export type { CloudProviderErrorCode, FailedLaunch, NodeAdditions, TypesAsPlanned } from '../cloudprovider/index.ts';
export { deviceViewOf, explainLeftOut, podSelectorOf, readingSound, usageOfNode } from '../cluster/index.ts';
export type {
  BufferView,
  DeviceView,
  LaunchBlock,
  NodePoolView,
  NodeView,
  PlainCluster,
  PodSelector,
  StorageView,
} from '../cluster/index.ts';
export { driftOf, leastPriceAmong, nodePrice, plannedNodeView, proposing, rebalancing } from '../disruption/index.ts';
export type { Blocker, Candidate, Rebalance, RebalanceWave } from '../disruption/index.ts';
export {
  isDaemonPod,
  isGated,
  isReschedulable,
  isTerminal,
  namespacedNameOf,
  namespaceOf,
  podRequests,
  spreadProblem,
  sumResources,
} from '../kube/index.ts';
export type {
  CSINode,
  ClaimConsumer,
  Container,
  ContainerPort,
  ContainerStatus,
  CounterSet,
  DaemonSet,
  Device,
  DeviceAllocationResult,
  DeviceClass,
  DeviceConstraint,
  DeviceNodeSelector,
  DeviceToleration,
  ExactDeviceRequest,
  LabelSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeClaim,
  PodAffinity,
  PodAffinityTerm,
  PodDisruptionBudget,
  PodSpec,
  PodStatus,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
  ResourceList,
  ResourceSlice,
  StorageClass,
  Toleration,
  TopologySpreadConstraint,
  Volume,
} from '../kube/index.ts';
export { intersects } from '../requirements/index.ts';
export { createWhatIf, planning, relaxedTexts, splitPlan } from '../scheduling/index.ts';
export type { RelaxedPods, UnsupportedVolumes } from '../scheduling/index.ts';
export { resolveReference } from '../controllers/capacity-buffer/capacity-buffer.ts';
export { blockerText } from '../controllers/observability/events/blocker-text.ts';
export type { PlanMarks } from '../controllers/isolation/suspects.ts';
export { rehearsedPods } from '../controllers/provisioning/rehearsal.ts';
export type { CommandSummary, Decision, DecisionReporter, MetricLabels, MetricSpec, Reading } from '../ports/index.ts';
export type { BatchPace, LaunchAnswer } from '../provider-kit/batched-create.ts';
export type { InterruptionMessage } from '../provider-kit/interruption-feed.ts';
export { type ConfiguredProvider, PROVIDER_CONTRACT_VERSION, type ProviderArguments } from '../provider-kit/provider-plugin.ts';
export type { LateFailure } from '../provider-kit/failed-launch-report.ts';
export { isSameTaint } from '../state/index.ts';
export type { FollowChoice, FollowedKinds } from '../state/index.ts';
