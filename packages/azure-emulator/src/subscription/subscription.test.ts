import { expect, test } from '@jest/globals';
import { AKS_MODELS_VERSION } from '../data/aks-models.ts';
import { wire } from '../fixtures/wire.ts';

const VM = 'Microsoft.Compute/virtualMachines/aks-a';

test('a provider names its types with api-versions, locations and zones', async () => {
  await using on = await wire({ apiVersions: { 'Microsoft.Compute': ['2025-04-01'] } });
  const { body } = await on.call(`GET /subscriptions/${on.emulator.account.subscriptionId}/providers/Microsoft.Compute`);
  expect(body).toMatchObject({
    registrationState: 'Registered',
    resourceTypes: expect.arrayContaining([
      expect.objectContaining({
        resourceType: 'virtualMachines',
        locations: ['East US'],
        apiVersions: ['2025-04-01'],
        zoneMappings: [{ location: 'East US', zones: expect.arrayContaining(['1', '2', '3']) }],
      }),
      expect.objectContaining({ resourceType: 'virtualMachines/extensions' }),
    ]),
  });
});

test('when a provider is not registered › it says so, and every call to it is refused', async () => {
  await using on = await wire({ behaviours: { unregisteredProviders: ['Microsoft.Compute'] } });
  const { body } = await on.call(`GET /subscriptions/${on.emulator.account.subscriptionId}/providers/Microsoft.Compute`);
  expect(body).toMatchObject({ registrationState: 'NotRegistered' });
  expect(await on.call(`GET ${on.group}/${VM}`)).toMatchObject({
    status: 409,
    body: { error: { code: 'MissingSubscriptionRegistration' } },
  });
});

test('when a provider is missing › 404 names the namespace, not the machine', async () => {
  await using on = await wire({ behaviours: { missingProviders: ['Microsoft.Compute'] } });
  expect(await on.call(`GET ${on.group}/${VM}`)).toMatchObject({
    status: 404,
    body: { error: { code: 'InvalidResourceNamespace', message: "The resource namespace 'Microsoft.Compute' is invalid." } },
  });
});

test('when an action is denied › the permissions of the scope lack it, and the call is refused', async () => {
  await using on = await wire();
  const { account, access } = on.emulator;
  const group = `/subscriptions/${account.subscriptionId}/resourceGroups/${account.nodeResourceGroup}`;
  using _denied = access.deny({ action: 'Microsoft.Compute/*/read', scope: group });
  expect((await on.call(`GET ${group}/providers/Microsoft.Authorization/permissions`)).body).toMatchObject({
    value: [{ actions: ['*'], notActions: ['Microsoft.Compute/*/read'] }],
  });
  expect((await on.call(`GET ${account.vnetId}/providers/Microsoft.Authorization/permissions`)).body).toMatchObject({
    value: [{ notActions: [expect.any(String)] }],
  });
  expect(await on.call(`GET ${on.group}/${VM}`)).toMatchObject({ status: 403, body: { error: { code: 'AuthorizationFailed' } } });
});

test('when a named action of a type is denied › only the call of that name is refused', async () => {
  await using on = await wire();
  const { account, access } = on.emulator;
  const pool = `${account.clusterResourceGroup}/providers/Microsoft.ContainerService/managedClusters/${account.clusterName}/agentPools/machines`;
  const path = `/subscriptions/${account.subscriptionId}/resourceGroups/${pool}`;
  using _denied = access.deny({ action: 'Microsoft.ContainerService/managedClusters/agentPools/deleteMachines/action' });
  const version = `?api-version=${AKS_MODELS_VERSION}`;
  expect(await on.call(`POST ${path}/deleteMachines${version}`, { body: { machineNames: ['gone'] } })).toMatchObject({ status: 403 });
  expect(await on.call(`GET ${path}/machines${version}`)).toMatchObject({ status: 200 });
  const actions = on.emulator.requests.all().map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith('Microsoft.ContainerService'))).toEqual([
    'Microsoft.ContainerService/managedClusters/agentPools/deleteMachines/action',
    'Microsoft.ContainerService/managedClusters/agentPools/machines/read',
  ]);
});

test('features are registered, but for those that are missing', async () => {
  await using on = await wire({ behaviours: { missingFeatures: ['Microsoft.Compute/EncryptionAtHost'] } });
  const features = `/subscriptions/${on.emulator.account.subscriptionId}/providers/Microsoft.Features/providers/Microsoft.Compute/features`;
  expect((await on.call(`GET ${features}/EncryptionAtHost`)).body).toMatchObject({ properties: { state: 'NotRegistered' } });
  expect((await on.call(`GET ${features}/Anything`)).body).toMatchObject({ properties: { state: 'Registered' } });
});
