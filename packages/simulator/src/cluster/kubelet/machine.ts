import type { Taint } from '@karpenter/core';

/** Everything a kubelet is started with: what its bootstrap says and what its machine is. */
export interface KubeletNode {
  readonly name: string;
  /** As `--node-labels` says; the restricted ones are left out, as on a real node. */
  readonly labels: Readonly<Record<string, string>>;
  /** As `--register-with-taints` says. */
  readonly taints: readonly Taint[];
  /** Quantities. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly arch: 'amd64' | 'arm64';
  /** Set by the kubelet itself only without a cloud controller. */
  readonly providerId?: string | undefined;
  readonly internalIp?: string | undefined;
  /** With `v`. Default the cluster's. */
  readonly kubeletVersion?: string | undefined;
  /** True with `--cloud-provider=external`: the node carries the uninitialized taint until the cloud controller has seen it. */
  readonly isCloudManaged: boolean;
  /** Its network plugin never comes up. Default false. */
  readonly isNeverReady?: boolean | undefined;
}

/** How long a kubelet takes, in milliseconds of the cluster's clock. */
export interface KubeletDelays {
  /** From the machine's boot to the node's registration. */
  readonly registerMs: number;
  /** From registration to Ready: network plugin, first status. */
  readonly readyMs: number;
  /** From binding to Running: image pull and start. */
  readonly podStartMs: number;
  /** From a pod's deletion to its containers' end, when its grace is not shorter. */
  readonly podStopMs: number;
}

export const DEFAULT_KUBELET_DELAYS: KubeletDelays = { registerMs: 3_000, readyMs: 5_000, podStartMs: 2_000, podStopMs: 1_000 };

/** Writing a pod's end and its length into its annotations: how long it runs before it succeeds, how long it takes to stop. Whole seconds. */
export const podAnnotations = {
  runSeconds: 'simulator.karpenter.sh/run-seconds',
  stopSeconds: 'simulator.karpenter.sh/stop-seconds',
} as const;
