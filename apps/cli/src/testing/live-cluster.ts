import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KubeObject, systemClock } from '@karpenter/runtime';
import { type ApiServer, serviceAccountUser, startApiServer } from '@karpenter/api-server';
import { parseAllDocuments } from 'yaml';
import { sampleCluster } from './sample-cluster.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
/** Paths of the CustomResourceDefinitions of Karpenter and its providers. */
export const crdFiles = [
  ...globSync('apps/controller/chart-crds/templates/*.yaml', { cwd: root }),
  ...globSync('packages/kwok/crds/*.yaml', { cwd: root }),
].map((file) => join(root, file));

/** An API server with the sample cluster in it, and a kubeconfig of a user who has only the role of the page. */
export interface LiveCluster extends AsyncDisposable {
  readonly server: ApiServer;
  readonly kubeconfig: string;
}

/** Path of an example of the pages. */
export const example = (file: string): string => join(root, 'docs/examples', file);

/** The page on the command line. */
export const pageText = (): string => readFileSync(join(root, 'docs/cli.md'), 'utf8');

/** The role and its binding, as the page on the command line states them. */
export const roleText = (): string => readFileSync(example('cli-role.yaml'), 'utf8');

const reader = serviceAccountUser('default', 'karpenter-reader');

/** Creates the object and then its status, as its controllers would. */
export const createWithStatus = ({ local }: ApiServer, object: KubeObject): void => {
  const { uid: _, ...metadata } = object.metadata;
  const created = local.create({ ...object, metadata });
  if ('status' in object) local.updateStatus({ ...created, status: object.status } as KubeObject);
};

/** Starts the server; `role` is what the reader may do. */
export const startLiveCluster = async (role = roleText()): Promise<LiveCluster> => {
  await using started = new AsyncDisposableStack();
  const server = started.use(await startApiServer({ clock: systemClock, authorization: 'RBAC' }));
  server.installCrds(...crdFiles.map((file) => readFileSync(file, 'utf8')));
  for (const document of parseAllDocuments(role)) server.local.create(document.toJS());
  for (const object of sampleCluster()) createWithStatus(server, object);
  const folder = await mkdtemp(join(tmpdir(), 'karpenter-cli-'));
  started.defer(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, server.access.kubeconfigOf(reader));
  const resources = started.move();
  return { server, kubeconfig, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};
