import { expect, test } from '@jest/globals';
import type { AksMachine } from './aks-machine.ts';
import { aksMachineWrittenAgain } from './aks-machine-rewrite.ts';

const wanted = {
  nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202611.03.0',
  hardware: { vmSize: 'Standard_D2s_v3' },
  operatingSystem: { osType: 'Linux', osSKU: 'Ubuntu2204', osDiskSizeGB: 128, osDiskType: 'Managed', enableFIPS: false },
  kubernetes: {
    nodeLabels: {},
    orchestratorVersion: '1.33.4',
    nodeInitializationTaints: [],
    nodeTaints: [],
    maxPods: 30,
    artifactStreamingProfile: { enabled: false },
  },
  mode: 'User',
  security: { sshAccess: 'LocalUser' },
} as const;

const seen: AksMachine = {
  id: '/subscriptions/s/machines/a',
  name: 'a',
  zones: ['1'],
  properties: {
    ...wanted,
    kubernetes: { ...wanted.kubernetes, currentOrchestratorVersion: '1.33.4', nodeName: 'aks-machines-a-12345678-vm' },
    network: { ipAddresses: [{ family: 'IPv4', ip: '10.0.0.4' }] },
    localDNSProfile: { mode: 'Required', state: 'Enabled' },
    tags: { team: 'web' },
    provisioningState: 'Succeeded',
    resourceId: '/subscriptions/s/virtualMachines/a',
    eTag: '1',
    status: { driftAction: 'Synced' },
  },
};

test('a machine is written again without what only AKS writes', () => {
  expect(aksMachineWrittenAgain(seen, { team: 'shop' })).toEqual({
    zones: ['1'],
    properties: { ...wanted, localDNSProfile: { mode: 'Required' }, tags: { team: 'shop' } },
  });
});

test('its subnet is that of the user, its addresses are not', () => {
  const network = { vnetSubnetID: '/subscriptions/s/subnets/nodes', ipAddresses: [] };
  expect(aksMachineWrittenAgain({ ...seen, properties: { ...seen.properties, network } }, {}).properties.network).toEqual({
    vnetSubnetID: '/subscriptions/s/subnets/nodes',
  });
});
