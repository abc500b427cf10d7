import { flag, list, mapOf, oneOf, record, required, text } from '../body/shape.ts';

const reference = record('SubResource', { id: required(text(/^\//)) });

const ipConfiguration = record('NetworkInterfaceIPConfiguration', {
  name: required(text(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/)),
  properties: required(
    record('NetworkInterfaceIPConfigurationPropertiesFormat', {
      primary: flag,
      privateIPAllocationMethod: oneOf('Dynamic', 'Static'),
      privateIPAddress: text(),
      privateIPAddressVersion: oneOf('IPv4', 'IPv6'),
      subnet: required(reference),
      loadBalancerBackendAddressPools: list(reference),
    }),
  ),
});

/** What a PUT of a network interface may hold: the part of the real API that a cluster node has a use for. */
export const nicShape = record('NetworkInterface', {
  name: text(),
  type: text(),
  location: required(text()),
  tags: mapOf(text()),
  properties: required(
    record('NetworkInterfacePropertiesFormat', {
      ipConfigurations: required(list(ipConfiguration, { atLeast: 1, atMost: 256 })),
      enableAcceleratedNetworking: flag,
      enableIPForwarding: flag,
      networkSecurityGroup: reference,
    }),
  ),
});

export const nicTagsShape = record('TagsObject', { tags: mapOf(text()) });
