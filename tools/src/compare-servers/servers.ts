import { readdirSync, readFileSync } from 'node:fs';
import { systemClock } from '@karpenter/runtime';
import { startApiServer } from '@karpenter/simulator';
import { parseAllDocuments } from 'yaml';
import type { KubeClient } from '../../../packages/simulator/src/contract/kube-client.ts';
import { createKubeClient } from '../../../packages/simulator/src/contract/kube-client.ts';
import { spawnEnvtest } from '../../../packages/simulator/src/contract/real-servers.ts';

/** A server that can be asked, with Karpenter's definitions installed. Disposing it ends it. */
export interface AskedServer extends AsyncDisposable {
  readonly client: KubeClient;
}

const CRDS = new URL('../../../apps/controller/chart-crds/templates/', import.meta.url);
const definitions = (): readonly string[] => readdirSync(CRDS).map((file) => readFileSync(new URL(file, CRDS), 'utf8'));

const ACCOUNT = '/api/v1/namespaces/default/serviceaccounts';

const withAccount = async (client: KubeClient): Promise<void> => {
  await client.call(ACCOUNT, { method: 'POST', body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } } });
};

/** The embedded server. */
export const embeddedServer = async (): Promise<AskedServer> => {
  const server = await startApiServer({ clock: systemClock, housekeeping: false });
  server.installCrds(...definitions());
  const client = createKubeClient({ url: server.url });
  await withAccount(client);
  return { client, [Symbol.asyncDispose]: () => server.close() };
};

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A real kube-apiserver and etcd of a folder of binaries. */
export const realServer = async (assets: string): Promise<AskedServer> => {
  const server = await spawnEnvtest(assets);
  const client = createKubeClient(server.connection);
  for (const document of definitions().flatMap((text) => parseAllDocuments(text)))
    await client.call(DEFINITIONS, { method: 'POST', body: document.toJS() as unknown });
  await withAccount(client);
  await untilServed(client);
  return { client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
};

const ATTEMPTS = 100;
const PAUSE_MS = 100;

const untilServed = async (client: KubeClient, attempts = ATTEMPTS): Promise<void> => {
  const lists = ['/apis/karpenter.sh/v1/nodepools', '/apis/karpenter.azure.com/v1beta1/aksnodeclasses', '/apis/karpenter.sh/v1/nodeclaims'];
  const answers = await Promise.all([...lists, '/apis/karpenter.sh/v1alpha1/nodeoverlays'].map((path) => client.call(path)));
  if (answers.every(({ status }) => status === 200)) return;
  if (attempts === 0) throw new Error('the custom resources are not served');
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  return untilServed(client, attempts - 1);
};
