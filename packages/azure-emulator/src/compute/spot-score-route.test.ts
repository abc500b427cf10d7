import { expect, test } from '@jest/globals';
import { type Answer, type Wire, wire } from '../fixtures/wire.ts';

const generate = (on: Wire, changes: object): Promise<Answer> => {
  const { account } = on.emulator;
  const path = `/subscriptions/${account.subscriptionId}/providers/Microsoft.Compute/locations/eastus/placementScores/spot/generate`;
  const body = { desiredLocations: ['eastus'], desiredSizes: [{ sku: 'Standard_D4s_v5' }], desiredCount: 1, availabilityZones: true };
  return on.call(`POST ${path}`, { body: { ...body, ...changes } });
};

const scoresIn = ({ body }: Answer): readonly string[] =>
  (body as { placementScores: { availabilityZone?: string; score: string }[] }).placementScores.map(
    ({ availabilityZone = 'region', score }) => `${availabilityZone} ${score}`,
  );

test('spot placement scores are those that were given, by zone or for the region; sizes that are not sold as spot are restricted', async () => {
  await using on = await wire({ spotScores: { Standard_D4s_v5: 'Medium', 'Standard_D4s_v5/2': 'Low' } });
  expect(scoresIn(await generate(on, {}))).toEqual(['1 Medium', '2 Low', '3 Medium']);
  expect(scoresIn(await generate(on, { availabilityZones: false }))).toEqual(['region Medium']);
  expect(scoresIn(await generate(on, { desiredSizes: [{ sku: 'Standard_B2ms' }], availabilityZones: false }))).toEqual([
    'region RestrictedSkuNotAvailable',
  ]);
});

test.each([
  ['no size', { desiredSizes: [] }],
  ['six sizes', { desiredSizes: Array.from({ length: 6 }, () => ({ sku: 'Standard_D4s_v5' })) }],
  ['nine regions', { desiredLocations: Array.from({ length: 9 }, () => 'eastus') }],
  ['no count', { desiredCount: 0 }],
])('a request for the scores of %s is refused', async (_, changes) => {
  await using on = await wire();
  expect(await generate(on, changes)).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
});
