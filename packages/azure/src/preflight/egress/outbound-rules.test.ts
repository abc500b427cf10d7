import type { SecurityRule } from '@azure/arm-network';
import { describe, expect, test } from '@jest/globals';
import { denialOf, egressTargets, rulesForHttps } from './outbound-rules.ts';

const SUBNET = '10.224.0.0/16';

const rule = (priority: number, access: 'Allow' | 'Deny', more: Partial<SecurityRule> = {}): SecurityRule => ({
  ...{ name: `${access}-${priority}`, priority, access, direction: 'Outbound', protocol: '*' },
  ...{ sourceAddressPrefix: '*', destinationAddressPrefix: '*', destinationPortRange: '*' },
  ...more,
});

const deniedBy = (rules: readonly SecurityRule[], hasPrivateApiServer = false): readonly string[] =>
  egressTargets('eastus', hasPrivateApiServer)
    .flatMap(
      (target) => denialOf(target, rulesForHttps([...rules, rule(65001, 'Allow', { destinationAddressPrefix: 'Internet' })], SUBNET)) ?? [],
    )
    .map(({ target, isUnsure }) => `${target.name}${isUnsure ? '?' : ''}`);

const ALL = [
  'the API server',
  'Microsoft Container Registry',
  'image layers (Azure Front Door)',
  'Azure Resource Manager',
  'Microsoft Entra ID',
];

describe('outbound rules that deny nodes port 443', () => {
  test.each<[string, readonly SecurityRule[], readonly string[]]>([
    ['none', [], []],
    ['one for all destinations', [rule(4000, 'Deny')], ALL],
    ['one for a range of ports with 443', [rule(4000, 'Deny', { destinationPortRange: '80-8443' })], ALL],
    ['one for other ports', [rule(4000, 'Deny', { destinationPortRange: '', destinationPortRanges: ['80', '1000-2000'] })], []],
    ['one for UDP', [rule(4000, 'Deny', { protocol: 'Udp' })], []],
    ['one for what comes in', [rule(4000, 'Deny', { direction: 'Inbound' })], []],
    ['one for the range that the subnet is in', [rule(4000, 'Deny', { sourceAddressPrefix: '10.0.0.0/8' })], ALL],
    ['one for another subnet', [rule(4000, 'Deny', { sourceAddressPrefix: '10.225.0.0/16' })], []],
    [
      'one for what is no range',
      [rule(4000, 'Deny', { sourceAddressPrefix: '', sourceAddressPrefixes: ['10.0.0.0/x', '10.0.0.0/-1', '10.0.0.0/0x8'] })],
      [],
    ],
    ['one for what are no ports', [rule(4000, 'Deny', { destinationPortRange: '1e1-1e9' })], []],
    ['one for a part of the subnet', [rule(4000, 'Deny', { sourceAddressPrefix: '10.224.1.0/24' })], []],
    [
      'one for application security groups',
      [rule(4000, 'Deny', { sourceAddressPrefix: '', sourceApplicationSecurityGroups: [{ id: 'web' }] })],
      [],
    ],
    ['one after a rule that allows Azure', [rule(4000, 'Deny'), rule(100, 'Allow', { destinationAddressPrefix: 'azurecloud' })], []],
    [
      'one after a rule that allows the registry',
      [rule(4000, 'Deny'), rule(100, 'Allow', { destinationAddressPrefix: 'MicrosoftContainerRegistry' })],
      ALL.filter((name) => name !== 'Microsoft Container Registry'),
    ],
    ['one before a rule that allows Azure', [rule(100, 'Deny'), rule(4000, 'Allow', { destinationAddressPrefix: 'AzureCloud' })], ALL],
    [
      'one after a rule that allows single addresses',
      [rule(4000, 'Deny'), rule(100, 'Allow', { destinationAddressPrefix: '', destinationAddressPrefixes: ['20.1.2.3', '20.4.0.0/14'] })],
      ALL.map((name) => `${name}?`),
    ],
    ['one for single addresses', [rule(4000, 'Deny', { destinationAddressPrefix: '203.0.113.0/24' })], []],
  ])('%s', (_, rules, denied) => {
    expect(deniedBy(rules)).toEqual(denied);
  });

  test('when the API server is private › rules about the network count for it, rules about the Internet do not', () => {
    expect(deniedBy([rule(100, 'Deny', { destinationAddressPrefix: 'Internet' })], true)).toEqual(ALL.slice(1));
    expect(deniedBy([rule(100, 'Deny', { destinationAddressPrefix: 'VirtualNetwork' })], true)).toEqual(['the API server']);
  });
});
