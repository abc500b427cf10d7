/** One way to buy an instance type. */
export interface OfferingEntry {
  readonly pricePerHour: number;
  readonly zone: string;
  readonly capacityType: string;
  /** Further labels of nodes that are bought this way. */
  readonly labels: Readonly<Record<string, string>>;
}

/** An instance type as a file states it. */
export interface InstanceTypeEntry {
  readonly name: string;
  readonly architecture: string;
  readonly operatingSystem: string;
  /** Quantities; `pods` is among them. */
  readonly resources: Readonly<Record<string, string>>;
  readonly offerings: readonly OfferingEntry[];
}
