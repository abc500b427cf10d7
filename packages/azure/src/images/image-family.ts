import { type AKSNodeClassSpec, isConfidential, isFips, isTrustedLaunch } from '../apis/index.ts';

/** An image family after `Ubuntu` and `AzureLinux` were resolved to a release. */
export type ResolvedFamily = 'Ubuntu2004' | 'Ubuntu2204' | 'Ubuntu2404' | 'AzureLinux2' | 'AzureLinux3';

/** The minor of `1.34.2`; undefined when it is no version. */
export const minorOf = (kubernetesVersion: string): number | undefined => {
  const minor = /^v?1\.(\d+)/.exec(kubernetesVersion)?.[1];
  return minor === undefined ? undefined : Number(minor);
};

/** Source of those for confidential VMs: AKS, "Use Confidential Virtual Machines". */
const ubuntuFor = (spec: AKSNodeClassSpec, minor: number | undefined): ResolvedFamily => {
  if (isConfidential({ spec })) return minor !== undefined && minor >= 35 ? 'Ubuntu2404' : 'Ubuntu2004';
  if (isTrustedLaunch({ spec })) return 'Ubuntu2204';
  if (isFips({ spec })) return 'Ubuntu2004';
  return minor !== undefined && minor >= 34 ? 'Ubuntu2404' : 'Ubuntu2204';
};

/** What `spec.imageFamily` means for a Kubernetes version. */
export const resolveFamily = (spec: AKSNodeClassSpec, kubernetesVersion: string): ResolvedFamily => {
  const minor = minorOf(kubernetesVersion);
  const wanted = spec.imageFamily ?? 'Ubuntu';
  switch (wanted) {
    case 'Ubuntu2204':
    case 'Ubuntu2404':
      return wanted;
    case 'AzureLinux':
      return isConfidential({ spec }) || (minor !== undefined && minor >= 32) ? 'AzureLinux3' : 'AzureLinux2';
    case 'Ubuntu':
      return ubuntuFor(spec, minor);
  }
};

/** The value of the label `kubernetes.azure.com/os-sku`. */
export const osSkuOf = (spec: AKSNodeClassSpec): 'Ubuntu' | 'AzureLinux' => (spec.imageFamily === 'AzureLinux' ? 'AzureLinux' : 'Ubuntu');
