import { describe, expect, jest, test } from '@jest/globals';
import recorded from '../../../data/resource-skus.southcentralus.json' with { type: 'json' };
import type { AKSNodeClass } from '../../apis/index.ts';
import { aClaim, D2 } from '../../testing/a-claim.ts';
import { aNodeClass, azureWorld } from '../../testing/azure-world.ts';
import type { NamedObject } from '../../testing/fake-cluster.ts';
import { type ResourceSku, type Sku, skuOf } from '../../skus/index.ts';
import { placementOf } from './launch-source.ts';

const skuNamed = (name: string): Sku => {
  const row = (recorded as readonly ResourceSku[]).find((each) => each.name === `Standard_${name}`);
  const sku = row && skuOf(row, 'southcentralus');
  if (sku === undefined) throw new Error(`no size ${name}`);
  return sku;
};

test.each([
  ['fits its cache of 32 GB', 32, 'CacheDisk'],
  ['is larger than the cache, which is the only place', 33, undefined],
] as const)('an OS disk that %s › placement %#', (_, osDiskSizeGB, placement) => {
  const nodeClass: AKSNodeClass = {
    apiVersion: 'karpenter.azure.com/v1beta1',
    kind: 'AKSNodeClass',
    metadata: { name: 'default' },
    spec: { osDiskSizeGB },
  };
  expect(placementOf({ sku: skuNamed('B20ms'), nodeClass })).toBe(placement);
});

describe('a value that would be more than text to a node is refused before anything is made', () => {
  // Real HTTP on a busy machine takes its time.
  jest.setTimeout(60_000);
  const call = { signal: new AbortController().signal };
  const value = 'a\nKUBELET_FLAGS=--manifest-url=http://192.0.2.1/p';

  test.each(['aksscriptless', 'bootstrappingclient', 'aksmachineapi'])('%s', async (mode) => {
    await using world = await azureWorld({ variables: { PROVISION_MODE: mode } });
    const azure = await world.provider();
    const resolved = world.cluster.nodeClass() ?? aNodeClass();
    const labelled = aClaim('general-aaaaa', D2, { key: 'example.com/team', operator: 'In', values: [value] });
    const plain = aClaim('general-bbbbb', D2);
    const tainted = { ...plain, spec: { ...plain.spec, taints: [{ key: 'a', value, effect: 'NoSchedule' as const }] } };
    const refused = (field: string) => ({
      code: 'launch-refused',
      reason: 'UnsafeNodeValue',
      message: expect.stringContaining(`${field}: ${JSON.stringify(value)} must`),
    });
    await expect(world.passing(azure.provider.create(labelled, call))).rejects.toMatchObject(refused('label example.com/team'));
    await expect(world.passing(azure.provider.create(tainted, call))).rejects.toMatchObject(refused('taint a'));
    world.cluster.put({ ...resolved, spec: { ...resolved.spec, kubelet: { allowedUnsafeSysctls: [value] } } } as AKSNodeClass &
      NamedObject);
    await expect(world.passing(azure.provider.create(plain, call))).rejects.toMatchObject(refused('spec.kubelet.allowedUnsafeSysctls[0]'));
    expect([world.arm.requests.count('VirtualMachines_CreateOrUpdate'), world.arm.requests.count('Machines_CreateOrUpdate')]).toEqual([
      0, 0,
    ]);
    expect(world.arm.nics()).toEqual([]);
  });
});

test('when labels of a pool make the custom data longer than Azure takes › the launch is refused with the figure, and nothing is made', async () => {
  await using world = await azureWorld({ variables: {} });
  const azure = await world.provider();
  const claim = aClaim('general-aaaaa', D2);
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`label-${index}`, 'a'.repeat(63)]));
  const labelled = { ...claim, metadata: { ...claim.metadata, labels: { ...claim.metadata.labels, ...many } } };
  await expect(world.passing(azure.provider.create(labelled, { signal: new AbortController().signal }))).rejects.toMatchObject({
    ...{ code: 'launch-refused', reason: 'CustomDataTooLong' },
    message: expect.stringMatching(/would have 1\d\d,\d{3} characters of base64, Azure takes 87,380/),
  });
  expect([world.arm.vms(), world.arm.nics()]).toEqual([[], []]);
}, 60_000);
