import type { KubeClient, ResourceKind } from '@karpenter/runtime';

/** What the provider does with the cluster's API. */
export type AzureKube = Pick<KubeClient, 'get' | 'list' | 'patch' | 'patchStatus'>;

export const aksNodeClassKind: ResourceKind = {
  group: 'karpenter.azure.com',
  version: 'v1beta1',
  kind: 'AKSNodeClass',
  plural: 'aksnodeclasses',
  namespaced: false,
};

/** Kinds that the client's table must hold for the provider, beside Node, NodePool and NodeClaim. */
export const azureKinds: readonly ResourceKind[] = [
  aksNodeClassKind,
  { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true },
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
  { group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy', plural: 'networkpolicies', namespaced: true },
  { group: 'cilium.io', version: 'v2', kind: 'CiliumNetworkPolicy', plural: 'ciliumnetworkpolicies', namespaced: true },
  {
    group: 'cilium.io',
    version: 'v2',
    kind: 'CiliumClusterwideNetworkPolicy',
    plural: 'ciliumclusterwidenetworkpolicies',
    namespaced: false,
  },
  // Their own names are those of other kinds; these are what the table calls them.
  { group: 'crd.projectcalico.org', version: 'v1', kind: 'CalicoNetworkPolicy', plural: 'networkpolicies', namespaced: true },
  { group: 'crd.projectcalico.org', version: 'v1', kind: 'CalicoGlobalNetworkPolicy', plural: 'globalnetworkpolicies', namespaced: false },
];
