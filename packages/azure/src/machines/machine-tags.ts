import { layeredTags } from '@karpenter/core/provider-kit';

/** Marks by which the provider finds what is its own. `/` is no character of a tag's key. */
export const machineTags = {
  cluster: 'karpenter.azure.com_cluster',
  nodePool: 'karpenter.sh_nodepool',
  billing: 'compute.aks.billing',
} as const;

export interface TagSource {
  readonly clusterName: string;
  readonly nodePoolName: string | undefined;
  readonly additionalTags: Readonly<Record<string, string>>;
  readonly classTags: Readonly<Record<string, string>>;
}

/** Tags of a VM and its interface: the cluster's, over them the class's, over them ours. */
export const machineTagsOf = ({ clusterName, nodePoolName, additionalTags, classTags }: TagSource): Readonly<Record<string, string>> => {
  const own = {
    [machineTags.cluster]: clusterName,
    [machineTags.billing]: 'linux',
    ...(nodePoolName !== undefined && { [machineTags.nodePool]: nodePoolName }),
  };
  return layeredTags({ cluster: additionalTags, nodeClass: classTags, own }, (key) => key.replaceAll('/', '_'));
};
