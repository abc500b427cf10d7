/** The body of a virtual machine PUT, once its shape was checked. */
export interface VmBody {
  readonly location: string;
  readonly zones?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly identity?: VmIdentity;
  readonly properties: {
    readonly hardwareProfile: { readonly vmSize: string };
    readonly storageProfile: {
      readonly imageReference: { readonly id?: string; readonly communityGalleryImageId?: string };
      readonly osDisk: OsDisk;
    };
    readonly networkProfile: { readonly networkInterfaces: readonly VmNic[] };
    readonly osProfile: OsProfile;
    readonly priority?: string;
    readonly evictionPolicy?: string;
    readonly billingProfile?: { readonly maxPrice?: number };
    readonly securityProfile?: {
      readonly encryptionAtHost?: boolean;
      readonly securityType?: string;
      readonly uefiSettings?: { readonly secureBootEnabled?: boolean; readonly vTpmEnabled?: boolean };
    };
    readonly additionalCapabilities?: { readonly ultraSSDEnabled?: boolean };
    readonly capacityReservation?: { readonly capacityReservationGroup?: { readonly id: string } };
    readonly proximityPlacementGroup?: { readonly id: string };
  };
}

export interface VmIdentity {
  readonly type: string;
  readonly userAssignedIdentities?: Readonly<Record<string, object | null>>;
}

interface OsDisk {
  readonly name?: string;
  readonly createOption: string;
  readonly deleteOption?: string;
  readonly diskSizeGB?: number;
  readonly diffDiskSettings?: { readonly option: string; readonly placement?: string };
  readonly managedDisk?: {
    readonly diskEncryptionSet?: { readonly id: string };
    readonly securityProfile?: { readonly securityEncryptionType?: string; readonly diskEncryptionSet?: { readonly id: string } };
  };
}

interface VmNic {
  readonly id: string;
  readonly properties?: { readonly primary?: boolean; readonly deleteOption?: string };
}

interface OsProfile {
  readonly computerName: string;
  readonly adminUsername: string;
  readonly customData?: string;
  readonly linuxConfiguration?: {
    readonly disablePasswordAuthentication?: boolean;
    readonly ssh?: { readonly publicKeys?: readonly object[] };
  };
}
