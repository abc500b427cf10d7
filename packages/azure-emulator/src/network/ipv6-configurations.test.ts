import { expect, test } from '@jest/globals';
import type { ArmNetworkOptions } from '../options.ts';
import { type Wire, wire } from '../fixtures/wire.ts';

const NIC = 'Microsoft.Network/networkInterfaces/a';

const bodyOf = ({ emulator: { account } }: Wire, families: readonly string[], primary = 0): object => ({
  location: 'eastus',
  properties: {
    ipConfigurations: families.map((privateIPAddressVersion, index) => ({
      name: `c${index}`,
      properties: { primary: index === primary, privateIPAddressVersion, subnet: { id: account.subnetId } },
    })),
  },
});

const both: ArmNetworkOptions = { subnets: { nodes: '10.1.0.0/28' }, ipv6: { nodes: 'fd00:1::/64' } };

const cases = [
  { what: 'two IPv6 addresses', network: both, families: ['IPv4', 'IPv6', 'IPv6'], primary: 0, why: /one IPv6 configuration/ },
  { what: 'a primary IPv6 address', network: both, families: ['IPv4', 'IPv6'], primary: 1, why: /cannot be the primary one/ },
  {
    what: 'an IPv6 address of an IPv4 subnet',
    network: { subnets: both.subnets },
    families: ['IPv4', 'IPv6'],
    primary: 0,
    why: /has no IPv6 address prefix/,
  },
];

test.each(cases)('an interface with $what is refused', async ({ network, families, primary, why }) => {
  await using on = await wire({ network });
  const answer = await on.call(`PUT ${on.group}/${NIC}`, { body: bodyOf(on, families, primary) });
  expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(why) } } });
});

test('an interface with both families takes one IPv4 address, and gives it back', async () => {
  await using on = await wire({ network: both });
  const put = await on.call(`PUT ${on.group}/${NIC}`, { body: bodyOf(on, ['IPv4', 'IPv6']) });
  const addresses = ['10.1.0.4', 'fd00:1::0004'].map((privateIPAddress) => ({ properties: { privateIPAddress } }));
  expect(put).toMatchObject({ status: 201, body: { properties: { ipConfigurations: addresses } } });
  await on.clock.advance(10_000);
  await on.call(`DELETE ${on.group}/${NIC}`);
  await on.clock.advance(10_000);
  await on.call(`PUT ${on.group}/${NIC}`, { body: bodyOf(on, ['IPv4']) });
  expect(on.emulator.nics()[0]?.privateIpAddresses).toEqual(['10.1.0.4']);
});
