/** The body of a network interface PUT, once its shape was checked. */
export interface NicBody {
  readonly location: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly properties: {
    readonly ipConfigurations: readonly NicIpConfiguration[];
    readonly enableAcceleratedNetworking?: boolean;
    readonly enableIPForwarding?: boolean;
    readonly networkSecurityGroup?: { readonly id: string };
  };
}

export interface NicIpConfiguration {
  readonly name: string;
  readonly properties: {
    readonly primary?: boolean;
    readonly privateIPAllocationMethod?: string;
    readonly privateIPAddressVersion?: string;
    readonly subnet: { readonly id: string };
    readonly loadBalancerBackendAddressPools?: readonly { readonly id: string }[];
  };
}
