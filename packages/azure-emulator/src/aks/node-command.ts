import type { ArmAccount } from '../account.ts';
import { IMAGE_SCRIPTS } from '../bootstrap/require-image-scripts.ts';
import { type NodeOsSettings, nodeOsVariables } from './node-os-variables.ts';

/** What AKS lets a node be. */
export interface NodeSettings {
  readonly apiServerName: string;
  readonly bootstrapToken: string;
  readonly kubernetesVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `key=value:Effect` */
  readonly taints: readonly string[];
  readonly maxPods: number;
  readonly vCpus: number;
  readonly memoryGiB: number;
  readonly kubelet: NodeKubeletSettings | undefined;
  readonly os: NodeOsSettings | undefined;
}

/** Settings of a kubelet, as both services of AKS take them. */
export interface NodeKubeletSettings {
  readonly failSwapOn?: boolean;
}

/** `[up to, share]`, of what lies between the bracket before and this one. */
type Brackets = readonly (readonly [upTo: number, share: number])[];

const keptBackOf = (amount: number, brackets: Brackets): number => {
  let keptBack = 0;
  let from = 0;
  for (const [upTo, share] of brackets) {
    keptBack += Math.max(0, Math.min(amount, upTo) - from) * share;
    from = upTo;
  }
  return keptBack;
};

/** Source: AKS, "resource reservations". */
const CPU_MILLIS: Brackets = [
  [1000, 0.06],
  [2000, 0.04],
  [4000, 0.02],
  [Infinity, 0.01],
];
const MEMORY_MIB: Brackets = [
  [4096, 0.25],
  [8192, 0.2],
  [16_384, 0.1],
  [131_072, 0.06],
  [Infinity, 0.02],
];

const flagsOf = ({ maxPods, vCpus, memoryGiB, taints, kubelet }: NodeSettings): string => {
  const cpuMillis = Math.floor(keptBackOf(vCpus * 1000, CPU_MILLIS));
  const memoryMiB = Math.floor(keptBackOf(memoryGiB * 1024, MEMORY_MIB));
  return [
    '--cloud-provider=external',
    '--eviction-hard=memory.available<750Mi',
    `--kube-reserved=cpu=${String(cpuMillis)}m,memory=${String(memoryMiB)}Mi`,
    `--max-pods=${String(maxPods)}`,
    `--register-with-taints=${taints.join(',')}`,
    ...(kubelet?.failSwapOn === undefined ? [] : [`--fail-swap-on=${String(kubelet.failSwapOn)}`]),
  ].join(' ');
};

/** Where the nodes of an AKS cluster find its API server. */
export const apiServerHostOf = ({ clusterName, location }: ArmAccount): string => `${clusterName}.hcp.${location}.azmk8s.io`;

/** The command that turns a machine with an AKS image into a node. */
export const nodeCommandOf = (settings: NodeSettings): string => {
  const labels = Object.entries(settings.labels).map(([key, value]) => `${key}=${value}`);
  const variables = {
    ...IMAGE_SCRIPTS,
    ...nodeOsVariables(settings.os ?? {}),
    API_SERVER_NAME: settings.apiServerName,
    KUBERNETES_VERSION: settings.kubernetesVersion,
    KUBELET_FLAGS: flagsOf(settings),
    KUBELET_NODE_LABELS: labels.sort().join(','),
    TLS_BOOTSTRAP_TOKEN: settings.bootstrapToken,
  };
  const assignments = Object.entries(variables).map(([name, value]) => `${name}="${value}"`);
  return `${assignments.join(' ')} /usr/bin/nohup /bin/bash -c "/bin/bash /opt/azure/containers/provision_start.sh"`;
};
