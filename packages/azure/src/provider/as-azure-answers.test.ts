import { describe, expect, jest, test } from '@jest/globals';
import { labels, type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { settled } from '@karpenter/runtime';
import { EVERY_BEHAVIOUR, knownRefusals, refusal } from '@karpenter/azure-emulator';
import { type AKSNodeClass, azureAnnotations } from '../apis/index.ts';
import { SCRIPT_EXTENSION } from '../machines/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aNodeClass, type AzureWorld, azureWorld, updateInPlace, unendingCall } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';
import { maintenance } from '../testing/maintenance.ts';
import type { AzureProvider } from '../plugin/create-azure-provider.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(300_000);
const OF_POOL = { PROVISION_MODE: 'aksmachineapi' };
const LONG = 'a-node-pool-with-quite-a-long-name-x7k2p';
const HASH = azureAnnotations.inPlaceUpdateHash;

/** A claim whose machine is up and has joined; `hash`: what its annotation says of the machine. */
const joined = async (
  world: AzureWorld,
  azure: AzureProvider,
  { name = 'general-a', hash }: { name?: string; hash?: string } = {},
): Promise<NodeClaim> => {
  const claim = aClaim(name);
  const machine = await world.passing(azure.provider.create(claim, unendingCall));
  await world.passing(azure.idle());
  await world.clock.advance(30_000);
  const conditions = [{ type: nodeClaimConditions.registered, status: 'True' as const, lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const annotations: NodeClaim['metadata']['annotations'] = { ...machine.annotations, ...(hash !== undefined && { [HASH]: hash }) };
  const made: NodeClaim & NamedObject = {
    ...claim,
    metadata: { ...claim.metadata, annotations },
    status: { providerID: machine.providerId, conditions },
  };
  world.cluster.put(made);
  return made;
};

const retag = (world: AzureWorld): void => {
  world.cluster.put({ ...world.cluster.nodeClass(), spec: { ...aNodeClass().spec, tags: { owner: 'search' } } } as AKSNodeClass &
    NamedObject);
};

const writesSince = ({ arm }: AzureWorld, count: number): readonly string[] =>
  arm.requests
    .all()
    .slice(count)
    .filter(({ method, operation }) => method !== 'GET' && !/Token|Query/.test(operation))
    .map(({ operation, status }) => `${operation} ${String(status)}`);
const hashOf = ({ cluster }: AzureWorld, name: string): string | undefined =>
  (cluster.objects.get(`NodeClaim/${name}`) as NodeClaim | undefined)?.metadata.annotations?.[HASH];

describe('F1: an update in place', () => {
  test('does not call Azure to write if the tags and identities are there already, and notes that they are', async () => {
    await using world = await azureWorld({ cloud: 'AzurePublicCloud' });
    const azure = await world.provider();
    const claim = await joined(world, azure, { hash: 'of another version' });
    const before = world.arm.requests.all().length;
    expect(await updateInPlace(world, azure)).toEqual(settled);
    expect(writesSince(world, before)).toEqual([]);
    expect(hashOf(world, claim.metadata.name)).toMatch(/^\d+$/);
  });

  test('polls every extension to its end before it writes the machine: no conflict', async () => {
    await using world = await azureWorld({ cloud: 'AzurePublicCloud', latencies: { extensionMs: 20_000 } });
    const azure = await world.provider();
    await joined(world, azure);
    const before = world.arm.requests.all().length;
    retag(world);
    expect(await updateInPlace(world, azure)).toEqual(settled);
    expect(writesSince(world, before)).toEqual([
      'NetworkInterfaces_UpdateTags 200',
      'VirtualMachineExtensions_Update 200',
      'VirtualMachines_Update 200',
    ]);
  });

  test('that failed at the machine writes its interface and extension no second time', async () => {
    await using world = await azureWorld({ cloud: 'AzurePublicCloud' });
    const azure = await world.provider();
    await joined(world, azure);
    const before = world.arm.requests.all().length;
    retag(world);
    const effect = { kind: 'refuse', refusal: refusal(409, 'Conflict', 'another operation is under way') } as const;
    using _fault = world.arm.faults.add({ operation: 'VirtualMachines_Update', times: 1, effect });
    await updateInPlace(world, azure).catch(() => undefined);
    expect(await updateInPlace(world, azure)).toEqual(settled);
    expect(writesSince(world, before)).toEqual([
      'NetworkInterfaces_UpdateTags 200',
      'VirtualMachineExtensions_Update 200',
      'VirtualMachines_Update 409',
      'VirtualMachines_Update 200',
    ]);
  });

  test('of a machine in a pool writes nothing where the tags are there already', async () => {
    await using world = await azureWorld({ variables: OF_POOL });
    const azure = await world.provider();
    await joined(world, azure, { hash: 'of another version' });
    const before = world.arm.requests.all().length;
    expect(await updateInPlace(world, azure)).toEqual(settled);
    expect(writesSince(world, before)).toEqual([]);
  });

  test('of a machine in a pool is made again after 412, where AKS has written it meanwhile', async () => {
    await using world = await azureWorld({ variables: OF_POOL });
    const azure = await world.provider();
    await joined(world, azure);
    const before = world.arm.requests.all().length;
    retag(world);
    expect(await updateInPlace(world, azure)).toEqual(settled);
    expect(writesSince(world, before)).toEqual(['Machines_CreateOrUpdate 412', 'Machines_CreateOrUpdate 200']);
  });
});

describe('F2: a subnet that somebody writes', () => {
  test('delays the machines that need it, and no other call', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    const other = await joined(world, azure);
    world.arm.updateNetwork(world.arm.account.subnetId, 5_000);
    const startMs = world.clock.now();
    const created = azure.provider.create(aClaim('general-b'), unendingCall);
    created.catch(() => undefined);
    await world.until(() => world.arm.requests.all().some(({ status }) => status === 429));
    retag(world);
    const updated = updateInPlace(world, azure);
    await world.until(() => world.arm.requests.count('NetworkInterfaces_UpdateTags') > 0);
    expect(world.clock.now() - startMs).toBeLessThan(5_000);
    await Promise.all([updated, world.passing(created)]);
    expect(world.clock.now() - startMs).toBeGreaterThanOrEqual(10_000);
    expect(other.status?.providerID).toBeDefined();
  });

  test('is named where it stays busy for longer than a call waits', async () => {
    await using world = await azureWorld();
    const azure = await world.provider();
    world.arm.updateNetwork(world.arm.account.subnetId, 300_000);
    await expect(world.passing(azure.provider.create(aClaim('general-a'), unendingCall))).rejects.toMatchObject({
      code: 'throttled',
      reason: 'ResourceBusy',
      message: expect.stringContaining('/subnets/'),
    });
  });

  test('is not met again by an interface that is still being deleted', async () => {
    await using world = await azureWorld({ latencies: { nicDeleteMs: 8_000 } });
    const azure = await world.provider();
    world.arm.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      times: 1,
      effect: { kind: 'refuse', refusal: knownRefusals.tooManyRequests(1) },
    });
    await world.passing(azure.provider.create(aClaim('general-a'), unendingCall)).catch(() => undefined);
    await world.passing(azure.provider.create(aClaim('general-a'), unendingCall));
    expect(world.arm.requests.of('NetworkInterfaces_CreateOrUpdate').filter(({ status }) => status >= 400)).toEqual([]);
  });
});

test('F3: a script that has run is seen in the extension itself, for lists say no more than its id', async () => {
  await using world = await azureWorld({ variables: { PROVISION_MODE: 'bootstrappingclient' }, cloud: 'AzurePublicCloud' });
  const before = await world.provider();
  const claim = aClaim('general-a');
  const { providerId } = await world.passing(before.provider.create(claim, unendingCall));
  await world.passing(before.idle());
  world.cluster.put({ ...claim, status: { providerID: providerId } } as typeof claim);
  await world.clock.advance(60_000);
  const after = await world.provider();
  const asked = world.arm.requests.all().length;
  await world.passing(maintenance(after));
  await world.passing(after.idle());
  expect(writesSince(world, asked)).toEqual([]);
  expect(world.arm.requests.of('VirtualMachineExtensions_Get').at(-1)?.path).toMatch(new RegExp(`${SCRIPT_EXTENSION}$`));
});

describe('F4: a machine in a pool whose name is too long', () => {
  test('has the name that the original gives it, and goes with its claim', async () => {
    await using world = await azureWorld({ variables: OF_POOL });
    const azure = await world.provider();
    const claim = await joined(world, azure, { name: LONG });
    expect(claim.metadata.annotations?.[azureAnnotations.aksMachineId]).toMatch(/\/a-node-pool-with-quitexq179a-x7k2p$/);
    await world.passing(azure.provider.delete(claim, unendingCall));
    await world.until(() => world.arm.vms().length === 0);
    expect(await world.passing(azure.provider.delete(claim, unendingCall))).toBe('gone');
  });

  test('by whatever rules is deleted by the name that its claim carries', async () => {
    await using world = await azureWorld({ variables: OF_POOL });
    const azure = await world.provider();
    const short = await joined(world, azure, { name: 'general-b' });
    const renamed: NodeClaim = { ...short, metadata: { ...short.metadata, name: 'some-claim-of-another-name-and-rules-b2c3d' } };
    expect(await world.passing(azure.provider.delete(renamed, unendingCall))).toBe('terminating');
    await world.until(() => world.arm.vms().length === 0);
  });
});

test('F6: a machine in a pool that has no VM yet is adopted under the id that AKS gives it, never under one that is made up', async () => {
  await using world = await azureWorld({ variables: OF_POOL, latencies: { nicCreateMs: 20_000 } });
  const before = await world.provider();
  const first = before.provider.create(aClaim('general-a'), unendingCall);
  first.catch(() => undefined);
  await world.until(() => world.arm.requests.count('Machines_CreateOrUpdate') === 1);
  const after = await world.provider();
  const adopted = await world.passing(after.provider.create(aClaim('general-a'), unendingCall));
  expect(adopted.providerId).toMatch(/virtualMachines\/aks-machines-general-a-\d{8}-vm$/);
});

test('F5: an image that AKS does not take is no drift: the next machine would get the same', async () => {
  await using world = await azureWorld({ variables: OF_POOL, behaviours: { ...EVERY_BEHAVIOUR, networkWrites: undefined } });
  const azure = await world.provider();
  // Published after the class was resolved: AKS takes it at once.
  world.arm.images.publish({
    ...{ gallery: 'AKSUbuntu', definition: '2204gen2containerd', version: '202612.01.0' },
    publishedAtMs: Date.UTC(2026, 11, 1),
  });
  const claim = await joined(world, azure);
  const machine = await world.passing(azure.provider.get(claim.status?.providerID ?? '', unendingCall));
  expect(machine?.imageId).toBe('AKSUbuntu-2204gen2containerd-202612.01.0');
  const made = { ...claim, status: { ...claim.status, imageID: machine?.imageId } } as NodeClaim;
  expect(made.metadata.annotations?.[azureAnnotations.refusedImage]).toBe('AKSUbuntu-2204gen2containerd-202611.03.0');
  expect(await world.passing(azure.provider.isDrifted(made, unendingCall))).toBeUndefined();
  const { [azureAnnotations.refusedImage]: _refused, ...annotations } = made.metadata.annotations ?? {};
  const plain: NodeClaim = { ...made, metadata: { ...made.metadata, annotations } };
  expect(await world.passing(azure.provider.isDrifted(plain, unendingCall))).toBe('ImageDrift');
});

describe('F7 and F8: a machine in a pool', () => {
  test('is requested without artifact streaming unless its class wants it: the feature may be missing', async () => {
    await using world = await azureWorld({ variables: OF_POOL, behaviours: EVERY_BEHAVIOUR });
    const azure = await world.provider();
    await world.clock.advance(10_000);
    const machine = await world.passing(azure.provider.create(aClaim('general-a'), unendingCall));
    expect(machine.providerId).toContain('general-a');
  });

  test('with an AMD GPU is requested without a driver, because AKS would install one', async () => {
    await using world = await azureWorld({ variables: OF_POOL });
    const resolved = world.cluster.nodeClass();
    world.cluster.put({ ...resolved, spec: { ...aNodeClass().spec, gpu: { mode: 'None' } } } as AKSNodeClass & NamedObject);
    const azure = await world.provider();
    const size = 'Standard_NV28adms_V710_v5';
    const claim = aClaim('general-a', { key: labels.instanceType, operator: 'In', values: [size] });
    await world.passing(azure.provider.create(claim, unendingCall)).catch(() => undefined);
    const asked = world.arm.requests.of('Machines_CreateOrUpdate').map(({ body }) => body);
    expect(asked).toMatchObject([{ properties: { hardware: { vmSize: size, gpuProfile: { driver: 'None' } } } }]);
  });
});
