import { flag, list, mapOf, oneOf, record, required, text, whole } from '../body/shape.ts';
import { kubeletConfigShape, linuxConfigShape, localDnsShape } from './provision-shape.ts';

/** What is PUT for a machine of an agent pool. Source: Microsoft.ContainerService, `agentPools/machines` (preview). */
export const machineShape = record('Machine', {
  zones: list(text(/^\d$/), { atMost: 1 }),
  properties: required(
    record('MachineProperties', {
      nodeImageVersion: text(/^AKS(Ubuntu|AzureLinux)-[A-Za-z0-9]+-\d+(\.\d+)+$/),
      network: record('MachineNetworkProperties', { vnetSubnetID: text(/^\/subscriptions\/.+\/subnets\/[^/]+$/i) }),
      hardware: required(
        record('MachineHardwareProfile', {
          vmSize: required(text()),
          gpuProfile: record('GPUProfile', { driver: oneOf('Install', 'None') }),
          ultraSsdEnabled: flag,
        }),
      ),
      operatingSystem: required(
        record('MachineOSProfile', {
          osType: required(oneOf('Linux')),
          osSKU: oneOf('Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux'),
          osDiskSizeGB: whole(30, 2048),
          osDiskType: oneOf('Managed', 'Ephemeral'),
          enableFIPS: flag,
          linuxProfile: record('MachineOSProfileLinuxProfile', { linuxOSConfig: linuxConfigShape }),
        }),
      ),
      kubernetes: required(
        record('MachineKubernetesProfile', {
          nodeLabels: mapOf(text()),
          orchestratorVersion: text(/^\d+\.\d+\.\d+$/),
          kubeletConfig: kubeletConfigShape,
          nodeInitializationTaints: list(text()),
          nodeTaints: list(text()),
          maxPods: whole(10, 250),
          artifactStreamingProfile: record('AgentPoolArtifactStreamingProfile', { enabled: flag }),
        }),
      ),
      mode: oneOf('System', 'User'),
      security: record('AgentPoolSecurityProfile', {
        sshAccess: oneOf('LocalUser', 'Disabled'),
        enableEncryptionAtHost: flag,
        enableVTPM: flag,
        enableSecureBoot: flag,
      }),
      priority: oneOf('Regular', 'Spot'),
      tags: mapOf(text()),
      localDNSProfile: localDnsShape,
    }),
  ),
});

export const deleteMachinesShape = record('AgentPoolDeleteMachinesParameter', { machineNames: required(list(text(), { atLeast: 1 })) });

/** What the header of a batch says of each machine. */
export const batchShape = record('BatchPutMachine', {
  batchMachines: required(
    list(
      record('BatchMachine', {
        machineName: required(text(/^[a-z][a-z0-9-]{0,33}$/)),
        zones: list(text(/^\d$/), { atMost: 1 }),
        tags: mapOf(text()),
      }),
      { atLeast: 1, atMost: 50 },
    ),
  ),
});
