import { expect, test } from '@jest/globals';
import { answeringAzure } from '../testing/answering-azure.ts';
import { subscriptionApi } from './subscription-api.ts';

const signal = new AbortController().signal;

test('a resource provider that says null where a list stands offers nothing there', async () => {
  const azure = answeringAzure();
  const type = { resourceType: 'virtualMachines', apiVersions: null, locations: null, zoneMappings: null };
  azure.answer = () => ({ body: { registrationState: 'Registered', resourceTypes: [type] } });
  expect(await subscriptionApi(azure.clients, 'sub', azure.clock).readProvider('Microsoft.Compute', signal)).toEqual({
    namespace: 'Microsoft.Compute',
    isRegistered: true,
    types: [{ type: 'virtualMachines', apiVersions: [], locations: [], zones: {} }],
  });
});

test('a machine that failed for reasons that are no objects has failed', async () => {
  const azure = answeringAzure();
  azure.answer = () => ({ body: { name: 'aks-a', properties: { provisioningState: 'Failed' }, statuses: [null] } });
  await expect(azure.api.vmMade('aks-a', signal)).rejects.toMatchObject({ name: 'ArmError' });
});
