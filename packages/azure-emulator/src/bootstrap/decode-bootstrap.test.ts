import { describe, expect, test } from '@jest/globals';
import { BootstrapError } from './bootstrap-error.ts';
import { decodeBootstrap } from './decode-bootstrap.ts';

const encoded = (script: string): string => Buffer.from(script).toString('base64');

const FILES = `CSE_HELPERS_FILEPATH="/opt/azure/containers/provision_source.sh"
CSE_DISTRO_HELPERS_FILEPATH="/opt/azure/containers/provision_source_distro.sh"
CSE_INSTALL_FILEPATH="/opt/azure/containers/provision_installs.sh"
CSE_DISTRO_INSTALL_FILEPATH="/opt/azure/containers/provision_installs_distro.sh"
CSE_CONFIG_FILEPATH="/opt/azure/containers/provision_configs.sh"`;
const START = '/usr/bin/nohup /bin/bash -c "/bin/bash /opt/azure/containers/provision_start.sh"';
const KIND = '"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration"';
const PEM = '-----BEGIN CERTIFICATE-----';
const MARK = "echo '#EOF' >> /opt/azure/manifest.json";

interface Changes {
  readonly flags?: string;
  readonly labels?: string;
  /** Further assignments. */
  readonly more?: string;
  /** Left out. */
  readonly without?: string;
}

const script = (changes: Changes = {}): string =>
  encoded(
    `#!/bin/bash
set -x
${MARK}
${FILES}
# KUBELET_FLAGS="--max-pods=1" is not set by a comment
ADMINUSER=azureuser TENANTID='00000000' \\
API_SERVER_NAME=demo.hcp.eastus.azmk8s.io
export KUBERNETES_VERSION=1.34.1
TLS_BOOTSTRAP_TOKEN="abcdef.0123456789abcdef" KUBE_CA_CRT="TFMwdA=="
KUBELET_FLAGS="${changes.flags ?? '--max-pods=250 --kube-reserved=cpu=100m,memory=1843Mi --eviction-hard=memory.available<750Mi --cluster-dns=10.0.0.10 --register-with-taints=karpenter.sh/unregistered:NoExecute,team=a:NoSchedule'}"
KUBELET_NODE_LABELS="${changes.labels ?? 'karpenter.sh/nodepool=general,kubernetes.azure.com/mode=user,empty='}"
${changes.more ?? ''}
${START}
`.replace(changes.without ?? '', ''),
  );

describe('what a node learns from its custom data', () => {
  test('labels, taints, and what its kubelet keeps back', () => {
    expect(decodeBootstrap(script())).toMatchObject({
      nodeName: undefined,
      labels: { 'karpenter.sh/nodepool': 'general', 'kubernetes.azure.com/mode': 'user', empty: '' },
      taints: [
        { key: 'karpenter.sh/unregistered', value: undefined, effect: 'NoExecute' },
        { key: 'team', value: 'a', effect: 'NoSchedule' },
      ],
      maxPods: 250,
      kubeReserved: { cpu: '100m', memory: '1843Mi' },
      systemReserved: {},
      evictionHard: { 'memory.available': '750Mi' },
      clusterDns: '10.0.0.10',
      apiServerName: 'demo.hcp.eastus.azmk8s.io',
      bootstrapToken: 'abcdef.0123456789abcdef',
      caCertificate: 'TFMwdA==',
      kubernetesVersion: '1.34.1',
    });
  });

  test('without flags of its own it has 110 pods and no taints', () => {
    expect(decodeBootstrap(script({ flags: '--cloud-provider=external' }))).toMatchObject({ maxPods: 110, taints: [], kubeReserved: {} });
  });

  test('what its kernel, its swap, its kubelet and its DNS cache are set to', () => {
    const more = [
      `SYSCTL_CONTENT=${encoded('# why\n  ; why not\nvm.swappiness=10\n\nnet.ipv4.ip_local_port_range=1024 65535\n')}`,
      'SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE=true THP_ENABLED=never THP_DEFRAG=',
      'SHOULD_CONFIG_SWAP_FILE=true SWAP_FILE_SIZE_MB=2048 KUBELET_CONFIG_FILE_ENABLED=true',
      `KUBELET_CONFIG_FILE_CONTENT=${encoded(`{${KIND},"failSwapOn":false}`)}`,
      `SHOULD_ENABLE_LOCALDNS=true LOCALDNS_GENERATED_COREFILE=${encoded('.:53 {}')}`,
    ].join('\n');
    expect(decodeBootstrap(script({ more })).settings).toEqual({
      sysctls: { 'vm.swappiness': '10', 'net.ipv4.ip_local_port_range': '1024 65535' },
      transparentHugePages: { enabled: 'never' },
      swapFileSizeMB: 2048,
      kubeletConfig: expect.objectContaining({ failSwapOn: false }),
      corefile: '.:53 {}',
      trusted: [],
    });
  });

  test('the proxy that it goes through, and whom it trusts', () => {
    const more = [
      'SHOULD_CONFIGURE_HTTP_PROXY=true HTTP_PROXY_URLS=http://proxy:3128 HTTPS_PROXY_URLS=https://proxy NO_PROXY_URLS=localhost,.example',
      `SHOULD_CONFIGURE_HTTP_PROXY_CA=true HTTP_PROXY_TRUSTED_CA=${encoded(`${PEM} proxy`)}`,
      `SHOULD_CONFIGURE_CUSTOM_CA_TRUST=true CUSTOM_CA_TRUST_COUNT=1 CUSTOM_CA_CERT_0=${encoded(`${PEM} own`)}`,
    ].join('\n');
    expect(decodeBootstrap(script({ more })).settings).toMatchObject({
      proxy: { http: 'http://proxy:3128', https: 'https://proxy', direct: ['localhost', '.example'] },
      trusted: [`${PEM} proxy`, `${PEM} own`],
    });
  });

  test.each([
    ['no base64', '#!/bin/bash', 'NotBase64'],
    ['empty', '', 'NotBase64'],
    ['no script', encoded('hello'), 'NotAScript'],
    ['no kubelet flags', encoded('#!/bin/bash\nKUBELET_NODE_LABELS=a=b\n'), 'MissingVariable'],
    ...FILES.split('\n').map((line) => [`no ${line}`, script({ without: line }), 'MissingScript'] as const),
    ['no mark in the manifest', script({ without: MARK }), 'MissingScript'],
    ['no start of the scripts of the image', script({ without: START }), 'MissingScript'],
    ['a label without a value', script({ labels: 'a=b,c' }), 'MalformedLabel'],
    ['a label value that Kubernetes does not allow', script({ labels: 'a=b c' }), 'MalformedLabel'],
    ['a taint without an effect', script({ flags: '--register-with-taints=a=b' }), 'MalformedTaint'],
    ['a taint with an unknown effect', script({ flags: '--register-with-taints=a=b:Never' }), 'MalformedTaint'],
    ['a flag without dashes', script({ flags: 'max-pods=3' }), 'MalformedFlag'],
    ...(
      [
        ['swap that the kubelet refuses', 'SHOULD_CONFIG_SWAP_FILE=true SWAP_FILE_SIZE_MB=1024', 'SwapRefused'],
        ['swap of no size', 'SHOULD_CONFIG_SWAP_FILE=true SWAP_FILE_SIZE_MB=0', 'MalformedSetting'],
        ['huge pages that the kernel does not know', 'SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE=true THP_ENABLED=often', 'MalformedSetting'],
        ['a sysctl that is no number', `SYSCTL_CONTENT=${encoded('vm.swappiness=high')}`, 'MalformedSetting'],
        ['a kubelet file of no kind', `KUBELET_CONFIG_FILE_ENABLED=true KUBELET_CONFIG_FILE_CONTENT=${encoded('{}')}`, 'MalformedSetting'],
        ['an empty kubelet file', 'KUBELET_CONFIG_FILE_ENABLED=true KUBELET_CONFIG_FILE_CONTENT=""', 'MalformedSetting'],
        ['an authority that is none', `SHOULD_CONFIGURE_CUSTOM_CA_TRUST=true CUSTOM_CA_TRUST_COUNT=1`, 'MalformedSetting'],
        ['a DNS cache without its configuration', 'SHOULD_ENABLE_LOCALDNS=true', 'MalformedSetting'],
      ] as const
    ).map(([what, more, code]) => [what, script({ more }), code] as const),
    ['a pod limit that is no number', script({ flags: '--max-pods=many' }), 'MalformedFlag'],
  ])('%s is an error', (_case, customData, code) => {
    expect(() => decodeBootstrap(customData)).toThrow(expect.objectContaining({ name: BootstrapError.name, code }));
  });
});
