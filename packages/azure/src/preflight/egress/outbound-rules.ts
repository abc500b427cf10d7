import { BlockList, isIPv4 } from 'node:net';
import type { SecurityRule } from '@azure/arm-network';
import { wholeNumberIn } from '@karpenter/core';

/** What nodes call on port 443, and the service tags that hold all its addresses. */
export interface EgressTarget {
  readonly name: string;
  /** The first is what an allow rule should name. */
  readonly tags: readonly string[];
}

const ANYWHERE = ['*', '0.0.0.0/0'];
const PUBLIC = ['AzureCloud', 'Internet'];

/**
 * What a node needs before it registers. Image layers come from Azure Front Door. Source: AKS, "Outbound network and
 * FQDN rules"; Azure, "Virtual network service tags".
 */
export const egressTargets = (location: string, hasPrivateApiServer: boolean): readonly EgressTarget[] => [
  hasPrivateApiServer
    ? { name: 'the API server', tags: ['VirtualNetwork'] }
    : { name: 'the API server', tags: [`AzureCloud.${location}`, ...PUBLIC] },
  { name: 'Microsoft Container Registry', tags: ['MicrosoftContainerRegistry', `MicrosoftContainerRegistry.${location}`, ...PUBLIC] },
  { name: 'image layers (Azure Front Door)', tags: ['AzureFrontDoor.FirstParty', ...PUBLIC] },
  { name: 'Azure Resource Manager', tags: ['AzureResourceManager', ...PUBLIC] },
  { name: 'Microsoft Entra ID', tags: ['AzureActiveDirectory', ...PUBLIC] },
];

const isRange = (prefix: string): boolean => isIPv4(prefix.split('/')[0] ?? '') && !ANYWHERE.includes(prefix);

/** The address of an IPv4 range and the bits of its prefix; undefined for other texts. An address is a range of one. */
const rangeIn = (text: string): { readonly net: string; readonly bits: number } | undefined => {
  const [net = '', bitsText = '32'] = text.split('/');
  const bits = wholeNumberIn(bitsText, { min: 0, max: 32 });
  return bits === undefined || !isIPv4(net) ? undefined : { net, bits };
};

/** Whether all of an IPv4 range lies in another one. */
const holds = (outer: string, inner: string): boolean => {
  const [range, innerRange] = [rangeIn(outer), rangeIn(inner)];
  if (range === undefined || innerRange === undefined || range.bits > innerRange.bits) return false;
  const list = new BlockList();
  list.addSubnet(range.net, range.bits, 'ipv4');
  return list.check(innerRange.net, 'ipv4');
};

const named = (one: string | undefined, several: readonly string[] | undefined): readonly string[] => [
  ...(one === undefined || one === '' ? [] : [one]),
  ...(several ?? []),
];

const PORTS = { min: 0, max: 65_535 };

const isHttps = ({ protocol = '*', destinationPortRange, destinationPortRanges }: SecurityRule): boolean =>
  ['*', 'tcp'].includes(protocol.toLowerCase()) &&
  named(destinationPortRange, destinationPortRanges).some((range) => {
    const [from = '', to = from] = range.split('-');
    const [first, last] = [wholeNumberIn(from, PORTS), wholeNumberIn(to, PORTS)];
    return range === '*' || (first !== undefined && last !== undefined && first <= 443 && 443 <= last);
  });

/** Whether a rule is about all that leaves a subnet. One for application security groups is about other machines. */
const isOfSubnet = ({ sourceAddressPrefix, sourceAddressPrefixes }: SecurityRule, subnetPrefix: string): boolean =>
  named(sourceAddressPrefix, sourceAddressPrefixes).some(
    (source) => [...ANYWHERE, 'VirtualNetwork'].includes(source) || holds(source, subnetPrefix),
  );

/** Azure applies the rule with the lowest number first. */
export const byPriority = ({ priority: a = 0 }: SecurityRule, { priority: b = 0 }: SecurityRule): number => a - b;

/** Outbound rules about port 443 of a subnet (`10.224.0.0/16`), in the order in which Azure applies them. */
export const rulesForHttps = (rules: readonly SecurityRule[], subnetPrefix: string): readonly SecurityRule[] =>
  rules.filter((rule) => rule.direction === 'Outbound' && isHttps(rule) && isOfSubnet(rule, subnetPrefix)).toSorted(byPriority);

export interface DeniedTarget {
  readonly target: EgressTarget;
  readonly rule: SecurityRule;
  /** A rule before it allows addresses, which may be those of the target. */
  readonly isUnsure: boolean;
}

/** The rule that denies a target; undefined: none does. `rules`: of `rulesForHttps`. */
export const denialOf = (target: EgressTarget, rules: readonly SecurityRule[]): DeniedTarget | undefined => {
  const tags = new Set([...ANYWHERE, ...target.tags].map((tag) => tag.toLowerCase()));
  let isUnsure = false;
  for (const rule of rules) {
    const destinations = named(rule.destinationAddressPrefix, rule.destinationAddressPrefixes);
    if (destinations.some((destination) => tags.has(destination.toLowerCase()))) {
      return rule.access === 'Deny' ? { target, rule, isUnsure } : undefined;
    }
    isUnsure ||= rule.access === 'Allow' && destinations.some(isRange);
  }
  return undefined;
};
