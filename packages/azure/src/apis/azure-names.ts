export const AZURE_GROUP = 'karpenter.azure.com';

/** Labels of the provider on nodes and offerings. Source: the original's `pkg/apis/v1beta1/labels.go`. */
export const azureLabels = {
  skuName: 'karpenter.azure.com/sku-name',
  skuFamily: 'karpenter.azure.com/sku-family',
  skuSeries: 'karpenter.azure.com/sku-series',
  skuVersion: 'karpenter.azure.com/sku-version',
  skuCpu: 'karpenter.azure.com/sku-cpu',
  skuMemory: 'karpenter.azure.com/sku-memory',
  skuAcceleratedNetworking: 'karpenter.azure.com/sku-networking-accelerated',
  skuPremiumStorage: 'karpenter.azure.com/sku-storage-premium-capable',
  skuEphemeralOSMaxSize: 'karpenter.azure.com/sku-storage-ephemeralos-maxsize',
  skuUltraSSD: 'karpenter.azure.com/sku-storage-ultra-ssd',
  skuGpuName: 'karpenter.azure.com/sku-gpu-name',
  skuGpuManufacturer: 'karpenter.azure.com/sku-gpu-manufacturer',
  skuGpuCount: 'karpenter.azure.com/sku-gpu-count',
  placementScope: 'karpenter.azure.com/placement-scope',
  /** Name of the capacity reservation group that a machine was made out of. */
  capacityReservationGroup: 'karpenter.azure.com/capacity-reservation-group',
  /** The id by which Azure identifies the reservation. */
  capacityReservationId: 'karpenter.azure.com/capacity-reservation-id',
  /** Internal: only to match images. */
  skuHyperVGeneration: 'karpenter.azure.com/sku-hyperv-generation',
  nodeClass: 'karpenter.azure.com/aksnodeclass',
} as const;

/** Labels that AKS itself puts on the nodes of its pools, mirrored so that one selector fits both. */
export const aksLabels = {
  cluster: 'kubernetes.azure.com/cluster',
  mode: 'kubernetes.azure.com/mode',
  scaleSetPriority: 'kubernetes.azure.com/scalesetpriority',
  priority: 'kubernetes.azure.com/priority',
  osSku: 'kubernetes.azure.com/os-sku',
  fipsEnabled: 'kubernetes.azure.com/fips_enabled',
  skuCpu: 'kubernetes.azure.com/sku-cpu',
  skuMemory: 'kubernetes.azure.com/sku-memory',
  kubeletIdentityClientId: 'kubernetes.azure.com/kubelet-identity-client-id',
  osSkuEffective: 'kubernetes.azure.com/os-sku-effective',
  osSkuRequested: 'kubernetes.azure.com/os-sku-requested',
  role: 'kubernetes.azure.com/role',
  ebpfDataplane: 'kubernetes.azure.com/ebpf-dataplane',
  azureCniOverlay: 'kubernetes.azure.com/azure-cni-overlay',
  networkSubnet: 'kubernetes.azure.com/network-subnet',
  nodeNetworkVnetGuid: 'kubernetes.azure.com/nodenetwork-vnetguid',
  podNetworkType: 'kubernetes.azure.com/podnetwork-type',
  podNetworkName: 'kubernetes.azure.com/podnetwork-name',
  podNetworkSubnet: 'kubernetes.azure.com/podnetwork-subnet',
  podNetworkResourceGroup: 'kubernetes.azure.com/podnetwork-resourcegroup',
  podNetworkSubscription: 'kubernetes.azure.com/podnetwork-subscription',
  podNetworkDelegationGuid: 'kubernetes.azure.com/podnetwork-delegationguid',
  networkStatelessCni: 'kubernetes.azure.com/network-stateless-cni',
  localDnsState: 'kubernetes.azure.com/localdns-state',
  artifactStreaming: 'kubernetes.azure.com/artifactstreaming-enabled',
} as const;

/** Labels without a domain that AKS puts on the nodes of its pools. */
export const legacyAksLabels: readonly string[] = ['agentpool', 'storageprofile', 'storagetier', 'accelerator'];

export const azureAnnotations = {
  nodeClassHash: 'karpenter.azure.com/aksnodeclass-hash',
  nodeClassHashVersion: 'karpenter.azure.com/aksnodeclass-hash-version',
  /** On claims: the ARM id of the machine of an agent pool that was made for it. */
  aksMachineId: 'karpenter.azure.com/aks-machine-resource-id',
  /** On claims: the image that the launch requested and AKS did not use. */
  refusedImage: 'karpenter.azure.com/aks-machine-refused-image',
  /** On claims of classes with several subnets: the ARM id of the one that the node joins. */
  subnet: 'karpenter.azure.com/subnet',
  /** On classes: sizes that compete because a node of them has joined, separated by commas. */
  triedSizes: 'karpenter.azure.com/tried-sizes',
  /** On claims: the tags and identities that the machine was last brought to. */
  inPlaceUpdateHash: 'karpenter.azure.com/in-place-update-hash',
} as const;

/** Finalizer on AKSNodeClasses: a class stays while NodeClaims use it. */
export const NODE_CLASS_FINALIZER = 'karpenter.azure.com/termination';

/** Why a machine is no longer what its class asks for: the first of these that is true. */
export const azureDriftReasons = ['NodeClassDrift', 'SubnetDrift', 'K8sVersionDrift', 'KubeletIdentityDrift', 'ImageDrift'] as const;

export type AzureDriftReason = (typeof azureDriftReasons)[number];
