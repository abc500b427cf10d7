import { parseAzureOptions } from '../options/index.ts';
import type { BootstrapSource } from '../bootstrap/bootstrap-variables.ts';
import { kubeletFlagsOf } from '../bootstrap/kubelet-flags.ts';
import { nodeTaintsOf } from '../bootstrap/node-taints.ts';
import { requiredVariables } from './required-variables.ts';

const parsed = parseAzureOptions({
  flags: {},
  env: {
    ...requiredVariables,
    AZURE_TENANT_ID: '66666666-7777-8888-9999-000000000000',
  },
});
if (!parsed.ok) throw new Error(parsed.problems.join());
const { options } = parsed;

/** What the bootstrap of a node is made from; its kubelet flags are those of its version. */
export const aBootstrapSource = (more: Partial<BootstrapSource> = {}): BootstrapSource => ({
  options,
  apiServerName: 'main.hcp.eastus.azmk8s.io',
  caBundle: 'Y2E=',
  kubernetesVersion: '1.33.4',
  architecture: 'amd64',
  subnet: { resourceGroup: 'rg', vnet: 'vnet', name: 'nodes' },
  networkSecurityGroup: 'aks-agentpool-12345678-nsg',
  routeTable: 'aks-agentpool-12345678-routetable',
  gpuDriver: undefined,
  kubeletFlags: kubeletFlagsOf({
    kubernetesVersion: more.kubernetesVersion ?? '1.33.4',
    maxPods: 250,
    kubeReserved: { cpuMillis: 100, memoryMiB: 1843 },
    clusterDns: '10.0.0.10',
    taints: nodeTaintsOf({ taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }] }),
    kubelet: { imageGCHighThresholdPercent: 70, cpuCFSQuota: false },
  }),
  labels: { 'karpenter.sh/nodepool': 'general', 'kubernetes.azure.com/mode': 'user' },
  settings: {},
  ...more,
});
