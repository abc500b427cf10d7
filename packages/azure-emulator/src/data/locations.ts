import locations from '../../data/locations.json' with { type: 'json' };

export interface AzureLocation {
  readonly name: string;
  readonly displayName: string;
  readonly id: string;
  readonly availabilityZoneMappings?: readonly { readonly logicalZone: string; readonly physicalZone: string }[] | undefined;
}

/** The recorded answer of `subscriptions/…/locations`, cut down to the regions that have prices. */
export const azureLocations: readonly AzureLocation[] = locations;

/** The logical zones of a region, ascending; none for a region without zones. */
export const zonesOf = (region: string): readonly string[] => {
  const location = azureLocations.find((known) => known.name === region);
  return (location?.availabilityZoneMappings ?? []).map((mapping) => mapping.logicalZone).sort();
};
