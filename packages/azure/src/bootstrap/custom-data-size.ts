import type { AKSNodeClass } from '../apis/index.ts';
import { apiServerNameOf, type AzureOptions } from '../options/index.ts';
import { customDataOf } from './custom-data.ts';
import { kubeletFlagsOf } from './kubelet-flags.ts';
import { nodeLabelsOf } from './node-labels.ts';
import { nodeSettingVariables, podDnsOf } from './node-settings.ts';
import { nodeTaintsOf } from './node-taints.ts';

/** Characters of base64 that Azure takes. Source: Azure, `OSProfile.customData`. */
const MOST = 87_380;

/** Why Azure refuses custom data of so many characters; undefined: it takes it. */
export const customDataProblem = (length: number): string | undefined =>
  length <= MOST
    ? undefined
    : `custom data would have ${length.toLocaleString('en-US')} characters of base64, Azure takes ${MOST.toLocaleString('en-US')}: shorten httpProxyConfig.noProxy, httpProxyConfig.trustedCa or security.customCATrustCertificates of the class, or labels and taints of the pool`;

/** What the custom data of each machine of a class depends on. */
export interface ClassBootstrap {
  readonly nodeClass: AKSNodeClass;
  readonly options: AzureOptions;
  readonly caBundle: string;
  readonly kubernetesVersion: string;
}

/** The least characters of custom data that a machine of the class has: labels and taints of its claim come on top. */
export const leastCustomDataLength = ({ nodeClass, options, caBundle, kubernetesVersion }: ClassBootstrap): number => {
  const apiServerName = apiServerNameOf(options);
  const place = { kubernetesVersion, architecture: 'amd64', apiServerName, clusterDns: options.dnsServiceIp ?? '' } as const;
  const settings = { ...place, nodeClass };
  return customDataOf({
    ...{ options, caBundle, ...place, networkSecurityGroup: '', routeTable: '', gpuDriver: undefined },
    subnet: { resourceGroup: '', vnet: '', name: '' },
    kubeletFlags: kubeletFlagsOf({
      ...{ kubernetesVersion, maxPods: 0, kubeReserved: { cpuMillis: 0, memoryMiB: 0 } },
      ...{ clusterDns: podDnsOf(settings), taints: nodeTaintsOf({}), kubelet: nodeClass.spec?.kubelet ?? {} },
    }),
    labels: nodeLabelsOf({ options, nodeClass, kubernetesVersion, subnetName: '', vnetGuid: undefined }, {}),
    settings: nodeSettingVariables(settings),
  }).length;
};
