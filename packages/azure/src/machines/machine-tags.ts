import { layeredTags } from '@karpenter/core/provider-kit';

/** Marks by which the provider finds what is its own. `/` is no character of a tag's key. */
export const machineTags = {
  cluster: 'karpenter.azure.com_cluster',
  nodePool: 'karpenter.sh_nodepool',
  billing: 'compute.aks.billing',
  /** On machines: by which class they were made. */
  nodeClassHash: 'karpenter.azure.com_aksnodeclass-hash',
  /** On machines of agent pools and all that AKS makes of them: the claim. */
  claim: 'karpenter.azure.com_aksmachine_nodeclaim',
} as const;

/** Whether a machine is one of an agent pool, or a part that AKS has made of one. */
export const isTaggedAsOfPool = (tags: Readonly<Record<string, string>>): boolean => tags[machineTags.claim] !== undefined;

export interface TagSource {
  readonly clusterName: string;
  readonly nodePoolName: string | undefined;
  readonly additionalTags: Readonly<Record<string, string>>;
  readonly classTags: Readonly<Record<string, string>>;
  /** The claim of a machine of an agent pool, whose name may be another one. */
  readonly claimName?: string | undefined;
}

/** Tags of a VM and its interface: the cluster's, over them the class's, over them ours. */
export const machineTagsOf = ({
  clusterName,
  nodePoolName,
  additionalTags,
  classTags,
  claimName,
}: TagSource): Readonly<Record<string, string>> => {
  const own = {
    [machineTags.cluster]: clusterName,
    [machineTags.billing]: 'linux',
    ...(nodePoolName !== undefined && { [machineTags.nodePool]: nodePoolName }),
    ...(claimName !== undefined && { [machineTags.claim]: claimName }),
  };
  return layeredTags({ cluster: additionalTags, nodeClass: classTags, own }, (key) => key.replaceAll('/', '_'));
};
