import { describe, expect, test } from '@jest/globals';
import { conditionOf } from '@karpenter/core';
import type { FaultRule } from '@karpenter/simulator/arm';
import type { AKSNodeClass, AKSNodeClassSpec } from '../apis/index.ts';
import { aNodeClass, type AzureWorld, azureWorld, resolveClasses } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';

const refusing = (status: number, code: string, message = code) =>
  ({ kind: 'refuse', refusal: { status, error: { code, message } } }) as const;
const unauthorized = ({ arm }: AzureWorld): string =>
  `The client 'a' with object id 'a' does not have authorization to perform action 'Microsoft.Compute/diskEncryptionSets/read' over scope '${arm.account.diskEncryptionSetId}' or the scope is invalid.`;

interface Situation {
  readonly spec?: AKSNodeClassSpec;
  readonly variables?: (world: AzureWorld) => Readonly<Record<string, string>>;
  readonly fault?: (world: AzureWorld) => FaultRule;
}

interface Told {
  /** Condition and reason. */
  readonly part: string;
  readonly message: RegExp;
}

/** The one part of readiness that a class lacks, and what Ready says about it. */
const lacking = async ({ spec = {}, variables, fault }: Situation) => {
  await using world = await azureWorld();
  world.cluster.put({ ...aNodeClass(), spec } as AKSNodeClass & NamedObject);
  if (fault !== undefined) world.arm.faults.add(fault(world));
  await world.provider(variables?.(world));
  const { conditions } = world.cluster.nodeClass()?.status ?? {};
  const ready = conditionOf(conditions, 'Ready');
  const parts = (conditions ?? []).filter(({ type, status }) => type !== 'Ready' && status !== 'True');
  return {
    parts: parts.map(({ type, reason }) => `${type} ${reason}`),
    ready: `${ready?.status} ${ready?.reason}`,
    message: ready?.message,
  };
};

const withSet = ({ arm }: AzureWorld, name = 'nodes') => ({
  NODE_OSDISK_DISKENCRYPTIONSET_ID: arm.account.diskEncryptionSetId.replace(/nodes$/, name),
});
const subnet = (vnet: string): string =>
  `/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/${vnet}/subnets/other`;

describe('a class that machines cannot be made of', () => {
  test.each<[string, Situation, Told]>([
    [
      'because its subnet is in another network',
      { spec: { vnetSubnetID: subnet('elsewhere') } },
      { part: 'SubnetsReady SubnetIDInvalid', message: /is not in the cluster's virtual network/ },
    ],
    [
      'because Azure did not say whether its subnet is there',
      { fault: () => ({ operation: 'Subnets_Get', effect: refusing(400, 'Odd') }) },
      { part: 'SubnetsReady SubnetUnknownError', message: /Odd/ },
    ],
    [
      'because its disk encryption set may not be read',
      {
        variables: (world) => withSet(world),
        fault: (world) => ({ operation: 'DiskEncryptionSets_Get', effect: refusing(403, 'AuthorizationFailed', unauthorized(world)) }),
      },
      { part: 'ValidationSucceeded DiskEncryptionSetRBACMissing', message: /the role "Reader" on .*diskEncryptionSets\/nodes/ },
    ],
    [
      'because its disk encryption set does not exist',
      { variables: (world) => withSet(world, 'gone') },
      { part: 'ValidationSucceeded DiskEncryptionSetNotFound', message: /diskEncryptionSets\/gone does not exist/ },
    ],
    [
      'because images with FIPS are not to be had',
      { spec: { imageFamily: 'AzureLinux', fipsMode: 'FIPS' } },
      { part: 'ImagesReady SIGRequiredForFIPS', message: /expected --use-sig/ },
    ],
  ])('%s', async (_, situation, { part, message }) => {
    const told = await lacking(situation);
    expect(told.parts).toEqual([part]);
    expect(told.ready).toBe(`False ${part.split(' ')[1] ?? ''}`);
    expect(told.message).toMatch(message);
  });

  test('is none whose disk encryption set can be read', async () => {
    expect(await lacking({ variables: (world) => withSet(world) })).toMatchObject({ parts: [], ready: 'True Ready' });
  });

  test('stays as it was while Azure says nothing about its disk encryption set', async () => {
    await using world = await azureWorld();
    const azure = await world.provider(withSet(world));
    const before = world.cluster.nodeClass()?.status;
    using _fault = world.arm.faults.add({ operation: 'DiskEncryptionSets_Get', effect: refusing(400, 'Odd') });
    await world.passing(resolveClasses(azure, world.cluster));
    expect(world.cluster.nodeClass()?.status).toEqual(before);
    expect(conditionOf(before?.conditions, 'Ready')).toMatchObject({ status: 'True' });
  });
});
