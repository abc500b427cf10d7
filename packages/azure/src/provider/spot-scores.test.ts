import { expect, jest, test } from '@jest/globals';
import { labels } from '@karpenter/core';
import { aClaim } from '../testing/a-claim.ts';
import { azureWorld, type WorldOptions, unendingCall } from '../testing/azure-world.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
const OPERATION = 'SpotPlacementScores_Post';
const spot = { key: labels.capacityType, operator: 'In', values: ['spot'] } as const;
const sizes = { key: labels.instanceType, operator: 'In', values: ['Standard_D2s_v3', 'Standard_D4s_v3'] } as const;
const spotScores = { 'Standard_D2s_v3/1': 'Low', 'Standard_D2s_v3/2': 'Medium' };

const launchWithScores = async (options: WorldOptions = {}, mode = 'aksscriptless') => {
  const world = await azureWorld({ spotScores, ...options, variables: { PROVISION_MODE: mode, ...options.variables } });
  const azure = await world.provider();
  const names = ['general-a', 'general-b', 'general-c'];
  await world.passing(Promise.all(names.map((name) => azure.provider.create(aClaim(name, spot, sizes), unendingCall))));
  await world.passing(azure.idle());
  return world;
};

test.each(['aksscriptless', 'aksmachineapi'])(
  'with placement scores › machines by %s come where Azure calls them likely, for one call',
  async (mode) => {
    await using world = await launchWithScores({ variables: { SPOT_PLACEMENT_SCORES: 'true' } }, mode);
    expect(world.arm.vms().map(({ size, zone }) => `${size} ${zone ?? ''}`)).toEqual(Array.from({ length: 3 }, () => 'Standard_D2s_v3 3'));
    const requests = world.arm.requests.of(OPERATION);
    expect(requests.map(({ status, body }) => ({ status, body }))).toEqual([
      {
        status: 200,
        body: {
          ...{ availabilityZones: true, desiredCount: 1, desiredLocations: ['eastus'] },
          desiredSizes: [{ sku: 'Standard_D2s_v3' }, { sku: 'Standard_D4s_v3' }],
        },
      },
    ]);
  },
);

test('without the option no score is read', async () => {
  await using world = await launchWithScores();
  expect(world.arm.requests.count(OPERATION)).toBe(0);
  expect(world.arm.vms().map(({ size }) => size)).toEqual(['Standard_D2s_v3', 'Standard_D2s_v3', 'Standard_D2s_v3']);
});

test('a role that is missing for scores stops no machine, and the log names it', async () => {
  await using world = await azureWorld({ variables: { SPOT_PLACEMENT_SCORES: 'true' } });
  using _denied = world.arm.access.deny({ action: 'Microsoft.Compute/locations/placementScores/generate/action' });
  const azure = await world.provider();
  await world.passing(azure.provider.create(aClaim('general-a', spot, sizes), unendingCall));
  await world.passing(azure.idle());
  expect(world.arm.vms()).toHaveLength(1);
  expect(JSON.stringify(world.observed.lines)).toContain('spot placement scores could not be read');
});
