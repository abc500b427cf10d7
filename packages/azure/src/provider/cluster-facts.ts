import { type AzureOptions, isOverlay } from '../options/index.ts';
import type { AKSNodeClass } from '../apis/index.ts';
import type { ArmApi } from '../arm/arm-api.ts';
import type { AzureKube } from './azure-kube.ts';

/** Facts of the cluster that nodes join; they are read once. */
export interface ClusterFacts {
  readonly clusterDns: string;
  /** Absent where no label of a node needs it: outside the overlay, of a class without a pod subnet. */
  readonly vnetGuid: string | undefined;
}

const FALLBACK_DNS = '10.0.0.10';

interface ServiceObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly clusterIP?: string };
}

export interface ClusterFactsSource {
  readonly options: AzureOptions;
  readonly kube: Pick<AzureKube, 'get'>;
  readonly arm: Pick<ArmApi, 'vnetGuidOf'>;
}

const dnsOf = async ({ options, kube }: ClusterFactsSource, signal: AbortSignal): Promise<string> => {
  if (options.dnsServiceIp !== undefined) return options.dnsServiceIp;
  const service = await kube.get<ServiceObject>('Service', { namespace: 'kube-system', name: 'kube-dns' }, { signal });
  return service?.spec?.clusterIP ?? FALLBACK_DNS;
};

/** The facts that nodes of a class need. */
export type ReadClusterFacts = (nodeClass: Pick<AKSNodeClass, 'spec'>, signal: AbortSignal) => Promise<ClusterFacts>;

/** Reads each fact when it is first needed, and caches it. After a failure the next call reads again. */
export const clusterFacts = (source: ClusterFactsSource): ReadClusterFacts => {
  const { options, arm } = source;
  let clusterDns: string | undefined;
  let vnetGuid = options.vnetGuid;
  return async ({ spec }, signal) => {
    const needsGuid = isOverlay(options) || spec?.podSubnetID !== undefined;
    if (needsGuid) vnetGuid ??= await arm.vnetGuidOf(options.vnetSubnetId, signal);
    clusterDns ??= await dnsOf(source, signal);
    return { clusterDns, vnetGuid };
  };
};
