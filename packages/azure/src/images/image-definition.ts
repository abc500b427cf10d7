import { labels } from '@karpenter/core';
import { type AKSNodeClassSpec, azureLabels, isConfidential, isFips, isTrustedLaunch, type NodeImage } from '../apis/index.ts';
import type { Gallery } from './gallery.ts';
import { type ResolvedFamily, resolveFamily } from './image-family.ts';

export interface PublishedVersion {
  readonly name: string;
  readonly publishedAtMs: number;
}

/** The version that was published last; of two at one moment the later name. Undefined when there is none. */
export const newestVersionOf = (versions: readonly PublishedVersion[]): string | undefined =>
  versions.toSorted((a, b) => b.publishedAtMs - a.publishedAtMs || (a.name < b.name ? 1 : -1))[0]?.name;

const baseOf = (id: string): string => id.replace(/\/versions\/[^/]+$/i, '').toLowerCase();

/**
 * The newest images, but those in force keep their version: images that are no longer wanted are dropped, new ones are
 * added.
 */
export const keepingVersions = (newest: readonly NodeImage[], inForce: readonly NodeImage[]): readonly NodeImage[] => {
  const known = new Map(inForce.map(({ id }) => [baseOf(id), id]));
  return newest.map((image) => ({ ...image, id: known.get(baseOf(image.id)) ?? image.id }));
};

/** An image in a gallery, and what a size must meet to run it. */
export interface ImageDefinition {
  readonly gallery: Gallery;
  readonly name: string;
  readonly requirements: NodeImage['requirements'];
}

type Machine = 'amd64 2' | 'amd64 1' | 'arm64 2';

/** In order of preference. */
type Names = readonly (readonly [name: string, machine: Machine])[];

interface FamilyImages {
  readonly plain: Names;
  readonly trustedLaunch: Names;
  readonly fips: Names;
  readonly fipsAndTrustedLaunch: Names;
  readonly confidential: Names;
}

/**
 * Which images there are for a family. Sources: the original's `pkg/providers/imagefamily`; of confidential VMs
 * AgentBaker's `sig_config.go`.
 */
const IMAGES: Readonly<Record<ResolvedFamily, FamilyImages>> = {
  Ubuntu2004: {
    plain: [],
    trustedLaunch: [],
    fips: [
      ['2004gen2fipscontainerd', 'amd64 2'],
      ['2004fipscontainerd', 'amd64 1'],
    ],
    fipsAndTrustedLaunch: [],
    confidential: [['2004gen2CVMcontainerd', 'amd64 2']],
  },
  Ubuntu2204: {
    plain: [
      ['2204gen2containerd', 'amd64 2'],
      ['2204containerd', 'amd64 1'],
      ['2204gen2arm64containerd', 'arm64 2'],
    ],
    trustedLaunch: [['2204gen2TLcontainerd', 'amd64 2']],
    fips: [],
    fipsAndTrustedLaunch: [['2204gen2fipsTLcontainerd', 'amd64 2']],
    confidential: [],
  },
  Ubuntu2404: {
    plain: [
      ['2404gen2containerd', 'amd64 2'],
      ['2404containerd', 'amd64 1'],
      ['2404gen2arm64containerd', 'arm64 2'],
    ],
    trustedLaunch: [['2404gen2TLcontainerd', 'amd64 2']],
    fips: [],
    fipsAndTrustedLaunch: [],
    confidential: [['2404gen2CVMcontainerd', 'amd64 2']],
  },
  AzureLinux2: {
    plain: [
      ['V2gen2', 'amd64 2'],
      ['V2', 'amd64 1'],
      ['V2gen2arm64', 'arm64 2'],
    ],
    trustedLaunch: [['V2gen2TL', 'amd64 2']],
    fips: [
      ['V2gen2fips', 'amd64 2'],
      ['V2fips', 'amd64 1'],
    ],
    fipsAndTrustedLaunch: [],
    confidential: [],
  },
  AzureLinux3: {
    plain: [
      ['V3gen2', 'amd64 2'],
      ['V3', 'amd64 1'],
      ['V3gen2arm64', 'arm64 2'],
    ],
    trustedLaunch: [['V3gen2TL', 'amd64 2']],
    fips: [
      ['V3gen2fips', 'amd64 2'],
      ['V3fips', 'amd64 1'],
      ['V3gen2arm64fips', 'arm64 2'],
    ],
    fipsAndTrustedLaunch: [],
    confidential: [['V3gen2CVM', 'amd64 2']],
  },
};

const requiring = (machine: Machine): NodeImage['requirements'] => {
  const [architecture = '', generation = ''] = machine.split(' ');
  return [
    { key: labels.arch, operator: 'In', values: [architecture] },
    { key: azureLabels.skuHyperVGeneration, operator: 'In', values: [generation] },
  ];
};

const namesFor = (spec: AKSNodeClassSpec, images: FamilyImages): Names => {
  if (isConfidential({ spec })) return images.confidential;
  if (isFips({ spec })) return isTrustedLaunch({ spec }) ? images.fipsAndTrustedLaunch : images.fips;
  return isTrustedLaunch({ spec }) ? images.trustedLaunch : images.plain;
};

/**
 * The images of a class in order of preference. Those with FIPS are in the shared galleries only; of those for
 * confidential VMs nobody has seen others.
 */
export const imageDefinitionsOf = (spec: AKSNodeClassSpec, kubernetesVersion: string): readonly ImageDefinition[] => {
  const family = resolveFamily(spec, kubernetesVersion);
  const gallery = family.startsWith('Ubuntu') ? 'AKSUbuntu' : 'AKSAzureLinux';
  return namesFor(spec, IMAGES[family]).map(([name, machine]) => ({ gallery, name, requirements: requiring(machine) }));
};
