import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, download, go, type GoProgram, newModule } from './go-module.ts';

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

/** A Go module that requires Kubernetes with all its parts. */
const kubernetesModule = (version: string): ReturnType<typeof newModule> => {
  const requirements = go('.', 'mod', 'edit', '-print', download(`k8s.io/kubernetes@v${version}`).GoMod);
  const module = newModule(`module kubernetes\n\ngo 1.25.0\n\n${replacementsOf(requirements, version)}\n`);
  go(module.folder, 'get', `k8s.io/kubernetes@v${version}`);
  return module;
};

/** Flags of the linker by which a program knows its version. */
const stampsOf = (version: string): string => {
  const [major = '', minor = ''] = version.split('.');
  const stamps = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  return Object.entries(stamps)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(' ');
};

const buildKubernetes = (target: string, { version, names }: KubernetesPrograms): void => {
  using module = kubernetesModule(version);
  const packages = names.map((name) => `k8s.io/kubernetes/cmd/${name}`);
  go(module.folder, 'build', '-ldflags', stampsOf(version), '-o', `${target}/`, ...packages);
};

/** Builds `etcd`, `kube-apiserver`, `kube-controller-manager` and `kube-scheduler` into a folder. */
export const buildControlPlane = (target: string): void => {
  mkdirSync(target, { recursive: true });
  const etcd = 'go.etcd.io/etcd/server/v3';
  buildProgram({ module: etcd, version: ETCD, main: etcd }, join(target, 'etcd'));
  buildKubernetes(target, { version: KUBERNETES, names: PROGRAMS });
};

/** The kubelet of Kubernetes over a runtime that starts nothing. */
const HOLLOW_KUBELET = 'hollow-kubelet';

/** Builds `hollow-kubelet` into a folder: nodes of real-cluster tests whose machines are made up. */
export const buildHollowKubelet = (target: string): void => {
  using module = kubernetesModule(KUBERNETES);
  cpSync(join(import.meta.dirname, HOLLOW_KUBELET), join(module.folder, HOLLOW_KUBELET), { recursive: true });
  go(module.folder, 'build', '-ldflags', stampsOf(KUBERNETES), '-o', join(target, HOLLOW_KUBELET), `./${HOLLOW_KUBELET}`);
};

/** The program that keeps Node objects alive which no machine stands behind. */
export const kwok: GoProgram = { module: 'sigs.k8s.io/kwok', version: '0.7.0', main: 'sigs.k8s.io/kwok/cmd/kwok' };

/** Whether all of them are in a folder. */
export const hasControlPlane = (target: string): boolean => ['etcd', ...PROGRAMS].every((name) => existsSync(join(target, name)));

/** The oldest and the newest minor version that this project holds its kubelet flags against, and the control plane's. */
export const KUBELETS: readonly string[] = ['1.33.13', KUBERNETES, '1.36.3'];

/** Builds the kubelet of each of these versions: `<target>/1.33.13/kubelet`. */
export const buildKubelets = (target: string, versions: readonly string[] = KUBELETS): void => {
  for (const version of versions) {
    mkdirSync(join(target, version), { recursive: true });
    buildKubernetes(join(target, version), { version, names: ['kubelet'] });
  }
};
