import { type ArmRefusal, refusal } from '../faults/arm-error.ts';
import type { NicIpConfiguration } from './nic-body.ts';
import type { NetworkTopology } from './topology.ts';

export const isIPv6 = ({ properties }: NicIpConfiguration): boolean => properties.privateIPAddressVersion === 'IPv6';

const invalid = (message: string): ArmRefusal => refusal(400, 'InvalidRequestFormat', message);

/**
 * Why Azure does not take the IPv6 addresses of an interface: there is one at most, never the primary one, in a subnet
 * of both families. Source: Azure Virtual Network, "IP services", limits of private IPv6 addresses. The codes of these
 * refusals are not recorded ones.
 */
export const ipv6Refusal = (configurations: readonly NicIpConfiguration[], topology: NetworkTopology): ArmRefusal | undefined => {
  const [first, ...more] = configurations.filter(isIPv6);
  if (first === undefined) return undefined;
  if (more.length > 0) return invalid('A network interface can have one IPv6 configuration.');
  if (first.properties.primary === true) return invalid(`The IPv6 configuration ${first.name} cannot be the primary one.`);
  const { id } = first.properties.subnet;
  return topology.ipv6Prefix(id) === undefined ? invalid(`Subnet ${id} has no IPv6 address prefix.`) : undefined;
};

/** One address a configuration; the IPv6 one ends as the first IPv4 address does. */
export const addressesOf = (
  configurations: readonly NicIpConfiguration[],
  ofIPv4: readonly string[],
  prefix: string | undefined,
): readonly string[] => {
  const left = [...ofIPv4];
  const host = (ofIPv4[0] ?? '')
    .split('.')
    .slice(2)
    .map((part) => Number(part).toString(16).padStart(2, '0'));
  const ofIPv6 = `${(prefix ?? '').replace(/\/\d+$/, '')}${host.join('')}`;
  return configurations.map((configuration) => (isIPv6(configuration) ? ofIPv6 : (left.shift() ?? '')));
};
