import { flag, list, mapOf, oneOfTexts, record, requiredMember, text } from '../body/shape.ts';

const reference = record('SubResource', { id: requiredMember(text(/^\//)) });

const ipConfiguration = record('NetworkInterfaceIPConfiguration', {
  name: requiredMember(text(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/)),
  properties: requiredMember(
    record('NetworkInterfaceIPConfigurationPropertiesFormat', {
      primary: flag,
      privateIPAllocationMethod: oneOfTexts('Dynamic', 'Static'),
      privateIPAddress: text(),
      privateIPAddressVersion: oneOfTexts('IPv4', 'IPv6'),
      subnet: requiredMember(reference),
      loadBalancerBackendAddressPools: list(reference),
    }),
  ),
});

/** What a PUT of a network interface may hold: the part of the real API that a cluster node has a use for. */
export const nicShape = record('NetworkInterface', {
  name: text(),
  type: text(),
  location: requiredMember(text()),
  tags: mapOf(text()),
  properties: requiredMember(
    record('NetworkInterfacePropertiesFormat', {
      ipConfigurations: requiredMember(list(ipConfiguration, { atLeast: 1, atMost: 256 })),
      enableAcceleratedNetworking: flag,
      enableIPForwarding: flag,
      networkSecurityGroup: reference,
    }),
  ),
});

export const nicTagsShape = record('TagsObject', { tags: mapOf(text()) });
