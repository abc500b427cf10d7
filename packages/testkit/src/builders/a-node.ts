import type { Pod, Resources, Taint } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';

/** What a test says about a node. */
export interface NodeOptions {
  readonly name?: string;
  /** Default 4 cpus, 16 GiB, 110 pods. */
  readonly allocatable?: Resources;
  /** Beside the labels that every node has. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly pods?: readonly Pod[];
  readonly nodePoolName?: string;
  /** Default `test-zone-1`. */
  readonly zone?: string;
  readonly isInitialized?: boolean;
  readonly isMarkedForDeletion?: boolean;
  /** CSI driver → the most volumes. */
  readonly volumeLimits?: NodeView['volumeLimits'];
}

let made = 0;

const poolLabel = (nodePoolName: string | undefined): Readonly<Record<string, string>> =>
  nodePoolName === undefined ? {} : { 'karpenter.sh/nodepool': nodePoolName };

const labelsOf = (name: string, { zone = 'test-zone-1', nodePoolName, labels }: NodeOptions): Readonly<Record<string, string>> => ({
  'kubernetes.io/hostname': name,
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/os': 'linux',
  'topology.kubernetes.io/zone': zone,
  'karpenter.sh/capacity-type': 'on-demand',
  'node.kubernetes.io/instance-type': 'type-4',
  ...poolLabel(nodePoolName),
  ...labels,
});

/** A registered, initialized, ready node with a name of its own. */
export const aNode = (options: NodeOptions = {}): NodeView => {
  made += 1;
  const name = options.name ?? `node-${String(made).padStart(5, '0')}`;
  const { allocatable = { cpu: 4000, memory: 16 * 1024 ** 3, pods: 110 }, isInitialized = true, nodePoolName } = options;
  return {
    name,
    providerId: `test:///${name}`,
    labels: labelsOf(name, options),
    annotations: {},
    taints: options.taints ?? [],
    capacity: allocatable,
    allocatable,
    pods: options.pods ?? [],
    ...(nodePoolName === undefined ? {} : { nodePoolName }),
    ...(options.volumeLimits === undefined ? {} : { volumeLimits: options.volumeLimits }),
    hasNode: true,
    isRegistered: true,
    isInitialized,
    isReady: isInitialized,
    isMarkedForDeletion: options.isMarkedForDeletion ?? false,
  };
};
