export { logicalZoneOf, placementScopeOf, type PlacementScope, REGIONAL_ZONE, zoneLabelOf } from './zone.ts';
