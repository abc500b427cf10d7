import { readFile } from 'node:fs/promises';
import type { Clock } from '../../clock/clock.ts';
import type { ClusterConnection, CredentialSource } from './connection.ts';

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN_RELOAD_INTERVAL_MS = 60_000;

/** Where a pod finds its cluster; for tests the folder may be another. */
export interface InClusterOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly serviceAccountDir?: string;
}

/** A token in a file that the kubelet renews. It is read again every minute, and at once after a 401. */
const tokenFile = (path: string, clock: Clock): CredentialSource => {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let headers: Readonly<Record<string, string>> = {};
  const read = async (): Promise<void> => {
    headers = { authorization: `Bearer ${(await readFile(path, 'utf8')).trim()}` };
    readAtMs = clock.now();
  };
  return {
    async headers() {
      if (clock.now() - readAtMs >= TOKEN_RELOAD_INTERVAL_MS) await read();
      return headers;
    },
    refresh: read,
  };
};

/** The connection of a pod to its own cluster; `undefined` outside of a cluster. Loads no client library. */
export const inClusterConnection = async (options: InClusterOptions): Promise<ClusterConnection | undefined> => {
  const { clock, env, serviceAccountDir: dir = SERVICE_ACCOUNT } = options;
  const host = env['KUBERNETES_SERVICE_HOST'];
  if (host === undefined || host === '') return undefined;
  const readTls = async () => ({ ca: await readFile(`${dir}/ca.crt`, 'utf8') });
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT'] ?? '443'}`,
    tls: await readTls(),
    reloadTls: readTls,
    credentials: tokenFile(`${dir}/token`, clock),
    namespace: (await readFile(`${dir}/namespace`, 'utf8')).trim(),
  };
};
