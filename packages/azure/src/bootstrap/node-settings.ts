import { type AKSNodeClass, isDualStack, isFips, type KubeletConfiguration } from '../apis/index.ts';
import type { LinuxOSConfig } from '../apis/aks-node-class.ts';
import { resolveFamily } from '../images/index.ts';
import { wholeMiB } from './aks-kubelet-config.ts';
import { customCaVariables, httpProxyVariables } from './http-proxy.ts';
import { kubeletConfigFileOf } from './kubelet-config-file.ts';
import { LOCAL_DNS_FOR_PODS, localDnsCorefileOf } from './local-dns-corefile.ts';
import { sysctlConfigOf } from './sysctl-config.ts';
import { base64 } from './bootstrap-variables.ts';

/** What the settings of a node depend on beside its class. */
export interface NodeSettingsSource {
  readonly nodeClass: Pick<AKSNodeClass, 'spec' | 'status'>;
  readonly kubernetesVersion: string;
  readonly architecture: 'amd64' | 'arm64';
  readonly apiServerName: string;
  /** Address of the cluster's DNS service. */
  readonly clusterDns: string;
}

type Variables = Readonly<Record<string, string>>;

const kubeletVariables = (kubelet: KubeletConfiguration, kubernetesVersion: string): Variables => {
  const file = kubeletConfigFileOf(kubelet, kubernetesVersion);
  return file === undefined ? {} : { KUBELET_CONFIG_FILE_ENABLED: 'true', KUBELET_CONFIG_FILE_CONTENT: base64(file) };
};

const hugePageVariables = ({ transparentHugePageEnabled: enabled, transparentHugePageDefrag: defrag }: LinuxOSConfig): Variables =>
  enabled === undefined && defrag === undefined
    ? {}
    : { SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE: 'true', THP_ENABLED: enabled ?? '', THP_DEFRAG: defrag ?? '' };

const swapVariables = ({ swapFileSize }: LinuxOSConfig): Variables => {
  const sizeMB = wholeMiB(swapFileSize) ?? 0;
  return sizeMB === 0 ? {} : { SHOULD_CONFIG_SWAP_FILE: 'true', SWAP_FILE_SIZE_MB: String(sizeMB) };
};

/**
 * Whether a node runs a DNS cache. Images with FIPS and those of Azure Linux 2 have none: a node that named it to its
 * pods would leave them without DNS. Source: AgentBaker, `e2e/scenario_test.go`.
 */
const hasLocalDns = ({ nodeClass: { spec = {}, status }, kubernetesVersion }: NodeSettingsSource): boolean =>
  spec.localDNS !== undefined &&
  status?.localDNSState === 'Enabled' &&
  !isFips({ spec }) &&
  resolveFamily(spec, kubernetesVersion) !== 'AzureLinux2';

/** Limits are AKS's own. Source: AgentBaker, `parser/consts.go`. */
const localDnsVariables = (source: NodeSettingsSource): Variables => {
  const { localDNS } = source.nodeClass.spec ?? {};
  if (localDNS === undefined || !hasLocalDns(source)) return {};
  const corefile = base64(localDnsCorefileOf(localDNS, source.clusterDns));
  return {
    SHOULD_ENABLE_LOCALDNS: 'true',
    LOCALDNS_GENERATED_COREFILE: corefile,
    LOCALDNS_CPU_LIMIT: '200.0%',
    LOCALDNS_MEMORY_LIMIT: '128M',
  };
};

const streamingVariables = ({ nodeClass: { spec }, architecture }: NodeSettingsSource): Variables =>
  spec?.artifactStreaming?.enabled === true && architecture !== 'arm64' ? { ARTIFACT_STREAMING_ENABLED: 'true' } : {};

/** Address of the DNS server that the kubelet names to pods. */
export const podDnsOf = (source: NodeSettingsSource): string => (hasLocalDns(source) ? LOCAL_DNS_FOR_PODS : source.clusterDns);

/**
 * Name → value of the variables by which the scripts of an AKS node image apply the settings of a class; empty for a
 * class without any. Source: AgentBaker, `cse_cmd.sh` and `cse_config.sh`.
 */
export const nodeSettingVariables = (source: NodeSettingsSource): Variables => {
  const { kubelet = {}, linuxOSConfig = {}, httpProxyConfig, security = {} } = source.nodeClass.spec ?? {};
  return {
    ...kubeletVariables(kubelet, source.kubernetesVersion),
    ...(linuxOSConfig.sysctls && { SYSCTL_CONTENT: base64(sysctlConfigOf(linuxOSConfig.sysctls)) }),
    ...hugePageVariables(linuxOSConfig),
    ...swapVariables(linuxOSConfig),
    ...localDnsVariables(source),
    ...streamingVariables(source),
    ...(isDualStack(source.nodeClass) && { IPV6_DUAL_STACK_ENABLED: 'true' }),
    ...(httpProxyConfig && httpProxyVariables(httpProxyConfig, source.apiServerName)),
    ...customCaVariables(security.customCATrustCertificates ?? []),
  };
};
