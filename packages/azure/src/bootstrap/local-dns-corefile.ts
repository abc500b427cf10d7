import { durationMs } from '@karpenter/core';
import type { LocalDNS, LocalDNSZone } from '../apis/aks-node-class.ts';

/** Addresses that the DNS cache of a node has on every node of AKS. Source: AgentBaker, `parser/consts.go`. */
const NODE_LISTENER = '169.254.10.10';
/** Pods with `dnsPolicy: ClusterFirst` ask here, so that it is the cluster DNS of the kubelet. */
export const LOCAL_DNS_FOR_PODS = '169.254.10.11';
const AZURE_DNS = '168.63.129.16';
const PORT = 53;

/** Where an override listens, and how the cache names itself there. */
interface Listener {
  readonly address: string;
  readonly nsid: string;
  /** Queries of the root zone leave the cluster, whatever the override says. */
  readonly isRootOutside: boolean;
}

const FOR_NODE: Listener = { address: NODE_LISTENER, nsid: 'localdns', isRootOutside: true };
const FOR_PODS: Listener = { address: LOCAL_DNS_FOR_PODS, nsid: 'localdns-pod', isRootOutside: false };

const POLICIES: Readonly<Record<LocalDNSZone['forwardPolicy'], string>> = {
  Sequential: 'sequential',
  RoundRobin: 'round_robin',
  Random: 'random',
};
const PROTOCOLS: Readonly<Record<LocalDNSZone['protocol'], string>> = { PreferUDP: 'prefer_udp', ForceTCP: 'force_tcp' };
const LOGGING: Readonly<Record<LocalDNSZone['queryLogging'], string>> = { Error: 'errors', Log: 'log' };

/** Names of Azure's own that are not found in the cluster network are answered here. */
const NOT_FOUND_HERE = [
  'template ANY ANY internal.cloudapp.net {',
  '    match "^(?:[^.]+\\.){4,}internal\\.cloudapp\\.net\\.$"',
  '    rcode NXDOMAIN',
  '    fallthrough',
  '}',
  'template ANY ANY reddog.microsoft.com {',
  '    rcode NXDOMAIN',
  '}',
];

/** A duration in whole seconds; 0 for none. */
export const secondsOf = (duration: string): number => Math.trunc((durationMs(duration) ?? 0) / 1000);

const isRoot = ({ zone }: LocalDNSZone): boolean => zone === '.';

const upstreamOf = (zone: LocalDNSZone, clusterDns: string, { isRootOutside }: Listener): string => {
  if (isRoot(zone) && isRootOutside) return AZURE_DNS;
  return zone.zone.endsWith('cluster.local') || zone.forwardDestination === 'ClusterCoreDNS' ? clusterDns : AZURE_DNS;
};

const staleOf = ({ serveStale, serveStaleDuration }: LocalDNSZone): readonly string[] =>
  serveStale === 'Disable' ? [] : [`    serve_stale ${secondsOf(serveStaleDuration)}s ${serveStale.toLowerCase()}`];

const block = (name: string, lines: readonly string[]): string => `${name}:${PORT} {\n${lines.map((line) => `    ${line}\n`).join('')}}\n`;

const zoneBlock = (zone: LocalDNSZone, clusterDns: string, listener: Listener): string =>
  block(zone.zone, [
    LOGGING[zone.queryLogging],
    `bind ${listener.address}`,
    `forward . ${upstreamOf(zone, clusterDns, listener)} {`,
    `    ${PROTOCOLS[zone.protocol]}`,
    `    policy ${POLICIES[zone.forwardPolicy]}`,
    `    max_concurrent ${zone.maxConcurrent}`,
    '}',
    `ready ${listener.address}:8181`,
    `cache ${secondsOf(zone.cacheDuration)} {`,
    '    success 9984',
    '    denial 9984',
    ...staleOf(zone),
    '    servfail 0',
    '}',
    'loop',
    `nsid ${listener.nsid}`,
    'prometheus :9253',
    ...(isRoot(zone) ? NOT_FOUND_HERE : []),
  ]);

const byZone = (a: LocalDNSZone, b: LocalDNSZone): number => (a.zone < b.zone ? -1 : a.zone > b.zone ? 1 : 0);

/**
 * The configuration of the CoreDNS that an AKS node image has for `localDNS`. Source: AgentBaker,
 * `parser/templates/localdns.toml.gtpl`.
 */
export const localDnsCorefileOf = ({ vnetDNSOverrides = [], kubeDNSOverrides = [] }: LocalDNS, clusterDns: string): string =>
  [
    block('health-check.localdns.local', [`bind ${NODE_LISTENER} ${LOCAL_DNS_FOR_PODS}`, 'whoami']),
    ...[...vnetDNSOverrides].sort(byZone).map((zone) => zoneBlock(zone, clusterDns, FOR_NODE)),
    ...[...kubeDNSOverrides].sort(byZone).map((zone) => zoneBlock(zone, clusterDns, FOR_PODS)),
  ].join('');
