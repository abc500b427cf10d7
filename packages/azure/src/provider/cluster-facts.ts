import { type AzureOptions, isOverlay } from '../options/index.ts';
import type { ArmApi } from '../arm/arm-api.ts';
import type { AzureKube } from './azure-kube.ts';

/** Facts of the cluster that nodes join; they are read once. */
export interface ClusterFacts {
  readonly clusterDns: string;
  /** Absent outside the overlay. */
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

/** Reads the facts when they are first needed, and caches them. After a failure the next call reads again. */
export const clusterFacts = (source: ClusterFactsSource): ((signal: AbortSignal) => Promise<ClusterFacts>) => {
  let known: ClusterFacts | undefined;
  return async (signal) => {
    if (known !== undefined) return known;
    const { options, arm } = source;
    const needsGuid = isOverlay(options) && options.vnetGuid === undefined;
    const vnetGuid = needsGuid ? await arm.vnetGuidOf(options.vnetSubnetId, signal) : options.vnetGuid;
    known = { clusterDns: await dnsOf(source, signal), vnetGuid };
    return known;
  };
};
