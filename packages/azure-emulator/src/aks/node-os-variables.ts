/** Settings of the operating system of a node, as both services of AKS take them. */
export interface NodeOsSettings {
  readonly sysctls?: Readonly<Record<string, number | boolean | string>>;
  readonly transparentHugePageEnabled?: string;
  readonly transparentHugePageDefrag?: string;
  readonly swapFileSizeMB?: number;
}

/** What a user may set. Source: learn.microsoft.com, "Customize node configuration for AKS node pools". */
const KERNEL_NAMES = [
  ...['fs.aio-max-nr', 'fs.file-max', 'fs.inotify.max_user_watches', 'fs.nr_open', 'kernel.threads-max'],
  ...['net.core.netdev_max_backlog', 'net.core.optmem_max', 'net.core.rmem_default', 'net.core.rmem_max', 'net.core.somaxconn'],
  ...['net.core.wmem_default', 'net.core.wmem_max', 'net.ipv4.ip_local_port_range'],
  ...['net.ipv4.neigh.default.gc_thresh1', 'net.ipv4.neigh.default.gc_thresh2', 'net.ipv4.neigh.default.gc_thresh3'],
  ...['net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_keepalive_intvl', 'net.ipv4.tcp_keepalive_probes', 'net.ipv4.tcp_keepalive_time'],
  ...['net.ipv4.tcp_max_syn_backlog', 'net.ipv4.tcp_max_tw_buckets', 'net.ipv4.tcp_tw_reuse'],
  ...['net.netfilter.nf_conntrack_buckets', 'net.netfilter.nf_conntrack_max'],
  ...['vm.max_map_count', 'vm.swappiness', 'vm.vfs_cache_pressure'],
];

/** AKS writes the names of the kernel without what separates their words, in a case of its own: `netIpv4TcpFinTimeout`. */
const byAksName = new Map(KERNEL_NAMES.map((name) => [name.replace(/[._-]/g, ''), name]));

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const sysctlContent = (sysctls: NonNullable<NodeOsSettings['sysctls']>): string =>
  Object.entries(sysctls)
    .map(([name, value]) => `${byAksName.get(name.toLowerCase()) ?? name}=${String(typeof value === 'boolean' ? Number(value) : value)}\n`)
    .join('');

/** The variables by which the scripts of an image apply them. */
export const nodeOsVariables = (settings: NodeOsSettings): Readonly<Record<string, string>> => {
  const { sysctls, transparentHugePageEnabled: enabled, transparentHugePageDefrag: defrag, swapFileSizeMB = 0 } = settings;
  return {
    ...(sysctls && { SYSCTL_CONTENT: base64(sysctlContent(sysctls)) }),
    ...((enabled !== undefined || defrag !== undefined) && {
      ...{ SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE: 'true', THP_ENABLED: enabled ?? '', THP_DEFRAG: defrag ?? '' },
    }),
    ...(swapFileSizeMB > 0 && { SHOULD_CONFIG_SWAP_FILE: 'true', SWAP_FILE_SIZE_MB: String(swapFileSizeMB) }),
  };
};
