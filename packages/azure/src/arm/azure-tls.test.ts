import { expect, test } from '@jest/globals';
import { startArmEmulator } from '@karpenter/azure-emulator';
import { scaledClock, systemClock } from '@karpenter/runtime';
import { armClients } from './arm-clients.ts';
import { createArmApi } from './create-arm-api.ts';

test('a Resource Manager whose certificate nobody vouches for is not called: the request does not reach it', async () => {
  const clock = scaledClock(systemClock, 1000);
  await using arm = await startArmEmulator({ clock });
  const environment = { ...arm.environmentFile(), hasBillingExtension: false };
  const { subscriptionId, nodeResourceGroup, location } = arm.account;
  const credential = { getToken: () => Promise.resolve({ token: 'secret', expiresOnTimestamp: Number.MAX_SAFE_INTEGER }) };
  const apiTrusting = (caPem: string | undefined) => {
    const clients = armClients({ environment, subscriptionId, credential, clock, caPem });
    return createArmApi(clients, { subscriptionId, nodeResourceGroup, location, retailPricesUrl: undefined, caPem }, clock);
  };
  const { signal } = new AbortController();
  await expect(apiTrusting(undefined).getVm('a', signal)).rejects.toThrow(/certificate/i);
  expect(arm.requests.count('VirtualMachines_Get')).toBe(0);
  await expect(apiTrusting(arm.caPem).getVm('a', signal)).rejects.toThrow(/token|auth/i);
});
