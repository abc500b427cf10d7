import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ServerUnderTest } from './describe-kube-api.ts';
import { at, createKubeClient } from './kube-client.ts';

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });

const TOKEN = 'contract-suite';

/** Starts `etcd` and `kube-apiserver` of a folder on loopback, as envtest does: no controllers. */
export const spawnEnvtest = async (assets: string): Promise<ServerUnderTest> => {
  const folder = await mkdtemp(join(tmpdir(), 'kube-api-'));
  const [client, peer, secure] = [await freePort(), await freePort(), await freePort()];
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  await writeFile(join(folder, 'sa.key'), privateKey);
  await writeFile(join(folder, 'tokens.csv'), `${TOKEN},admin,admin,system:masters\n`);
  const etcd = spawn(
    join(assets, 'etcd'),
    [
      `--data-dir=${folder}/etcd`,
      `--listen-client-urls=http://127.0.0.1:${client}`,
      `--advertise-client-urls=http://127.0.0.1:${client}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      '--unsafe-no-fsync',
    ],
    { stdio: 'ignore' },
  );
  const flags = {
    'etcd-servers': `http://127.0.0.1:${client}`,
    'bind-address': '127.0.0.1',
    'secure-port': secure,
    'cert-dir': folder,
    'service-account-key-file': join(folder, 'sa.key'),
    'service-account-signing-key-file': join(folder, 'sa.key'),
    'service-account-issuer': 'https://kubernetes.default.svc',
    'token-auth-file': join(folder, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-cluster-ip-range': '10.0.0.0/24',
  };
  const apiserver = spawn(
    join(assets, 'kube-apiserver'),
    Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
    { stdio: 'ignore' },
  );
  const stop = async (): Promise<void> => {
    await ended(apiserver);
    await ended(etcd);
    await rm(folder, { recursive: true, force: true });
  };
  const url = `https://127.0.0.1:${secure}`;
  const ca = await certificateOf(folder);
  const connection = { url, ca, headers: { authorization: `Bearer ${TOKEN}` } };
  await untilReady(connection);
  return { connection, [Symbol.asyncDispose]: stop };
};

/** Ends a process and waits for it, so that nothing of it outlives the test that started it. */
const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const certificateOf = async (folder: string, attempts = 300): Promise<string> => {
  try {
    return await readFile(join(folder, 'apiserver.crt'), 'utf8');
  } catch (cause) {
    if (attempts === 0) throw new Error('kube-apiserver wrote no certificate', { cause });
    await pause(100);
    return certificateOf(folder, attempts - 1);
  }
};

const untilReady = async (connection: ServerUnderTest['connection'], attempts = 300): Promise<void> => {
  const ready = await createKubeClient(connection)
    .call('/readyz')
    .then(({ status }) => status === 200)
    .catch(() => false);
  if (ready) return;
  if (attempts === 0) throw new Error('kube-apiserver did not become ready');
  await pause(100);
  return untilReady(connection, attempts - 1);
};

const decoded = (value: unknown): string | undefined => (typeof value === 'string' ? Buffer.from(value, 'base64').toString() : undefined);

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
      ca: decoded(at(cluster, 'cluster.certificate-authority-data')),
      cert: decoded(at(user, 'user.client-certificate-data')),
      key: decoded(at(user, 'user.client-key-data')),
      ...(typeof token === 'string' ? { headers: { authorization: `Bearer ${token}` } } : {}),
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
