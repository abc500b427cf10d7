import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '@karpenter/runtime';
import { type RealCluster, startRealCluster } from '@karpenter/simulator/real-cluster';
import { namespaceOf } from '@karpenter/core/internal';
import { crdFiles, roleText } from './live-cluster.ts';
import { sampleCluster } from './sample-cluster.ts';

/**
 * The sample cluster on Kubernetes' own API server and controllers, and a kubeconfig of a user who has only the role of
 * the page.
 */
export interface RealSample extends AsyncDisposable {
  /** Of the reader. */
  readonly kubeconfig: string;
  /** Runs kubectl as the administrator. */
  readonly kubectl: (args: readonly string[], input?: string) => string;
}

/** What the API server itself sets, and an owner that the garbage collector would search for. */
const asWritten = ({ metadata, ...rest }: KubeObject): object => {
  const { uid: _uid, creationTimestamp: _created, ownerReferences: _owners, ...written } = metadata;
  return { ...rest, metadata: written };
};

const kubectlFor =
  ({ kubeconfigPath }: RealCluster): RealSample['kubectl'] =>
  (args, input = '') =>
    execFileSync(process.env['KUBECTL'] ?? 'kubectl', ['--kubeconfig', kubeconfigPath, ...args], { encoding: 'utf8', input });

/** Creates the objects and their statuses. Pods that have no node fit on none, so that kube-scheduler leaves them pending. */
const createSample = (kubectl: RealSample['kubectl']): void => {
  kubectl(['wait', '--for', 'create', 'serviceaccount/default', '--timeout', '60s']);
  for (const object of sampleCluster()) {
    kubectl(['create', '-f', '-'], JSON.stringify(asWritten(object)));
    // Kubernetes' own controllers count budgets.
    if (!('status' in object) || object.kind === 'PodDisruptionBudget') continue;
    const where = ['--namespace', namespaceOf(object), object.kind, object.metadata.name];
    kubectl(['patch', ...where, '--subresource', 'status', '--type', 'merge', '--patch', JSON.stringify({ status: object.status })]);
  }
};

/** The kubeconfig of the administrator, with the token of the reader. */
const readerKubeconfig = ({ kubeconfigPath, programs }: RealCluster, kubectl: RealSample['kubectl']): string => {
  kubectl(['create', 'serviceaccount', 'karpenter-reader']);
  kubectl(['apply', '-f', '-'], roleText());
  const token = kubectl(['create', 'token', 'karpenter-reader']).trim();
  return readFileSync(kubeconfigPath, 'utf8').replace(programs.token, token);
};

/** Starts the programs in a folder that has been built (CONTRIBUTING.md says how). */
export const startRealSample = async (assets: string): Promise<RealSample> => {
  await using started = new AsyncDisposableStack();
  const cluster = started.use(await startRealCluster({ assets, crds: crdFiles.map((file) => readFileSync(file, 'utf8')) }));
  const kubectl = kubectlFor(cluster);
  createSample(kubectl);
  const folder = await mkdtemp(join(tmpdir(), 'karpenter-cli-'));
  started.defer(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, readerKubeconfig(cluster, kubectl));
  const resources = started.move();
  return { kubeconfig, kubectl, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};
