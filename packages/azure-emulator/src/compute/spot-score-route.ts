import { refusal } from '../faults/arm-error.ts';
import { ok, armRefusalReply } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import { canDo, type SkuCatalog } from './sizes/sku-catalog.ts';

interface ScoreService {
  readonly world: ArmWorld;
  readonly catalog: SkuCatalog;
}

interface ScoreBody {
  readonly desiredLocations?: readonly string[];
  readonly desiredSizes?: readonly { readonly sku?: string }[];
  readonly desiredCount?: number;
  readonly availabilityZones?: boolean;
}

/** Source: Azure, "Spot Placement Score": eight regions, five sizes. */
const MOST = { locations: 8, sizes: 5 };

const isWithin = (length: number, most: number): boolean => length > 0 && length <= most;

const problemOf = ({ desiredLocations = [], desiredSizes = [], desiredCount = 0 }: ScoreBody): string | undefined => {
  if (!isWithin(desiredLocations.length, MOST.locations)) return `desiredLocations must have 1 to ${String(MOST.locations)} items.`;
  if (!isWithin(desiredSizes.length, MOST.sizes)) return `desiredSizes must have 1 to ${String(MOST.sizes)} items.`;
  return desiredCount > 0 ? undefined : 'desiredCount must be greater than 0.';
};

/** The score of a size: what `spotScores` says, else High; of one that is not sold as spot what Azure calls restricted. */
const scoreOf = ({ world, catalog }: ScoreService, size: string, zone: string): string => {
  const sku = catalog.find(size);
  if (sku === undefined || !canDo(sku, 'LowPriorityCapable')) return 'RestrictedSkuNotAvailable';
  return world.spotScores[`${size}/${zone}`] ?? world.spotScores[size] ?? 'High';
};

const generate = (service: ScoreService, { body }: ArmRequest): ArmReply => {
  const wanted = (body ?? {}) as ScoreBody;
  const problem = problemOf(wanted);
  if (problem !== undefined) return armRefusalReply(refusal(400, 'BadRequest', problem));
  const { desiredLocations: [region = ''] = [], desiredSizes = [], availabilityZones = false } = wanted;
  const placementScores = desiredSizes.flatMap(({ sku = '' }) => {
    const zones = availabilityZones ? (service.catalog.find(sku)?.locationInfo[0]?.zones ?? []) : [''];
    return zones.map((zone) => ({
      ...{ sku, region, isQuotaAvailable: true, score: scoreOf(service, sku, zone) },
      ...(zone !== '' && { availabilityZone: zone }),
    }));
  });
  return ok({ ...wanted, placementScores });
};

/** How likely spot machines of some sizes can be made. */
export const spotScoreRoute = (service: ScoreService): ArmRoute => ({
  operation: 'SpotPlacementScores_Post',
  method: 'POST',
  path: '/subscriptions/{subscriptionId}/providers/Microsoft.Compute/locations/{location}/placementScores/spot/generate',
  handle: (request) => generate(service, request),
});
