/**
 * What Azure does that clients do not expect. Each behaviour is switched by itself, and each was seen by others in public: the
 * sources stand with it. The same list with its effect on Karpenter is in `docs/azure-emulator.md`.
 */
export interface ArmBehaviours {
  /**
   * Lists of VMs name their extensions by `id` only.
   * Source: Azure/azure-sdk-for-net#13378, Azure/azure-cli#26019, Azure/azure-sdk-for-python#2165.
   */
  readonly extensionsById: boolean;
  /**
   * A VM is not written while one of its extensions is, and no extension while its VM is: 409 `Conflict`.
   * Source: Azure/azure-cli#15765 (the words), cloudfoundry/bosh-azure-cpi-release#762.
   */
  readonly exclusiveVms: boolean;
  /**
   * AKS names the VM of a machine only once there is one. Source: the example `MachineCreate_Update.json` of
   * Microsoft.ContainerService in Azure/azure-rest-api-specs answers without `resourceId`.
   */
  readonly lateResourceIds: boolean;
  /**
   * AKS writes machines itself: the first conditional write after a read meets another ETag, and 412. Source:
   * Azure/karpenter-provider-azure, `pkg/controllers/nodeclaim/inplaceupdate` (`etag mismatch`); ETags of
   * Microsoft.ContainerService.
   */
  readonly movingETags: boolean;
  /**
   * AKS takes its newest image, whatever `nodeImageVersion` asks for: always, or in calls at these api-versions.
   * Source: newer models of Microsoft.ContainerService call `nodeImageVersion` read-only, older ones do not.
   */
  readonly ownImageVersions: boolean | readonly string[];
  /**
   * Features of the subscription that are not registered: a body that needs one is refused. Source:
   * Azure/azure-cli#19385 (AKS), Azure/azure-cli#16788 and Azure/ResourceModules#1242
   * (`Microsoft.Compute/EncryptionAtHost`).
   */
  readonly missingFeatures: readonly string[];
  /**
   * Resource providers that the subscription is not registered for: every call to them is refused with 409.
   * Source: nforgeio/neonKUBE#1670, Azure/azure-sdk-for-node#2305.
   */
  readonly unregisteredProviders: readonly string[];
  /**
   * Resource providers that this Azure does not have, as a sovereign cloud may: 404 `InvalidResourceNamespace`.
   * Source: Azure/azure-powershell#3579, Azure/aci-connector-k8s#13.
   */
  readonly missingProviders: readonly string[];
  /**
   * Something writes the network every so often: meanwhile an interface that names the written subnet, security group
   * or load balancer is refused with 429 `RetryableError`. Undefined: only `updateNetwork` of the emulator does.
   * Source: hashicorp/terraform#7153 and #7986, kubernetes-sigs/cluster-api-provider-azure#4385; Azure Resource
   * Manager, "Request limits and throttling": the network provider answers 429 for a resource that another operation
   * holds.
   */
  readonly networkWrites: NetworkWrites | undefined;
}

/** The network is written for `forMs` in every `everyMs`. */
export interface NetworkWrites {
  readonly everyMs: number;
  readonly forMs: number;
}

export const ARTIFACT_STREAMING_FEATURE = 'Microsoft.ContainerService/ArtifactStreamingPreview';
export const ENCRYPTION_AT_HOST_FEATURE = 'Microsoft.Compute/EncryptionAtHost';

/** An Azure without any of them: for tests of one at a time. */
export const NO_BEHAVIOURS: ArmBehaviours = {
  extensionsById: false,
  exclusiveVms: false,
  lateResourceIds: false,
  movingETags: false,
  ownImageVersions: false,
  missingFeatures: [],
  unregisteredProviders: [],
  missingProviders: [],
  networkWrites: undefined,
};

/** All of them at once. */
export const EVERY_BEHAVIOUR: ArmBehaviours = {
  extensionsById: true,
  exclusiveVms: true,
  lateResourceIds: true,
  movingETags: true,
  ownImageVersions: true,
  missingFeatures: [ARTIFACT_STREAMING_FEATURE, ENCRYPTION_AT_HOST_FEATURE],
  /** Without Compute and Network there is no machine, and these are all that is called: tests name them one by one. */
  unregisteredProviders: [],
  missingProviders: [],
  networkWrites: { everyMs: 60_000, forMs: 8_000 },
};
