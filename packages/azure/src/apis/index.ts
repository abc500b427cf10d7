export {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  type AKSNodeClassStatus,
  type GpuMig,
  type HTTPProxyConfig,
  type ImageFamilyName,
  isMigProfile,
  type KubeletConfiguration,
  type MigProfile,
  type NodeImage,
} from './aks-node-class.ts';
export { azureLabelCatalog, reservingLabelCatalog } from './azure-label-catalog.ts';
export {
  aksLabels,
  azureAnnotations,
  type AzureDriftReason,
  azureDriftReasons,
  azureLabels,
  AZURE_GROUP,
  legacyAksLabels,
  NODE_CLASS_FINALIZER,
} from './azure-names.ts';
export * from './crd/index.ts';
export { nodeClassHash, nodeClassHashOf, NODE_CLASS_HASH_VERSION } from './node-class-hash.ts';
export {
  imagesOf,
  isConfidential,
  isDualStack,
  isFips,
  isTrustedLaunch,
  kubernetesVersionOf,
  nodeClassConditions,
  readinessParts,
} from './node-class-status.ts';
