export { nicAndDiskCollection, machineCollection } from './garbage-collection.ts';
export { imageDiscovery } from './image-discovery.ts';
export { inPlaceUpdate } from './in-place-update.ts';
export { machineUpkeep } from './machine-upkeep.ts';
export { memoryLearning } from './memory-learning.ts';
export { nodeClassStatus } from './node-class-status.ts';
export { priceKeeper } from './refresh-prices.ts';
export { quotaRefresh } from './refresh-quota.ts';
export { skuKeeper } from './refresh-skus.ts';
