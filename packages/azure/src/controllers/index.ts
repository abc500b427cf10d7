export { leftoverCollection, machineCollection } from './garbage-collection.ts';
export { imageDiscovery } from './image-discovery.ts';
export { inPlaceUpdate } from './in-place-update.ts';
export { machineUpkeep } from './machine-upkeep.ts';
export { nodeClassHashing } from './node-class-hash.ts';
export { nodeClassStatus } from './node-class-status.ts';
export { nodeClassTermination } from './node-class-termination.ts';
export { refreshControllers, refreshPrices, refreshSkus } from './refresh.ts';
