/** Keys of the taints that Kubernetes itself puts on nodes. */
export const nodeTaints = {
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
  /** What a cordon puts there. */
  unschedulable: 'node.kubernetes.io/unschedulable',
  /** Until the cloud controller has seen the node. */
  uninitialized: 'node.cloudprovider.kubernetes.io/uninitialized',
} as const;
