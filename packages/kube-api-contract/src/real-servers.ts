import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { startApiPrograms } from './programs/api-programs.ts';
import type { ServerUnderTest } from './describe-kube-api.ts';
import { at } from './kube-client.ts';

/** Starts `etcd` and `kube-apiserver` of a folder on loopback, as envtest does: no controllers. */
export const spawnEnvtest = async (assets: string): Promise<ServerUnderTest> => {
  const programs = await startApiPrograms(assets);
  const { url, ca, token } = programs;
  const connection = { url, ca, headers: { authorization: `Bearer ${token}` } };
  return { connection, [Symbol.asyncDispose]: () => programs[Symbol.asyncDispose]() };
};

const decodeText = (value: unknown): string | undefined =>
  typeof value === 'string' ? Buffer.from(value, 'base64').toString() : undefined;

/** The cluster of the current context of a kubeconfig, by certificate or token. */
export const chosenServer = async (path: string): Promise<ServerUnderTest> => {
  const config: unknown = parse(await readFile(path, 'utf8'));
  const named = (list: string, name: unknown): unknown =>
    (at(config, list) as readonly object[]).find((entry) => at(entry, 'name') === name);
  const context = named('contexts', at(config, 'current-context'));
  const cluster = named('clusters', at(context, 'context.cluster'));
  const user = named('users', at(context, 'context.user'));
  const token = at(user, 'user.token');
  return {
    connection: {
      url: String(at(cluster, 'cluster.server')),
      ca: decodeText(at(cluster, 'cluster.certificate-authority-data')),
      cert: decodeText(at(user, 'user.client-certificate-data')),
      key: decodeText(at(user, 'user.client-key-data')),
      ...(typeof token === 'string' ? { headers: { authorization: `Bearer ${token}` } } : {}),
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
