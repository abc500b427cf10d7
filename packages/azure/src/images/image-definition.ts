import { labels } from '@karpenter/core';
import { type AKSNodeClassSpec, azureLabels, isFips, isTrustedLaunch, type NodeImage } from '../apis/index.ts';
import type { Gallery } from './gallery.ts';
import { type ResolvedFamily, resolveFamily } from './image-family.ts';

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
}

/** Which images there are for a family. Source: the original's `pkg/providers/imagefamily`. */
const IMAGES: Readonly<Record<ResolvedFamily, FamilyImages>> = {
  Ubuntu2004: {
    plain: [],
    trustedLaunch: [],
    fips: [
      ['2004gen2fipscontainerd', 'amd64 2'],
      ['2004fipscontainerd', 'amd64 1'],
    ],
    fipsAndTrustedLaunch: [],
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
  if (isFips({ spec })) return isTrustedLaunch({ spec }) ? images.fipsAndTrustedLaunch : images.fips;
  return isTrustedLaunch({ spec }) ? images.trustedLaunch : images.plain;
};

/** The images of a class in order of preference. Those with FIPS are in the shared galleries only. */
export const imageDefinitionsOf = (spec: AKSNodeClassSpec, kubernetesVersion: string): readonly ImageDefinition[] => {
  const family = resolveFamily(spec, kubernetesVersion);
  const gallery = family.startsWith('Ubuntu') ? 'AKSUbuntu' : 'AKSAzureLinux';
  return namesFor(spec, IMAGES[family]).map(([name, machine]) => ({ gallery, name, requirements: requiring(machine) }));
};
