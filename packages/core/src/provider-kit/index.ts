/**
 * `@karpenter/core/provider-kit`: how a provider plugs in, and what every provider would build again. All of it is
 * optional: the contract is `CloudProvider` alone.
 */
export { problemsText } from '../base/index.ts';
export { isLabelKey, isLabelValue } from '../kube/index.ts';
export { batchedCreate, gatheredCalls } from './batched-create.ts';
export type { BatchCreate } from './batched-create.ts';
export { blockList, hasQuota } from './block-list.ts';
export type { Block, BlockList, QuotaLeft } from './block-list.ts';
export { circuitBreaker } from './circuit-breaker.ts';
export type { CircuitBreaker } from './circuit-breaker.ts';
export {
  hasClassHashDrifted,
  layeredTags,
  nodeClassHashing,
  nodeClassStatusKeeping,
  nodeClassTermination,
  specHashOf,
} from './node-class.ts';
export type { ClassHash, NodeClass, Verdict } from './node-class.ts';
export { inPlaceUpdating } from './in-place-update.ts';
export { fedInterruptionOf, interruptionFeed, interruptionInConditions } from './interruption-feed.ts';
export { orphanCollection } from './orphan-collection.ts';
export type { Orphan } from './orphan-collection.ts';
export { StartError } from './provider-plugin.ts';
export type { ProviderOption, ProviderParts, ProviderPlugin, ProviderWorld } from './provider-plugin.ts';
export { refresher, standInPricePerHour } from './refresher.ts';
export type { Refresher } from './refresher.ts';
export { reportFailedLaunch } from './failed-launch-report.ts';
