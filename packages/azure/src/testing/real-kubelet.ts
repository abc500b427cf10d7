import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KUBECONFIG = JSON.stringify({
  ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'none' },
  clusters: [{ name: 'none', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'none', user: { token: 'none' } }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
});
const CREDENTIAL_PROVIDERS = JSON.stringify({ apiVersion: 'kubelet.config.k8s.io/v1', kind: 'CredentialProviderConfig', providers: [] });
/** Kubelet 1.35 and later refuse hosts with cgroup v1, which nodes of AKS are not and the host of a test may be. */
const HOST_SETTINGS = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', failCgroupV1: false };

/** What a node image has in place before it starts its kubelet, below a folder that stands for `/`. */
const writeNodeFiles = (root: string, configFile: string): void => {
  const files: Readonly<Record<string, string>> = {
    'var/lib/kubelet/kubeconfig': KUBECONFIG,
    'var/lib/kubelet/credential-provider-config.yaml': CREDENTIAL_PROVIDERS,
    'etc/kubernetes/kubeletconfig.json': JSON.stringify({ ...(JSON.parse(configFile) as object), ...HOST_SETTINGS }),
  };
  for (const folder of ['etc/kubernetes/certs', 'etc/kubernetes/manifests', 'var/lib/kubelet/credential-provider'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  const certs = join(root, 'etc/kubernetes/certs');
  const pair = ['-keyout', join(certs, 'kubeletserver.key'), '-out', join(certs, 'kubeletserver.crt')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=node', ...pair], {
    stdio: 'ignore',
  });
  copyFileSync(join(certs, 'kubeletserver.crt'), join(certs, 'ca.crt'));
};

/** Where a kubelet has accepted its settings and asks for its container runtime, which is not there. */
const ACCEPTED = /validate CRI v1 runtime API|validate CRI v1 image API/;
const LONGEST_MS = 60_000;

/**
 * Starts a kubelet with flags, and a configuration file, that were meant for a node. Returns `accepted` when it gets as
 * far as its container runtime, else its own error. It always ends: without a runtime no kubelet goes on.
 */
export const verdictOfKubelet = async (program: string, flags: readonly string[], configFile = '{}'): Promise<string> => {
  const root = mkdtempSync(join(tmpdir(), 'kubelet-'));
  try {
    writeNodeFiles(root, configFile);
    const own = flags.map((flag) => flag.replace(/(?<==)\/(?=etc\/kubernetes|var\/lib\/kubelet)/g, `${root}/`));
    const where = [`--root-dir=${root}/var/lib/kubelet`, `--config=${root}/etc/kubernetes/kubeletconfig.json`];
    const kubelet = spawn(program, [...own, ...where], { stdio: ['ignore', 'ignore', 'pipe'], timeout: LONGEST_MS });
    let errors = '';
    kubelet.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
    await new Promise((resolve, reject) => kubelet.once('close', resolve).once('error', reject));
    if (ACCEPTED.test(errors)) return 'accepted';
    return errors.slice(Math.max(0, errors.lastIndexOf('"command failed"')));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};
