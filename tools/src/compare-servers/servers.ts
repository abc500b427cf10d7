import { systemClock } from '@karpenter/runtime';
import { startApiServer } from '@karpenter/api-server';
import { parse, parseAllDocuments } from 'yaml';
import { eventually } from '@karpenter/kube-api-contract/programs';
import type { RawKubeClient } from '../../../packages/kube-api-contract/src/kube-client.ts';
import { createRawKubeClient } from '../../../packages/kube-api-contract/src/kube-client.ts';
import { spawnEnvtest } from '../../../packages/kube-api-contract/src/real-servers.ts';
import { crdFiles } from '../crds/crd-files.ts';

/** A server that answers requests, with Karpenter's definitions installed. Disposing it ends it. */
export interface AskedServer extends AsyncDisposable {
  readonly client: RawKubeClient;
}

const tokenIn = (kubeconfig: string): string => {
  const { users } = parse(kubeconfig) as { readonly users: readonly { readonly user: { readonly token: string } }[] };
  return users.map(({ user }) => user.token).join('');
};

const ACCOUNT = '/api/v1/namespaces/default/serviceaccounts';

const withAccount = async (client: RawKubeClient): Promise<void> => {
  await client.call(ACCOUNT, { method: 'POST', body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } } });
};

/** The embedded server, asked by its administrator. */
export const embeddedServer = async (): Promise<AskedServer> => {
  const server = await startApiServer({ clock: systemClock, authorization: 'RBAC' });
  server.installCrds(...crdFiles().values());
  const client = createRawKubeClient({ url: server.url, headers: { authorization: `Bearer ${tokenIn(server.kubeconfig())}` } });
  await withAccount(client);
  return { client, [Symbol.asyncDispose]: () => server.close() };
};

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A real kube-apiserver and etcd of a folder of binaries. */
export const realServer = async (assets: string): Promise<AskedServer> => {
  const server = await spawnEnvtest(assets);
  const client = createRawKubeClient(server.connection);
  for (const document of [...crdFiles().values()].flatMap((text) => parseAllDocuments(text)))
    await client.call(DEFINITIONS, { method: 'POST', body: document.toJS() as unknown });
  await withAccount(client);
  await untilServed(client);
  return { client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
};

const LISTS = [
  '/apis/karpenter.sh/v1/nodepools',
  '/apis/karpenter.azure.com/v1beta1/aksnodeclasses',
  '/apis/karpenter.sh/v1/nodeclaims',
  '/apis/karpenter.sh/v1alpha1/nodeoverlays',
  '/apis/autoscaling.x-k8s.io/v1beta1/capacitybuffers',
];

const untilServed = (client: RawKubeClient): Promise<true> =>
  eventually('the custom resources to be served', async () => {
    const answers = await Promise.all(LISTS.map((path) => client.call(path)));
    return answers.every(({ status }) => status === 200) ? true : undefined;
  });
