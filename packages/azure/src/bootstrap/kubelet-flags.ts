import type { Taint } from '@karpenter/core';
import type { KubeletConfiguration } from '../apis/index.ts';
import { EVICTION_MEMORY_MIB, type KubeReserved } from '../catalog/index.ts';
import { minorOf } from '../images/index.ts';
import { imageGcOf } from './image-gc.ts';
import { taintText } from './node-taints.ts';

const PAUSE_IMAGE = 'mcr.microsoft.com/oss/kubernetes/pause:3.6';
const CIPHERS = [
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_RSA_WITH_AES_128_GCM_SHA256',
];

/** What AKS gives to every kubelet. Source: the original's `pkg/providers/imagefamily/bootstrap/staticvalues.go`. */
const BASE: Readonly<Record<string, string>> = {
  address: '0.0.0.0',
  'anonymous-auth': 'false',
  'authentication-token-webhook': 'true',
  'authorization-mode': 'Webhook',
  'cgroups-per-qos': 'true',
  'client-ca-file': '/etc/kubernetes/certs/ca.crt',
  'cloud-provider': 'external',
  'cluster-domain': 'cluster.local',
  'enforce-node-allocatable': 'pods',
  'event-qps': '0',
  'image-gc-high-threshold': '85',
  'image-gc-low-threshold': '80',
  kubeconfig: '/var/lib/kubelet/kubeconfig',
  'node-status-update-frequency': '10s',
  'pod-manifest-path': '/etc/kubernetes/manifests',
  'pod-max-pids': '-1',
  'protect-kernel-defaults': 'true',
  'read-only-port': '0',
  'resolv-conf': '/run/systemd/resolve/resolv.conf',
  'rotate-certificates': 'true',
  'streaming-connection-idle-timeout': '4h',
  'tls-cert-file': '/etc/kubernetes/certs/kubeletserver.crt',
  'tls-cipher-suites': CIPHERS.join(','),
  'tls-private-key-file': '/etc/kubernetes/certs/kubeletserver.key',
};

const byVersion = (minor: number): Readonly<Record<string, string>> => ({
  ...(minor < 34 && { 'cloud-config': '/etc/kubernetes/azure.json' }),
  ...(minor < 35 && { 'pod-infra-container-image': PAUSE_IMAGE }),
  ...(minor < 31 && { 'keep-terminated-pod-volumes': 'false' }),
  ...(minor >= 30
    ? {
        'image-credential-provider-bin-dir': '/var/lib/kubelet/credential-provider',
        'image-credential-provider-config': '/var/lib/kubelet/credential-provider-config.yaml',
      }
    : { 'azure-container-registry-config': '/etc/kubernetes/azure.json', 'feature-gates': 'DisableKubeletCloudCredentialProviders=false' }),
});

/** Class settings by their flag; `failSwapOn` and the CFS period are in the configuration file. */
const byClass = (kubelet: KubeletConfiguration): Readonly<Record<string, string | number | boolean | undefined>> => ({
  'image-gc-high-threshold': imageGcOf(kubelet).high,
  'image-gc-low-threshold': imageGcOf(kubelet).low,
  'cpu-cfs-quota': kubelet.cpuCFSQuota,
  'cpu-manager-policy': kubelet.cpuManagerPolicy,
  'topology-manager-policy': kubelet.topologyManagerPolicy,
  'container-log-max-size': kubelet.containerLogMaxSize,
  'container-log-max-files': kubelet.containerLogMaxFiles,
  'pod-max-pids': kubelet.podPidsLimit,
  'allowed-unsafe-sysctls': kubelet.allowedUnsafeSysctls?.join(','),
});

export interface KubeletSettings {
  readonly kubernetesVersion: string;
  readonly maxPods: number;
  readonly kubeReserved: KubeReserved;
  readonly clusterDns: string;
  readonly taints: readonly Taint[];
  readonly kubelet: KubeletConfiguration;
}

/**
 * `--name=value` flags, by name. Of the eviction thresholds only memory is given, which replaces the kubelet's own for
 * disks.
 */
export const kubeletFlagsOf = (settings: KubeletSettings): readonly string[] => {
  const { cpuMillis, memoryMiB } = settings.kubeReserved;
  const wanted = Object.entries(byClass(settings.kubelet)).filter(([, value]) => value !== undefined);
  const flags: Readonly<Record<string, string | number | boolean | undefined>> = {
    ...BASE,
    ...byVersion(minorOf(settings.kubernetesVersion) ?? Infinity),
    ...Object.fromEntries(wanted),
    'cluster-dns': settings.clusterDns,
    'eviction-hard': `memory.available<${EVICTION_MEMORY_MIB}Mi`,
    'kube-reserved': `cpu=${cpuMillis}m,memory=${memoryMiB}Mi`,
    'max-pods': settings.maxPods,
    'register-with-taints': settings.taints.map(taintText).join(','),
    'system-reserved': 'cpu=0,memory=0',
  };
  return Object.keys(flags)
    .sort()
    .map((name) => `--${name}=${String(flags[name])}`);
};
