/** `@karpenter/azure/catalog`: what regions sell, without a call to Azure. */
export { classChangeDrift, storedNodeClass } from './class-change.ts';
export { ESTIMATED_SPOT_SHARE, type OfflineCatalog, offlineCatalog, offlineRegions, type OfflineSize } from './offline-catalog.ts';
export { type AKSNodeClass, AZURE_GROUP, azureLabelCatalog, azureLabels } from '../apis/index.ts';
