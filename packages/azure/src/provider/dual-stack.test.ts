import { describe, expect, jest, test } from '@jest/globals';
import type { AKSNodeClass } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aNodeClass, azureWorld, resolveClasses, unendingCall } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);
const network = { vnet: 'own', subnets: { nodes: '10.1.0.0/28' }, ipv6: { nodes: 'fd00:1::/64' } };

describe.each(['aksscriptless', 'bootstrappingclient'])('a machine by %s of a class with both address families', (mode) => {
  test('has an address of each, and takes one IPv4 address of its subnet', async () => {
    await using world = await azureWorld({ network, variables: { PROVISION_MODE: mode } });
    const azure = await world.provider();
    const nodeClass = aNodeClass();
    const both: AKSNodeClass & NamedObject = { ...nodeClass, spec: { ...nodeClass.spec, ipFamilies: ['IPv4', 'IPv6'] } };
    world.cluster.put(both);
    await world.passing(resolveClasses(azure, world.cluster));
    await world.passing(azure.provider.create(aClaim('general-x7k2p'), unendingCall));
    await world.passing(azure.idle());
    expect(world.arm.nics().map(({ privateIpAddresses }) => privateIpAddresses)).toEqual([['10.1.0.4', 'fd00:1::0004']]);
    expect(world.arm.requests.all().filter(({ method, status }) => method === 'PUT' && status >= 400)).toEqual([]);
  });
});

test('a machine of a class with one address family has one address in a network of both', async () => {
  await using world = await azureWorld({ network });
  const azure = await world.provider();
  await world.passing(azure.provider.create(aClaim('general-x7k2p'), unendingCall));
  expect(world.arm.nics().map(({ privateIpAddresses }) => privateIpAddresses)).toEqual([['10.1.0.4']]);
});
