import { below, narrowedBody, requireField, requireShape, only } from '../body/narrowed.ts';
import { publishedShape } from '../body/published-shape.ts';
import { list, mapOf, oneOfTexts, record, requiredMember, text, whole } from '../body/shape.ts';
import { aksMachineModels } from '../data/aks-models.ts';
import { kubeletLimits, linuxLimits } from './node-settings-limits.ts';

const zones = list(text(/^\d$/), { atMost: 1 });

/** What is PUT for a machine of an agent pool: what the models allow, and of that what makes a node with Linux. */
export const machineShape = narrowedBody(publishedShape(aksMachineModels, 'Machine', 'sent'), {
  zones: only(zones),
  properties: requireField,
  ...below('properties', {
    nodeImageVersion: only(text(/^AKS(Ubuntu|AzureLinux)-[A-Za-z0-9]+-\d+(\.\d+)+$/)),
    'network.vnetSubnetID': only(text(/^\/subscriptions\/.+\/subnets\/[^/]+$/i)),
    'network.podSubnetID': only(text(/^\/subscriptions\/.+\/subnets\/[^/]+$/i)),
    hardware: requireField,
    'hardware.vmSize': requireField,
    operatingSystem: requireField,
    'operatingSystem.osType': requireShape(oneOfTexts('Linux')),
    'operatingSystem.osSKU': only(oneOfTexts('Ubuntu', 'Ubuntu2204', 'Ubuntu2404', 'AzureLinux')),
    'operatingSystem.osDiskSizeGB': only(whole(0, 2048)),
    ...below('operatingSystem.linuxProfile.linuxOSConfig', linuxLimits),
    kubernetes: requireField,
    'kubernetes.orchestratorVersion': only(text(/^\d+\.\d+\.\d+$/)),
    'kubernetes.maxPods': only(whole(10, 250)),
    ...below('kubernetes.kubeletConfig', kubeletLimits),
    mode: only(oneOfTexts('System', 'User')),
  }),
});

/** A machine as AKS answers it. */
export const machineAnswerShape = publishedShape(aksMachineModels, 'Machine', 'answered');

export const deleteMachinesShape = narrowedBody(publishedShape(aksMachineModels, 'AgentPoolDeleteMachinesParameter', 'sent'), {
  machineNames: only(list(text(), { atLeast: 1 })),
});

/** What the header of a batch says of each machine. Source: the original's `designs/0010-aks-machines-batch-creation.md`. */
export const batchShape = record('BatchPutMachine', {
  batchMachines: requiredMember(
    list(
      record('BatchMachine', {
        machineName: requiredMember(text(/^[a-z][a-z0-9-]{0,33}$/)),
        zones,
        tags: mapOf(text()),
      }),
      { atLeast: 1, atMost: 50 },
    ),
  ),
});
