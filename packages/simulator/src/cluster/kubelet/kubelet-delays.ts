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
  /** How long a pod of a Job runs before it succeeds, when its annotation does not say. */
  readonly jobRunMs: number;
}

export const DEFAULT_KUBELET_DELAYS: KubeletDelays = {
  ...{ registerMs: 3_000, readyMs: 5_000, podStartMs: 2_000, podStopMs: 1_000 },
  jobRunMs: 60_000,
};

/** How often a kubelet renews its lease. */
export const DEFAULT_HEARTBEAT_MS = 10_000;
