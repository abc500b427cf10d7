import type { LinuxOSConfig } from '../apis/aks-node-class.ts';

type Sysctls = NonNullable<LinuxOSConfig['sysctls']>;
type Value = number | boolean | string;

/** What AKS sets on every node. Source: AgentBaker, `getSysctlContent`; the first three cannot be changed by a class. */
const BASE: Readonly<Record<string, number>> = {
  'net.ipv4.tcp_retries2': 8,
  'net.core.message_burst': 80,
  'net.core.message_cost': 40,
  'net.core.somaxconn': 16384,
  'net.ipv4.tcp_max_syn_backlog': 16384,
  'net.ipv4.neigh.default.gc_thresh1': 4096,
  'net.ipv4.neigh.default.gc_thresh2': 8192,
  'net.ipv4.neigh.default.gc_thresh3': 16384,
};

/** Name in the class → name of the kernel. Source: the same. */
const KERNEL_NAMES: Readonly<Record<string, string>> = {
  fsAioMaxNr: 'fs.aio-max-nr',
  fsFileMax: 'fs.file-max',
  fsInotifyMaxUserWatches: 'fs.inotify.max_user_watches',
  fsNrOpen: 'fs.nr_open',
  kernelThreadsMax: 'kernel.threads-max',
  netCoreNetdevMaxBacklog: 'net.core.netdev_max_backlog',
  netCoreOptmemMax: 'net.core.optmem_max',
  netCoreRmemDefault: 'net.core.rmem_default',
  netCoreRmemMax: 'net.core.rmem_max',
  netCoreSomaxconn: 'net.core.somaxconn',
  netCoreWmemDefault: 'net.core.wmem_default',
  netCoreWmemMax: 'net.core.wmem_max',
  netIPv4IPLocalPortRange: 'net.ipv4.ip_local_port_range',
  netIPv4NeighDefaultGcThresh1: 'net.ipv4.neigh.default.gc_thresh1',
  netIPv4NeighDefaultGcThresh2: 'net.ipv4.neigh.default.gc_thresh2',
  netIPv4NeighDefaultGcThresh3: 'net.ipv4.neigh.default.gc_thresh3',
  netIPv4TCPFinTimeout: 'net.ipv4.tcp_fin_timeout',
  netIPv4TCPKeepaliveIntvl: 'net.ipv4.tcp_keepalive_intvl',
  netIPv4TCPKeepaliveProbes: 'net.ipv4.tcp_keepalive_probes',
  netIPv4TCPKeepaliveTime: 'net.ipv4.tcp_keepalive_time',
  netIPv4TCPMaxSynBacklog: 'net.ipv4.tcp_max_syn_backlog',
  netIPv4TCPMaxTwBuckets: 'net.ipv4.tcp_max_tw_buckets',
  netIPv4TCPTwReuse: 'net.ipv4.tcp_tw_reuse',
  netNetfilterNfConntrackBuckets: 'net.netfilter.nf_conntrack_buckets',
  netNetfilterNfConntrackMax: 'net.netfilter.nf_conntrack_max',
  vmMaxMapCount: 'vm.max_map_count',
  vmSwappiness: 'vm.swappiness',
  vmVfsCachePressure: 'vm.vfs_cache_pressure',
};

/** AKS keeps this port out of a range of local ports that reaches beyond it. */
const RESERVED_PORT = 65330;

const reservedPort = (range: Value | undefined): Readonly<Record<string, number>> => {
  const last = Number(String(range ?? '').split(' ')[1]);
  return last > RESERVED_PORT ? { 'net.ipv4.ip_local_reserved_ports': RESERVED_PORT } : {};
};

const textOf = (value: Value): string => String(typeof value === 'boolean' ? Number(value) : value);

/** `/etc/sysctl.d/999-sysctl-aks.conf` of an AKS node: what AKS sets, with the sysctls of a class over it. */
export const sysctlConfigOf = (sysctls: Sysctls = {}): string => {
  const wanted = Object.keys(KERNEL_NAMES).flatMap((name) => {
    const value = sysctls[name];
    return value === undefined ? [] : [[KERNEL_NAMES[name] ?? name, value] as const];
  });
  const all: Readonly<Record<string, Value>> = {
    ...BASE,
    ...Object.fromEntries(wanted),
    ...reservedPort(sysctls['netIPv4IPLocalPortRange']),
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${textOf(value)}\n`)
    .join('');
};
