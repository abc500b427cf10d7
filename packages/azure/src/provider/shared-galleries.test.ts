import { describe, expect, test } from '@jest/globals';
import { conditionOf } from '@karpenter/core';
import type { AKSNodeClass } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aNodeClass, type AzureWorld, azureWorld, unendingCall } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';
const CREATE = 'VirtualMachines_CreateOrUpdate';

/** A class with FIPS, in a world whose clusters may use the shared galleries. */
const fipsWorld = async (): Promise<AzureWorld> => {
  const world = await azureWorld();
  const spec = { imageFamily: 'AzureLinux', fipsMode: 'FIPS' } as const;
  world.cluster.put({ ...aNodeClass(), spec } as AKSNodeClass & NamedObject);
  return world;
};

const galleries = ({ arm }: AzureWorld) => ({
  USE_SIG: 'true',
  SIG_SUBSCRIPTION_ID: arm.account.imageSubscriptionId,
  SIG_ACCESS_TOKEN_SERVER_URL: arm.auxiliaryTokensUrl,
});

describe('images of the shared galleries', () => {
  test('make machines with FIPS; the tenant of the galleries gets a token of its own, which is requested once', async () => {
    await using world = await fipsWorld();
    const azure = await world.provider(galleries(world));
    for (const name of ['general-a', 'general-b']) await world.passing(azure.provider.create(aClaim(name), unendingCall));
    await world.passing(azure.idle());
    const image = `/subscriptions/${world.arm.account.imageSubscriptionId}/resourceGroups/AKS-AzureLinux/providers/Microsoft.Compute/galleries/AKSAzureLinux/images/V3gen2fips/versions/202611.03.0`;
    expect(world.arm.vms().map(({ imageId }) => imageId)).toEqual([image, image]);
    expect(world.arm.requests.of(CREATE).map(({ status }) => status)).toEqual([201, 201]);
    expect(world.arm.requests.of('AuxiliaryToken_Get')).toHaveLength(1);
  });

  test('are refused without such a token, and the claim says why', async () => {
    await using world = await fipsWorld();
    const azure = await world.provider(galleries(world));
    world.arm.faults.add({
      operation: 'AuxiliaryToken_Get',
      effect: { kind: 'refuse', refusal: { status: 500, error: { code: 'Broken', message: '' } } },
    });
    const launch = world.passing(azure.provider.create(aClaim('general-a'), unendingCall));
    await expect(launch).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('--sig-access-token-server-url answered 500'),
    });
  });

  test('are said to be needed where they are not used', async () => {
    await using world = await fipsWorld();
    await world.provider();
    const ready = conditionOf(world.cluster.nodeClass()?.status?.conditions, 'ImagesReady');
    expect(ready).toMatchObject({ status: 'False', reason: 'SIGRequiredForFIPS', message: expect.stringContaining('--use-sig') });
  });
});
