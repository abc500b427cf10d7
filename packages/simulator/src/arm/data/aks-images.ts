import type { ImageVersion } from '../compute/image-versions.ts';

const UBUNTU = 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2';
const AZURE_LINUX = 'AKSAzureLinux-f7c7cda5-1c9a-4bdc-a222-9614c968580b';

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

/** Published in this order; the second is the newest. */
const VERSIONS = [
  { version: '202610.06.0', publishedAtMs: Date.UTC(2026, 9, 8) },
  { version: '202611.03.0', publishedAtMs: Date.UTC(2026, 10, 5) },
];

/** AKS's community galleries with two versions of every definition. Source of the names: the image families of Azure/karpenter-provider-azure. */
export const aksImages: readonly ImageVersion[] = Object.entries(DEFINITIONS).flatMap(([gallery, definitions]) =>
  definitions.flatMap((definition) => VERSIONS.map((version) => ({ gallery, definition, ...version }))),
);
