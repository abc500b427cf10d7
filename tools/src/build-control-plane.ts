import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Minor versions go together: `k8s.io/api` v0.35.4 belongs to Kubernetes v1.35.4. */
const KUBERNETES = '1.35.4';
const ETCD = '3.6.16';

const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

const usage = 'usage: pnpm build:control-plane <folder>   (needs Go; takes about ten minutes on two cores)';

const go = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('go', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** A Go module of its own, gone when it is disposed. */
const newModule = (text: string): Disposable & { readonly folder: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'control-plane-'));
  writeFileSync(join(folder, 'go.mod'), text);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
};

/** Kubernetes requires its own parts as v0.0.0, and takes them from its source tree; outside of it their published versions stand in. */
const replacementsOf = (requirements: string): string => {
  const names = new Set([...requirements.matchAll(/^\s*(k8s\.io\/[a-z-]+) v0\.0\.0( \/\/ indirect)?$/gm)].map(([, name = '']) => name));
  return [...names].map((name) => `replace ${name} => ${name} v${KUBERNETES.replace(/^1/, '0')}`).join('\n');
};

const buildEtcd = (target: string): void => {
  using module = newModule('module etcd\n\ngo 1.25.0\n');
  go(module.folder, 'get', `go.etcd.io/etcd/server/v3@v${ETCD}`);
  go(module.folder, 'build', '-o', join(target, 'etcd'), 'go.etcd.io/etcd/server/v3');
};

const buildKubernetes = (target: string): void => {
  using download = newModule('module requirements\n\ngo 1.25.0\n');
  const downloaded = JSON.parse(go(download.folder, 'mod', 'download', '-json', `k8s.io/kubernetes@v${KUBERNETES}`)) as {
    readonly GoMod: string;
  };
  const requirements = go(download.folder, 'mod', 'edit', '-print', downloaded.GoMod);
  using module = newModule(`module kubernetes\n\ngo 1.25.0\n\n${replacementsOf(requirements)}\n`);
  go(module.folder, 'get', `k8s.io/kubernetes@v${KUBERNETES}`);
  const [major = '', minor = ''] = KUBERNETES.split('.');
  const version = { gitVersion: `v${KUBERNETES}`, gitMajor: major, gitMinor: minor };
  const stamps = Object.entries(version).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  const packages = PROGRAMS.map((name) => `k8s.io/kubernetes/cmd/${name}`);
  go(module.folder, 'build', '-ldflags', stamps.join(' '), '-o', `${target}/`, ...packages);
};

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const target = resolve(folder);
  mkdirSync(target, { recursive: true });
  buildEtcd(target);
  buildKubernetes(target);
  console.log(`etcd v${ETCD} and the control plane of Kubernetes v${KUBERNETES} are in ${target}`);
}
