import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { type Flags, type Program, startProgram } from './program.ts';

const TOKEN = 'real-cluster';

/** A running etcd and kube-apiserver on loopback, without controllers. Disposing ends both and removes their folder. */
export interface ApiPrograms extends AsyncDisposable {
  /** Keys, logs and the database. */
  readonly folder: string;
  readonly url: string;
  readonly ca: string;
  /** Of a user who may do everything. */
  readonly token: string;
  readonly etcd: Program;
  /** Where etcd answers its clients, without credentials. */
  readonly etcdUrl: string;
  readonly apiServer: Program;
  isReady(): Promise<boolean>;
}

/** What an API server is started with beside what it needs. */
export interface ApiProgramOptions {
  /** Name → token of further users, who may do everything too. */
  readonly users?: Readonly<Record<string, string>> | undefined;
  /** An audit policy as YAML; the log is `audit.log` in the folder. Left out: no audit. */
  readonly auditPolicy?: string | undefined;
  /** Gates that are on, in every program that the control plane has. Default: those that Kubernetes turns on itself. */
  readonly featureGates?: readonly string[] | undefined;
}

/** The flag that turns gates on. */
export const gateFlags = ({ featureGates = [] }: ApiProgramOptions): Flags =>
  featureGates.length === 0 ? {} : { 'feature-gates': featureGates.map((gate) => `${gate}=true`).join(',') };

const newSigningKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;

const etcdFlags = async (folder: string, client: number): Promise<Flags> => ({
  'data-dir': join(folder, 'etcd'),
  'listen-client-urls': `http://127.0.0.1:${client}`,
  'advertise-client-urls': `http://127.0.0.1:${client}`,
  'listen-peer-urls': `http://127.0.0.1:${await freePort()}`,
  'unsafe-no-fsync': true,
});

const apiServerFlags = (folder: string, etcd: number, secure: number): Flags => ({
  'etcd-servers': `http://127.0.0.1:${etcd}`,
  'bind-address': '127.0.0.1',
  'secure-port': secure,
  'cert-dir': folder,
  'service-account-key-file': join(folder, 'sa.key'),
  'service-account-signing-key-file': join(folder, 'sa.key'),
  'service-account-issuer': 'https://kubernetes.default.svc',
  'token-auth-file': join(folder, 'tokens.csv'),
  'authorization-mode': 'RBAC',
  'service-cluster-ip-range': '10.0.0.0/24',
});

const answersReady = (url: string, ca: string): Promise<boolean> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const asked = request(`${url}/readyz`, { ca, headers, agent: false }, (answer) => {
      answer.resume();
      answer.once('close', () => {
        resolve(answer.statusCode === 200);
      });
    });
    asked.once('error', () => {
      resolve(false);
    });
    asked.end();
  });

const auditFlags = async (folder: string, policy: string | undefined): Promise<Flags> => {
  if (policy === undefined) return {};
  await writeFile(join(folder, 'audit.yaml'), policy);
  return { 'audit-policy-file': join(folder, 'audit.yaml'), 'audit-log-path': join(folder, 'audit.log') };
};

/** Starts the `etcd` and the `kube-apiserver` of the folder `assets`, as envtest does. */
export const startApiPrograms = async (assets: string, options: ApiProgramOptions = {}): Promise<ApiPrograms> => {
  const { users = {}, auditPolicy } = options;
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'kube-api-'));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'sa.key'), newSigningKey());
  const tokens = Object.entries({ admin: TOKEN, ...users }).map(([user, token]) => `${token},${user},${user},system:masters\n`);
  await writeFile(join(folder, 'tokens.csv'), tokens.join(''));
  const filesOf = (name: string) => ({ path: join(assets, name), logPath: join(folder, `${name}.log`) });
  const [etcdPort, secure] = [await freePort(), await freePort()];
  const etcd = started.use(startProgram(filesOf('etcd'), await etcdFlags(folder, etcdPort)));
  const apiServer = started.use(
    startProgram(filesOf('kube-apiserver'), {
      ...apiServerFlags(folder, etcdPort, secure),
      ...(await auditFlags(folder, auditPolicy)),
      ...gateFlags(options),
    }),
  );
  const url = `https://127.0.0.1:${secure}`;
  const readCa = (): Promise<string | undefined> => readFile(join(folder, 'apiserver.crt'), 'utf8').catch(() => undefined);
  const ca = await eventually('the certificate of kube-apiserver', readCa);
  const isReady = (): Promise<boolean> => answersReady(url, ca);
  await eventually('a ready kube-apiserver', async () => ((await isReady()) ? true : undefined));
  const running = started.move();
  return {
    ...{ folder, url, ca, token: TOKEN, etcd, etcdUrl: `http://127.0.0.1:${etcdPort}`, apiServer, isReady },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
};
