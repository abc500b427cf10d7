import type { KubeletHost } from '../kubelet/kubelet-host.ts';
import type { KubeletNode } from '../kubelet/kubelet-node.ts';
import type { CloudMachine, CloudView } from '../nodes/cloud-view.ts';

/** The pool that an AKS cluster has before Karpenter makes its first node. */
export interface SystemPool {
  readonly count: number;
  /** Default `Standard_D4s_v5`; its size is 4 vCPUs and 16 GiB whatever its name. */
  readonly instanceType?: string;
}

const POOL = 'aks-system-30145672-vmss';

const nameAt = (index: number): string => `${POOL}${index.toString(36).padStart(6, '0')}`;

const machineAt = (index: number, location: string, { instanceType = 'Standard_D4s_v5' }: SystemPool): CloudMachine => ({
  providerId: `azure:///subscriptions/system/resourceGroups/system/providers/Microsoft.Compute/virtualMachineScaleSets/${POOL}/virtualMachines/${index}`,
  instanceType,
  region: location,
  zone: `${location}-${(index % 3) + 1}`,
});

const kubeletAt = (index: number): KubeletNode => ({
  name: nameAt(index),
  labels: { agentpool: 'system', 'kubernetes.azure.com/agentpool': 'system', 'kubernetes.azure.com/mode': 'system' },
  taints: [{ key: 'CriticalAddonsOnly', value: 'true', effect: 'NoSchedule' }],
  capacity: { cpu: '4', memory: '16374144Ki', 'ephemeral-storage': '128000000000', pods: '250' },
  allocatable: { cpu: '3860m', memory: '14000000Ki', 'ephemeral-storage': '115000000000', pods: '250' },
  arch: 'amd64',
  internalIp: `10.224.255.${index + 4}`,
  isCloudManaged: true,
});

/** Boots the pool, and answers for its machines. */
export const startSystemPool = (pool: SystemPool, kubelets: KubeletHost, location: string): CloudView => {
  const machines = new Map<string, CloudMachine>();
  for (let index = 0; index < pool.count; index += 1) {
    machines.set(nameAt(index), machineAt(index, location, pool));
    kubelets.start(kubeletAt(index));
  }
  const own = new Set([...machines.values()].map((machine) => machine.providerId));
  return { machineOf: (nodeName) => machines.get(nodeName), exists: (providerId) => own.has(providerId) };
};
