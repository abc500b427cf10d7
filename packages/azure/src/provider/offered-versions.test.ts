import { describe, expect, test } from '@jest/globals';
import { refusal, UNKIND_AZURE } from '@karpenter/azure-emulator';
import { aClaim } from '../testing/a-claim.ts';
import { azureWorld, type AzureWorld } from '../testing/azure-world.ts';

const { signal } = new AbortController();
const OLDER = { apiVersions: UNKIND_AZURE.apiVersions };

const versionsOf = ({ arm }: AzureWorld, operation: string): readonly (string | undefined)[] =>
  arm.requests.all().flatMap((request) => (request.operation === operation ? [request.apiVersion] : []));

describe('F5: api-versions of calls', () => {
  test('when the subscription offers older ones › a machine comes at the newest of them', async () => {
    await using world = await azureWorld(OLDER);
    const { provider } = await world.provider();
    await world.passing(provider.create(aClaim('a'), { signal }));
    expect(new Set(versionsOf(world, 'VirtualMachines_CreateOrUpdate'))).toEqual(new Set(['2025-04-01']));
    expect(new Set(versionsOf(world, 'NetworkInterfaces_CreateOrUpdate'))).toEqual(new Set(['2025-01-01']));
    expect(world.observed.lines.filter((line) => line.includes("type: 'microsoft.compute/virtualmachines'"))).toHaveLength(1);
  });

  test('when the subscription offers an older one of AKS › a machine of an agent pool comes at it, and the log says so once', async () => {
    const older = '2026-06-02-preview';
    const apiVersions = { 'Microsoft.ContainerService': [older] };
    await using world = await azureWorld({ apiVersions, variables: { PROVISION_MODE: 'aksmachineapi' } });
    const { provider } = await world.provider();
    const { providerId } = await world.passing(provider.create(aClaim('a'), { signal }));
    expect(providerId).toMatch(/^azure:\/\//);
    const calls = world.arm.requests.all().filter(({ operation }) => operation.startsWith('Machines_'));
    expect(new Set(calls.map(({ apiVersion }) => apiVersion))).toEqual(new Set([older]));
    expect(calls.map(({ operation }) => operation)).toContain('Machines_CreateOrUpdate');
    expect(world.observed.lines.filter((line) => line.includes(`used: '${older}'`) && line.includes('agentpools/machines'))).toHaveLength(
      1,
    );
  });

  test('when providers cannot be read › versions are learned from the first refusal', async () => {
    await using world = await azureWorld(OLDER);
    world.arm.faults.add({
      operation: 'Providers_Get',
      effect: { kind: 'refuse', refusal: refusal(403, 'AuthorizationFailed', 'does not have authorization') },
    });
    const { provider } = await world.provider();
    await world.passing(provider.create(aClaim('a'), { signal }));
    expect(versionsOf(world, 'VirtualMachines_CreateOrUpdate').at(-1)).toBe('2025-04-01');
    expect(world.arm.vms()).toHaveLength(1);
  });

  test('when a version is stated › calls are made at it', async () => {
    await using world = await azureWorld({ ...OLDER, variables: { API_VERSIONS: 'Microsoft.Compute/virtualMachines=2024-11-01' } });
    const { provider } = await world.provider();
    await world.passing(provider.create(aClaim('a'), { signal }));
    expect(new Set(versionsOf(world, 'VirtualMachines_CreateOrUpdate'))).toEqual(new Set(['2024-11-01']));
  });

  test('when Azure refuses a version that it offers, while a newer one comes out › the call is repeated', async () => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    const message =
      "No registered resource provider found for location 'eastus' and API version '2026-04-01' for type 'virtualMachines'. " +
      "The supported api-versions are '2025-04-01, 2026-04-01'. The supported locations are 'eastus'.";
    const effect = { kind: 'refuse', refusal: refusal(400, 'NoRegisteredProviderFound', message) } as const;
    world.arm.faults.add({ operation: 'VirtualMachines_CreateOrUpdate', times: 1, effect });
    await world.passing(provider.create(aClaim('a'), { signal }));
    expect(versionsOf(world, 'VirtualMachines_CreateOrUpdate')).toEqual(['2026-04-01', '2026-04-01']);
  });
});

describe('a 404 that is not about the machine', () => {
  test.each([
    ['InvalidResourceType', "The resource type could not be found in the namespace 'Microsoft.Compute' for api version '2026-04-01'."],
    ['InvalidResourceNamespace', "The resource namespace 'Microsoft.Compute' is invalid."],
    ['SubscriptionNotFound', "The subscription 's' could not be found."],
  ])('when Azure answers %s › the machine is not taken for gone', async (code, message) => {
    await using world = await azureWorld();
    const { provider } = await world.provider();
    const { providerId } = await world.passing(provider.create(aClaim('a'), { signal }));
    world.arm.faults.add({ operation: 'VirtualMachines_Get', effect: { kind: 'refuse', refusal: refusal(404, code, message) } });
    await expect(world.passing(provider.get(providerId, { signal }))).rejects.toThrow(message);
  });
});

test('when the subscription is not registered for Network › the start says what to run', async () => {
  await using world = await azureWorld({ behaviours: { unregisteredProviders: ['Microsoft.Network'] } });
  await world.provider();
  expect(world.observed.lines.join()).toContain('az provider register --namespace Microsoft.Network');
});
