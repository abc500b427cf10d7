import recorded from '../../data/recorded-skus.json' with { type: 'json' };

/** One element of the answer of the compute resource SKUs API. */
export interface RecordedSku {
  readonly name: string;
  readonly tier: string;
  readonly kind?: string;
  readonly size: string;
  readonly family: string;
  readonly resourceType: string;
  readonly locations: readonly string[];
  readonly locationInfo: readonly SkuLocation[];
  readonly capabilities: readonly RecordedSkuCapability[];
  readonly restrictions?: readonly unknown[];
}

interface SkuLocation {
  readonly location: string;
  readonly zones: readonly string[];
  readonly zoneDetails?: readonly { readonly name: readonly string[]; readonly capabilities: readonly RecordedSkuCapability[] }[];
}

export interface RecordedSkuCapability {
  readonly name: string;
  readonly value: string;
}

const byRegion: Readonly<Record<string, readonly RecordedSku[]>> = recorded;

/** The SKUs that were recorded in a region, or else in South Central US, which has the most of them. */
export const recordedSkusFor = (region: string): readonly RecordedSku[] => byRegion[region] ?? recorded.southcentralus;
