/**
 * `@karpenter/core/controllers`: the shell half. What a provider's own controllers need of the controller runtime is
 * passed on from here, so that a provider depends on core alone.
 */
export {
  type KubeCallOptions as KubeCallOptions,
  type Clock,
  type Controller,
  type EventRecorder,
  type KubeClient,
  KubeError,
  type KubeObject,
  type LogFields,
  type Logger,
  loggerWith,
  type ObjectKey,
  type KubeObjectMeta as KubeObjectMeta,
  type Outcome,
  parseRetryAfter,
  type Patch,
  type ReconcileContext,
  requeueAfter,
  type ResourceKind,
  settled,
  silentLogger,
  type SingletonController,
  systemClock,
  type TimerHandle,
  type Watch,
  watchOf,
  withDeadline,
} from '@karpenter/runtime';
export type * from '../ports/index.ts';
export {
  ClusterState,
  type FollowChoice,
  type FollowedKinds,
  followKinds,
  karpenterKinds,
  machineKeyOf,
  PLANNED_PODS_ANNOTATION,
} from '../state/index.ts';
export * from './create-karpenter.ts';
export type { Decisions } from './decisions.ts';
export type { PlanMarks } from './isolation/plan-marks.ts';
export { type DriftFacts, driftOf, type DriftReason } from './nodeclaim/conditions/drift-of.ts';
export { type BlockerText, blockerText } from './observability/events/blocker-text.ts';
