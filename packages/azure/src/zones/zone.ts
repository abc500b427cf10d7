/** What the zone label of a regional machine says. */
export const REGIONAL_ZONE = '0';

export type PlacementScope = 'zonal' | 'regional';

/** `eastus-1` for the logical zone `1`. */
export const zoneLabelOf = (location: string, logicalZone: string): string => `${location.toLowerCase()}-${logicalZone}`;

/** The logical zone of a zone label; undefined for the regional one. */
export const logicalZoneOf = (zoneLabel: string): string | undefined =>
  zoneLabel === REGIONAL_ZONE ? undefined : zoneLabel.slice(zoneLabel.lastIndexOf('-') + 1);

export const placementScopeOf = (zoneLabel: string): PlacementScope => (zoneLabel === REGIONAL_ZONE ? 'regional' : 'zonal');
