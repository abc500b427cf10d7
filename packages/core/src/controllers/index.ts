/** `@karpenter/core/controllers`: the half that acts. A manager of `@karpenter/runtime` runs what it creates. */
export type { Counter, Gauge, Metrics } from '../ports/index.ts';
export { ClusterState, followKinds, karpenterKinds } from '../state/index.ts';
export { createKarpenter } from './create-karpenter.ts';
export type { Karpenter, KarpenterOptions } from './create-karpenter.ts';
