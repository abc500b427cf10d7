import type { ClusterSnapshot, NodeView } from '../index.ts';

/** A node that is ready and has nothing but what a test says of it. */
export const aBareNode = (said: Partial<NodeView> = {}): NodeView => ({
  name: 'n',
  labels: {},
  annotations: {},
  taints: [],
  capacity: {},
  allocatable: {},
  pods: [],
  hasNode: true,
  isRegistered: true,
  isInitialized: true,
  isReady: true,
  isMarkedForDeletion: false,
  ...said,
});

/** A cluster in which nothing is but what a test says of it. */
export const aBareSnapshot = (said: Partial<ClusterSnapshot> = {}): ClusterSnapshot => ({
  nodePools: [],
  nodes: [],
  pendingPods: [],
  daemonSets: [],
  podDisruptionBudgets: [],
  namespaceLabels: new Map(),
  ...said,
});
