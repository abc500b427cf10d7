import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, download, go, newModule } from './go-module.ts';

/** Minor versions go together: `k8s.io/api` v0.35.4 belongs to Kubernetes v1.35.4. */
export const KUBERNETES = '1.35.4';
export const ETCD = '3.6.16';

const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

/**
 * Kubernetes requires its own parts as v0.0.0, and takes them from its source tree; outside of it their published
 * versions stand in.
 */
const replacementsOf = (requirements: string, version: string): string => {
  const names = new Set([...requirements.matchAll(/^\s*(k8s\.io\/[a-z-]+) v0\.0\.0( \/\/ indirect)?$/gm)].map(([, name = '']) => name));
  return [...names].map((name) => `replace ${name} => ${name} v${version.replace(/^1/, '0')}`).join('\n');
};

/** Programs of one version of Kubernetes. */
interface KubernetesPrograms {
  readonly version: string;
  /** Names below `cmd/`. */
  readonly names: readonly string[];
}

const buildKubernetes = (target: string, { version, names }: KubernetesPrograms): void => {
  const requirements = go('.', 'mod', 'edit', '-print', download(`k8s.io/kubernetes@v${version}`).GoMod);
  using module = newModule(`module kubernetes\n\ngo 1.25.0\n\n${replacementsOf(requirements, version)}\n`);
  go(module.folder, 'get', `k8s.io/kubernetes@v${version}`);
  const [major = '', minor = ''] = version.split('.');
  const stampOf = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const stamps = Object.entries(stampOf).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  go(module.folder, 'build', '-ldflags', stamps.join(' '), '-o', `${target}/`, ...names.map((name) => `k8s.io/kubernetes/cmd/${name}`));
};

/** Builds `etcd`, `kube-apiserver`, `kube-controller-manager` and `kube-scheduler` into a folder. */
export const buildControlPlane = (target: string): void => {
  mkdirSync(target, { recursive: true });
  const etcd = 'go.etcd.io/etcd/server/v3';
  buildProgram({ module: etcd, version: ETCD, main: etcd }, join(target, 'etcd'));
  buildKubernetes(target, { version: KUBERNETES, names: PROGRAMS });
};

/** Whether all of them are in a folder. */
export const hasControlPlane = (target: string): boolean => ['etcd', ...PROGRAMS].every((name) => existsSync(join(target, name)));

/** The oldest and the newest minor version that this project holds its kubelet flags against, and the control plane's. */
export const KUBELETS = ['1.33.13', KUBERNETES, '1.36.3'] as const;

/** Builds the kubelet of each of these versions: `<target>/1.33.13/kubelet`. */
export const buildKubelets = (target: string): void => {
  for (const version of KUBELETS) {
    mkdirSync(join(target, version), { recursive: true });
    buildKubernetes(join(target, version), { version, names: ['kubelet'] });
  }
};
