import type { ImageVersion } from '../compute/images/image-versions.ts';

const UBUNTU = 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2';
const AZURE_LINUX = 'AKSAzureLinux-f7c7cda5-1c9a-4bdc-a222-9614c968580b';

/** What the community galleries have. */
const DEFINITIONS: Readonly<Record<string, readonly string[]>> = {
  [UBUNTU]: [
    '2204gen2containerd',
    '2204containerd',
    '2204gen2arm64containerd',
    '2204gen2TLcontainerd',
    '2404gen2containerd',
    '2404containerd',
    '2404gen2arm64containerd',
    '2404gen2TLcontainerd',
  ],
  [AZURE_LINUX]: ['V2gen2', 'V2', 'V2gen2arm64', 'V2gen2TL', 'V3gen2', 'V3', 'V3gen2arm64', 'V3gen2TL'],
};

/**
 * What only the shared galleries have, by their name; of those for confidential VMs nobody has said that the community
 * has them.
 */
const SHARED_ONLY: Readonly<Record<string, readonly string[]>> = {
  AKSUbuntu: ['2004gen2fipscontainerd', '2004fipscontainerd', '2204gen2fipsTLcontainerd', '2004gen2CVMcontainerd', '2404gen2CVMcontainerd'],
  AKSAzureLinux: ['V2gen2fips', 'V2fips', 'V3gen2fips', 'V3fips', 'V3gen2arm64fips', 'V3gen2CVM'],
};

/** Published in this order; the second is the newest. */
const VERSIONS = [
  { version: '202610.06.0', publishedAtMs: Date.UTC(2026, 9, 8) },
  { version: '202611.03.0', publishedAtMs: Date.UTC(2026, 10, 5) },
];

const versionsIn = (galleries: Readonly<Record<string, readonly string[]>>): readonly ImageVersion[] =>
  Object.entries(galleries).flatMap(([gallery, definitions]) =>
    definitions.flatMap((definition) => VERSIONS.map((version) => ({ gallery, definition, ...version }))),
  );

/** A community gallery's name is that of the shared one and an id. */
const shared = Object.fromEntries(Object.entries(DEFINITIONS).map(([gallery, definitions]) => [gallery.split('-')[0] ?? '', definitions]));

/**
 * AKS's galleries, those of the community and the shared ones, with two versions of every definition. Source of the
 * names: the image families of Azure/karpenter-provider-azure.
 */
export const aksImages: readonly ImageVersion[] = [...versionsIn(DEFINITIONS), ...versionsIn(shared), ...versionsIn(SHARED_ONLY)];

/** Shared gallery → the resource group that it is in. */
export const SHARED_GALLERIES: Readonly<Record<string, string>> = { AKSUbuntu: 'AKS-Ubuntu', AKSAzureLinux: 'AKS-AzureLinux' };
