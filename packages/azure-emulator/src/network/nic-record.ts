/** One network interface as a test sees it. */
export interface NicRecord {
  readonly id: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly provisioningState: string;
  readonly subnetId: string;
  /** One per IP configuration, the primary first. */
  readonly privateIpAddresses: readonly string[];
  /** The VM that it is attached to. */
  readonly vmId: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}
