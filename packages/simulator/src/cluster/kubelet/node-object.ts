import { microTime } from '@karpenter/runtime';
import type { Taint } from '@karpenter/core';
import type { Clock } from '@karpenter/runtime';
import { type NodeCondition, type NodeLease, type NodeObject, type NodeStatus, nodeTaints } from '../objects/node.ts';
import { DEFAULT_NODE_IP, DEFAULT_OS_IMAGE, type KubeletNode } from './kubelet-node.ts';
import { selfAssignedLabels } from './self-assigned-labels.ts';

/** What stands on a node until its kubelet is Ready. */
const NOT_READY: Taint = { key: nodeTaints.notReady, effect: 'NoSchedule' };

/** What stands on a node until the cloud controller has seen it. */
const UNINITIALIZED: Taint = { key: nodeTaints.uninitialized, value: 'true', effect: 'NoSchedule' };

const PRESSURES = [
  { type: 'MemoryPressure', reason: 'KubeletHasSufficientMemory', message: 'kubelet has sufficient memory available' },
  { type: 'DiskPressure', reason: 'KubeletHasNoDiskPressure', message: 'kubelet has no disk pressure' },
  { type: 'PIDPressure', reason: 'KubeletHasSufficientPID', message: 'kubelet has sufficient PID available' },
];

/** Conditions as a kubelet reports them; `since` is kept for those that did not change. */
const kubeletConditions = (isReady: boolean, now: string, before: readonly NodeCondition[] = []): readonly NodeCondition[] => {
  const ready = isReady
    ? ({ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' } as const)
    : ({ type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'container runtime network not ready' } as const);
  const wanted = [...PRESSURES.map((pressure) => ({ ...pressure, status: 'False' as const })), ready];
  const own = wanted.map((condition) => {
    const last = before.find(({ type }) => type === condition.type);
    const lastTransitionTime = last?.status === condition.status ? (last.lastTransitionTime ?? now) : now;
    return { ...condition, lastHeartbeatTime: now, lastTransitionTime };
  });
  return [...before.filter(({ type }) => !wanted.some((condition) => condition.type === type)), ...own];
};

/** Where kubelets keep their leases. */
export const NODE_LEASE_NAMESPACE = 'kube-node-lease';

/** The lease of a node as its kubelet renews it. */
export const nodeLeaseSpec = (nodeName: string, clock: Clock): NodeLease['spec'] => ({
  holderIdentity: nodeName,
  leaseDurationSeconds: 40,
  renewTime: microTime(clock.now()),
});

/** What a kubelet reports besides what its machine is. */
export interface KubeletReport {
  readonly isReady: boolean;
  readonly hasDevicePlugin: boolean;
  readonly now: string;
  /** Where the machine states none. */
  readonly kubeletVersion: string;
  readonly before: NodeStatus | undefined;
}

/** The status of a node as its kubelet reports it. */
export const kubeletStatus = (
  machine: KubeletNode,
  { isReady, hasDevicePlugin, now, kubeletVersion, before }: KubeletReport,
): NodeStatus => ({
  ...before,
  capacity: { ...machine.capacity, ...(hasDevicePlugin && machine.pluginResources) },
  allocatable: { ...machine.allocatable, ...(hasDevicePlugin && machine.pluginResources) },
  conditions: kubeletConditions(isReady, now, before?.conditions),
  addresses: [
    { type: 'InternalIP', address: machine.internalIp ?? DEFAULT_NODE_IP },
    ...(machine.internalIpv6 === undefined ? [] : [{ type: 'InternalIP', address: machine.internalIpv6 } as const]),
    { type: 'Hostname', address: machine.name },
  ],
  nodeInfo: {
    ...{ kubeletVersion: machine.kubeletVersion ?? kubeletVersion, kubeProxyVersion: '' },
    ...{ architecture: machine.arch, operatingSystem: 'linux', osImage: machine.osImage ?? DEFAULT_OS_IMAGE },
    ...{ containerRuntimeVersion: 'containerd://2.0.0', kernelVersion: '6.8.0-azure' },
    ...{ machineID: machine.name, bootID: machine.name, systemUUID: machine.name },
  },
});

/**
 * The Node that a kubelet registers: with the taints of its bootstrap, not ready, and with no label that it may not
 * give itself.
 */
export const nodeObject = (machine: KubeletNode): NodeObject => {
  const { name, arch, providerId } = machine;
  const labels = {
    ...selfAssignedLabels(machine.labels),
    ...{ 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': arch },
    ...{ 'beta.kubernetes.io/os': 'linux', 'beta.kubernetes.io/arch': arch },
  };
  const taints = [...machine.taints, ...(machine.isCloudManaged ? [UNINITIALIZED] : []), NOT_READY];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels, annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' } },
    spec: { taints, ...(providerId === undefined || machine.isCloudManaged ? {} : { providerID: providerId }) },
  };
};
