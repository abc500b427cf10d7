import { type AKSNodeClassSpec, azureLabels, isFips, isTrustedLaunch, type NodeImage } from '../apis/index.ts';
import { labels } from '@karpenter/core';
import { type ResolvedFamily, resolveFamily } from './image-family.ts';

/** An image in a community gallery, and what a size must meet to run it. */
export interface ImageDefinition {
  readonly gallery: string;
  readonly name: string;
  readonly requirements: NodeImage['requirements'];
}

const UBUNTU_GALLERY = 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2';
const AZURE_LINUX_GALLERY = 'AKSAzureLinux-f7c7cda5-1c9a-4bdc-a222-9614c968580b';

const requiring = (architecture: string, generation: string): NodeImage['requirements'] => [
  { key: labels.arch, operator: 'In', values: [architecture] },
  { key: azureLabels.skuHyperVGeneration, operator: 'In', values: [generation] },
];

/** Names by family: generation 2 amd64, generation 1 amd64, generation 2 arm64, trusted launch. 20.04 exists with FIPS only. */
const NAMES: Readonly<Record<ResolvedFamily, readonly [string, string, string, string] | undefined>> = {
  Ubuntu2004: undefined,
  Ubuntu2204: ['2204gen2containerd', '2204containerd', '2204gen2arm64containerd', '2204gen2TLcontainerd'],
  Ubuntu2404: ['2404gen2containerd', '2404containerd', '2404gen2arm64containerd', '2404gen2TLcontainerd'],
  AzureLinux2: ['V2gen2', 'V2', 'V2gen2arm64', 'V2gen2TL'],
  AzureLinux3: ['V3gen2', 'V3', 'V3gen2arm64', 'V3gen2TL'],
};

/** The images of a class in order of preference. Empty for FIPS: the community galleries have no such images. */
export const imageDefinitionsOf = (spec: AKSNodeClassSpec, kubernetesVersion: string): readonly ImageDefinition[] => {
  const family = resolveFamily(spec, kubernetesVersion);
  const names = NAMES[family];
  if (names === undefined || isFips({ spec })) return [];
  const gallery = family.startsWith('Ubuntu') ? UBUNTU_GALLERY : AZURE_LINUX_GALLERY;
  const [gen2, gen1, arm64, trustedLaunch] = names;
  if (isTrustedLaunch({ spec })) return [{ gallery, name: trustedLaunch, requirements: requiring('amd64', '2') }];
  return [
    { gallery, name: gen2, requirements: requiring('amd64', '2') },
    { gallery, name: gen1, requirements: requiring('amd64', '1') },
    { gallery, name: arm64, requirements: requiring('arm64', '2') },
  ];
};

export const communityImageId = ({ gallery, name }: ImageDefinition, version: string): string =>
  `/CommunityGalleries/${gallery}/images/${name}/versions/${version}`;
