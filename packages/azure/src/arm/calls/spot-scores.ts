import type { PlacementScore } from '../arm-api.ts';
import type { CallContext } from './call-context.ts';
import { jsonCalls } from './json-calls.ts';
import { listOf, objectOf, textsIn } from './shape.ts';

/** The one that Azure's page on spot placement scores names. */
const API_VERSION = '2025-06-05';

const SCORES: readonly PlacementScore['score'][] = ['High', 'Medium', 'Low'];

/** Undefined for a size that the subscription may not have as spot, or for which Azure has no fresh data. */
const scoreIn = (item: unknown): PlacementScore | undefined => {
  const { sku: size, availabilityZone: zone, score: text } = textsIn(item);
  const score = SCORES.find((each) => each === text);
  return size === undefined || zone === undefined || score === undefined ? undefined : { size, zone, score };
};

/**
 * Asks for the scores of one machine of each size. Throws `RestError`, and `ArmError` if the answer is not JSON.
 * Source: Azure, "Spot Placement Score" (up to five sizes, eight regions).
 */
export const fetchSpotScores = async (
  { clients, scope }: Pick<CallContext, 'clients' | 'scope'>,
  sizes: readonly string[],
  signal: AbortSignal,
): Promise<readonly PlacementScore[]> => {
  const { subscriptionId, location } = scope;
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/locations/${location}/placementScores/spot/generate`;
  const body = { desiredLocations: [location], desiredSizes: sizes.map((sku) => ({ sku })), desiredCount: 1, availabilityZones: true };
  const url = `${clients.endpoint}${path}?api-version=${API_VERSION}`;
  const answer = await jsonCalls(clients)({ method: 'POST', url, body }, signal);
  return listOf(objectOf(answer)['placementScores']).flatMap((item) => scoreIn(item) ?? []);
};
