import type { AKSNodeClass } from '../apis/index.ts';
import type { LocalDNSZone } from '../apis/aks-node-class.ts';
import { secondsOf } from './local-dns-corefile.ts';

/** How a node resolves the names of one zone, as the services of AKS take it. */
interface AksLocalDnsZone extends Omit<LocalDNSZone, 'zone' | 'cacheDuration' | 'serveStaleDuration'> {
  readonly cacheDurationInSeconds: number;
  readonly serveStaleDurationInSeconds: number;
}

export interface AksLocalDns {
  /** The class's `Preferred` is resolved before: the services do not decide again for each node. */
  readonly mode: 'Required' | 'Disabled';
  /** By zone. */
  readonly vnetDNSOverrides?: Readonly<Record<string, AksLocalDnsZone>>;
  readonly kubeDNSOverrides?: Readonly<Record<string, AksLocalDnsZone>>;
}

const byZone = (zones: readonly LocalDNSZone[]): Readonly<Record<string, AksLocalDnsZone>> =>
  Object.fromEntries(
    zones.map(({ zone, cacheDuration, serveStaleDuration, ...rest }) => [
      zone,
      { ...rest, cacheDurationInSeconds: secondsOf(cacheDuration), serveStaleDurationInSeconds: secondsOf(serveStaleDuration) },
    ]),
  );

/** `spec.localDNS` as the services of AKS take it; undefined for a class that says nothing. */
export const aksLocalDnsOf = ({ spec, status }: Pick<AKSNodeClass, 'spec' | 'status'>): AksLocalDns | undefined => {
  const { localDNS } = spec ?? {};
  if (localDNS === undefined) return undefined;
  const { vnetDNSOverrides = [], kubeDNSOverrides = [] } = localDNS;
  return {
    mode: status?.localDNSState === 'Enabled' ? 'Required' : 'Disabled',
    ...(vnetDNSOverrides.length > 0 && { vnetDNSOverrides: byZone(vnetDNSOverrides) }),
    ...(kubeDNSOverrides.length > 0 && { kubeDNSOverrides: byZone(kubeDNSOverrides) }),
  };
};
