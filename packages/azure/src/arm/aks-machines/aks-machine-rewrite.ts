import type { AksMachine, AksMachineBody, AksMachineProperties } from './aks-machine.ts';

type Seen = AksMachine['properties'];

const networkOf = ({ network }: Seen): AksMachineProperties['network'] => {
  const { ipAddresses: _addresses, ...wanted } = network ?? {};
  return Object.keys(wanted).length > 0 ? wanted : undefined;
};

const dnsOf = ({ localDNSProfile }: Seen): AksMachineProperties['localDNSProfile'] => {
  if (localDNSProfile === undefined) return undefined;
  const { state: _state, ...wanted } = localDNSProfile;
  return wanted;
};

/** A machine to PUT again with other tags: as it was read, without what only AKS writes. */
export const aksMachineWrittenAgain = ({ zones, properties }: AksMachine, tags: Readonly<Record<string, string>>): AksMachineBody => {
  const { provisioningState: _state, resourceId: _id, status: _status, eTag: _eTag, ...settings } = properties;
  const { currentOrchestratorVersion: _version, nodeName: _node, ...kubernetes } = settings.kubernetes;
  const { network: _network, localDNSProfile: _dns, ...rest } = settings;
  const network = networkOf(properties);
  const localDNSProfile = dnsOf(properties);
  return {
    ...(zones && { zones }),
    properties: { ...rest, kubernetes, ...(network && { network }), ...(localDNSProfile && { localDNSProfile }), tags },
  };
};
