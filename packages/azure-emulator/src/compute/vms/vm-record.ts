/** How a VM is billed, in Karpenter's words. */
export type VmCapacityType = 'on-demand' | 'spot';

export type VmProvisioningState = 'Creating' | 'Updating' | 'Succeeded' | 'Failed' | 'Deleting';

/** One virtual machine as a test or a kubelet sees it: a frozen view, taken when asked for. */
export interface VmRecord {
  readonly id: string;
  readonly vmId: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly location: string;
  /** The logical zone (`'1'`), undefined for a regional VM. */
  readonly zone: string | undefined;
  readonly size: string;
  readonly capacityType: VmCapacityType;
  /** The group of capacity reservations that it was made out of. */
  readonly capacityReservationGroupId: string | undefined;
  readonly provisioningState: VmProvisioningState;
  /** `azure:///subscriptions/…` with the resource group in lower case, as the cloud controller writes it. */
  readonly providerId: string;
  readonly osProfile: { readonly computerName: string; readonly adminUsername: string; readonly customData: string | undefined };
  /** `/CommunityGalleries/…/versions/…` or the ARM id of a gallery image version. */
  readonly imageId: string;
  readonly osDiskSizeGB: number;
  readonly nicIds: readonly string[];
  /** The first NIC's first address. */
  readonly privateIpAddress: string | undefined;
  /** The first NIC's address of the other family, where it has one. */
  readonly ipv6Address: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly timeCreatedMs: number;
  /** What the size gives, nominal: a kubelet sees somewhat less memory. */
  readonly hardware: {
    readonly vCpus: number;
    readonly memoryBytes: number;
    readonly gpus: number;
    readonly maxDataDisks: number;
    readonly architecture: 'amd64' | 'arm64';
  };
}

/**
 * `created` comes when Azure has begun to make a machine, whether or not the caller gets an answer. `running` comes
 * when the machine has booted, `configured` when an extension has run a script on it. `evicted` comes when a spot
 * machine gets its notice, `deleted` when it is gone.
 */
export interface VmEvent {
  readonly type: 'created' | 'running' | 'configured' | 'deleted' | 'evicted';
  readonly vm: VmRecord;
  /** Of a notice: when the machine goes, in milliseconds of Unix time. */
  readonly notBeforeMs?: number;
  /** What an extension has run. */
  readonly script?: string;
}
