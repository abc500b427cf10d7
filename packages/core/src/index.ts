/**
 * `@karpenter/core`: the model, the pure decisions, and the contract with a cloud. Nothing here reads a clock, a cluster or a network;
 * the controllers that do are behind `@karpenter/core/controllers`.
 */
export * from './apis/index.ts';
export {
  compareText,
  durationMs,
  durationOrNeverMs,
  epochMsOf,
  finish,
  formatDuration,
  isFieldProblem,
  structuralHash,
  timestampOf,
} from './base/index.ts';
export type { FieldProblem, Steps } from './base/index.ts';
export {
  allocatableOf,
  cheapestOffering,
  compatibleOfferings,
  instanceTypeOf,
  isCompatibleOffering,
  minValuesOf,
  orderByPrice,
  worstLaunchPrice,
} from './catalog/index.ts';
export type { InstanceType, MinValuesAnswer, MinValuesShortfall, NodeRequirements, Offering, PlainInstanceType } from './catalog/index.ts';
export * from './cloudprovider/index.ts';
export * from './cluster/index.ts';
export * from './disruption/index.ts';
export * from './kube/index.ts';
export * from './requirements/index.ts';
export * from './scheduling/index.ts';
