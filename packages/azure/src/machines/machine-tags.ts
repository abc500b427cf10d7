import { layeredTags } from '@karpenter/core/provider-kit';
import { type AKSNodeClass, NODE_CLASS_HASH_VERSION, nodeClassHashOf } from '../apis/index.ts';

type Tags = Readonly<Record<string, string>>;

/** The tag that says by which class a machine is made: `ts-v1.8061253…`. It stays while the machine runs. */
export const classHashTagOf = (nodeClass: Pick<AKSNodeClass, 'spec'>): Tags => ({
  [machineTags.nodeClassHash]: `${NODE_CLASS_HASH_VERSION}.${nodeClassHashOf(nodeClass)}`,
});

/** That tag of a machine, to be kept where its tags are written as a whole; none where it has none. */
export const keptClassHashTag = ({ [machineTags.nodeClassHash]: tag }: Tags = {}): Tags =>
  tag === undefined ? {} : { [machineTags.nodeClassHash]: tag };

/** By which class a machine was made; undefined for one of the original, or of a controller before there was the tag. */
export const classHashIn = (tags: Tags): { readonly version: string; readonly hash: string } | undefined => {
  const [, version, hash] = /^(.+)\.(\d+)$/.exec(tags[machineTags.nodeClassHash] ?? '') ?? [];
  return version === undefined || hash === undefined ? undefined : { version, hash };
};

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

const legalKey = (key: string): string => key.replaceAll('/', '_');

const OWN_KEYS: ReadonlySet<string> = new Set(Object.values(machineTags).map((key) => key.toLowerCase()));

/** Without our marks: with them who may write a class could hide machines from the provider. */
const withoutMarks = (tags: Tags): Tags =>
  Object.fromEntries(Object.entries(tags).filter(([key]) => !OWN_KEYS.has(legalKey(key).toLowerCase())));

/** Azure ignores the case of keys. Of keys that differ in nothing else the last stays. */
const onePerKey = (tags: Tags): Tags =>
  Object.fromEntries(new Map(Object.entries(tags).map((tag) => [tag[0].toLowerCase(), tag])).values());

/** Tags of a VM and its interface: the cluster's, over them the class's. Our marks are ours alone. */
export const machineTagsOf = ({ clusterName, nodePoolName, additionalTags, classTags, claimName }: TagSource): Tags => {
  const own = {
    [machineTags.cluster]: clusterName,
    [machineTags.billing]: 'linux',
    ...(nodePoolName !== undefined && { [machineTags.nodePool]: nodePoolName }),
    ...(claimName !== undefined && { [machineTags.claim]: claimName }),
  };
  const layers = { cluster: withoutMarks(additionalTags), nodeClass: withoutMarks(classTags), own };
  return onePerKey(layeredTags(layers, legalKey));
};
