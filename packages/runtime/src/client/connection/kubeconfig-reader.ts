import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from '../../clock/clock.ts';
import { systemClock } from '../../clock/system-clock.ts';
import type { ClusterConnection, CredentialSource, TlsMaterial } from './connection.ts';
import { KubeConfigError, type KubeConfigOptions } from './kubeconfig-error.ts';
import { OidcError, type OidcSession, oidcTokenOf } from './oidc-token.ts';

/** The file that a person would name; `$KUBECONFIG` may list several. */
const nameOf = ({ path }: KubeConfigOptions): string => path ?? (process.env['KUBECONFIG'] || join(homedir(), '.kube', 'config'));

/** client-node would fall back to http://localhost:8080, which nobody means. */
const requireFile = (options: KubeConfigOptions): void => {
  const files = nameOf(options).split(options.path === undefined ? delimiter : '\0');
  if (!files.some((file) => existsSync(file))) throw new KubeConfigError('unreadable', `there is no kubeconfig at ${nameOf(options)}`);
};

/** The name under which client-node leaves an OIDC user to `oidcTokenOf`. */
const OWN_OIDC = 'oidc-of-runtime';

const useOwnOidc = (config: KubeConfig, clock: Clock): void => {
  config.users = config.users.map((user) => {
    const provider = user.authProvider as { readonly name: string } | undefined;
    return provider?.name === 'oidc' ? { ...user, authProvider: { ...provider, name: OWN_OIDC } } : user;
  });
  config.addAuthenticator({
    isAuthProvider: ({ authProvider }) => (authProvider as { readonly name: string } | undefined)?.name === OWN_OIDC,
    async applyAuthentication({ authProvider }, options: RequestOptions) {
      const session = (authProvider as { readonly config?: OidcSession }).config ?? {};
      const token = await oidcTokenOf(session, clock.now());
      if (token !== undefined) options.headers = { Authorization: `Bearer ${token}` };
    },
  });
};

const unreadable = (options: KubeConfigOptions, error: unknown): KubeConfigError => {
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  return new KubeConfigError('unreadable', `kubeconfig ${nameOf(options)} cannot be read: ${why}`, error);
};

/** Reads and selects; every reading is a new object, because client-node caches credentials within one. */
const read = (options: KubeConfigOptions): KubeConfig => {
  requireFile(options);
  const config = new KubeConfig();
  try {
    if (options.path === undefined) config.loadFromDefault();
    else config.loadFromFile(options.path);
  } catch (error) {
    throw unreadable(options, error);
  }
  // client-node refuses plain HTTP unless the cluster says that it knows; the transport has no such quirk.
  config.clusters = config.clusters.map((cluster) => (cluster.server.startsWith('http:') ? { ...cluster, skipTLSVerify: true } : cluster));
  useOwnOidc(config, options.clock ?? systemClock);
  if (options.context !== undefined) config.setCurrentContext(options.context);
  return config;
};

const clusterOf = (config: KubeConfig, options: KubeConfigOptions) => {
  const name = config.getCurrentContext();
  if (config.getContextObject(name) === null) {
    const known = config.getContexts().map((each) => each.name);
    throw new KubeConfigError(
      'no-context',
      `kubeconfig ${nameOf(options)} has no context ${JSON.stringify(name)}; it has: ${known.join(', ')}`,
    );
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null)
    throw new KubeConfigError('no-cluster', `kubeconfig ${nameOf(options)}: context ${JSON.stringify(name)} names no cluster of it`);
  return cluster;
};

const pem = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('utf8') : undefined;

/** Exec plugins run in here, inside client-node; OIDC in its authenticator from above. */
const optionsOf = async (config: KubeConfig): Promise<RequestOptions & { ca?: unknown; cert?: unknown; key?: unknown }> => {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return options;
};

const caOf = async (config: KubeConfig): Promise<string | undefined> => {
  const cluster = config.getCurrentCluster();
  if (cluster?.caData !== undefined) return Buffer.from(cluster.caData, 'base64').toString('utf8');
  return cluster?.caFile === undefined ? undefined : readFile(cluster.caFile, 'utf8');
};

const defined = <T extends object>(entries: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> };

const tlsOf = async (config: KubeConfig): Promise<TlsMaterial> => {
  const cluster = config.getCurrentCluster();
  const options = await optionsOf(config);
  return defined({
    ca: await caOf(config),
    certificate: pem(options.cert),
    key: pem(options.key),
    serverName: cluster?.tlsServerName,
    insecure: cluster?.skipTLSVerify,
  });
};

const headersOf = async (config: KubeConfig): Promise<Readonly<Record<string, string>>> => {
  const { auth, headers } = await optionsOf(config);
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value).trim()] as const);
  const basic = typeof auth === 'string' ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {};
  return { ...Object.fromEntries(given), ...basic };
};

/** client-node reads certificate files for every answer; a few seconds of memory keep that off the path of each request. */
const REMEMBER_HEADERS_MS = 10_000;

const credentialsOf = (options: KubeConfigOptions, first: KubeConfig): CredentialSource => {
  const { clock = systemClock } = options;
  let config = first;
  let known: { readonly headers: Promise<Readonly<Record<string, string>>>; readonly sinceMs: number } | undefined;
  return {
    async headers() {
      if (known === undefined || clock.now() - known.sinceMs >= REMEMBER_HEADERS_MS)
        known = { headers: headersOf(config), sinceMs: clock.now() };
      try {
        return await known.headers;
      } catch (error) {
        known = undefined;
        throw error;
      }
    },
    refresh() {
      known = undefined;
      config = read(options);
      return Promise.resolve();
    },
  };
};

const connectionOf = async (options: KubeConfigOptions): Promise<ClusterConnection> => {
  const config = read(options);
  const cluster = clusterOf(config, options);
  const namespace = config.getContextObject(config.getCurrentContext())?.namespace;
  return {
    server: cluster.server.replace(/\/$/, ''),
    tls: await tlsOf(config),
    reloadTls: () => tlsOf(read(options)),
    credentials: credentialsOf(options, config),
    ...(namespace === undefined ? {} : { namespace }),
  };
};

/**
 * What `loadKubeConfig` gives. Apart from it, because client-node takes 15 MB that a controller in the cluster does
 * without.
 */
export const readKubeConfig = async (options: KubeConfigOptions): Promise<ClusterConnection> => {
  try {
    return await connectionOf(options);
  } catch (error) {
    // client-node reads values without a check of their types, and files that are named.
    throw error instanceof KubeConfigError || error instanceof OidcError ? error : unreadable(options, error);
  }
};
