import type { KubeClient } from '@karpenter/runtime';

/** What the controllers of a NodeClass do with the cluster's API. */
export type ClassKube = Pick<KubeClient, 'list' | 'patch' | 'patchStatus'>;
