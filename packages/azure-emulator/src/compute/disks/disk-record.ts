/** One managed disk as a test sees it. */
export interface DiskRecord {
  readonly id: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly sizeGB: number;
  /** The VM that it is attached to. */
  readonly managedBy: string | undefined;
}
