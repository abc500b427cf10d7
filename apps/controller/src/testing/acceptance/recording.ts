import type { ImageVersion } from '@karpenter/azure-emulator';
import { epochMsOf } from '@karpenter/core';

/** One request and its answer, without secrets. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

/** The requests and answers of Azure in one run. Names of the account are placeholders: `{subscription}`. */
export interface Recording {
  readonly recordedAt: string;
  readonly exchanges: readonly Exchange[];
}

/**
 * Names of an account that a recording replaces by placeholders, and a replay fills with those of its own account. They
 * are its subscription, that of the shared image galleries (empty where the controller uses none), and the resource
 * groups of nodes and cluster. The others are the cluster and the host of the Resource Manager.
 */
export type AccountNames = Readonly<
  Record<'subscription' | 'imageSubscription' | 'nodeGroup' | 'clusterGroup' | 'cluster' | 'resourceManager', string>
>;

/** Members whose value is secret, or what a machine is started with, which holds the bootstrap token. */
const SECRET =
  /^(customData|protectedSettings|adminPassword|keyData|access_token|refresh_token|client_secret|commandToExecute|cse|password|token)$/i;
/** Headers of answers that say something of Azure and nothing of the account. */
const KEPT_HEADERS = /^(retry-after|location|azure-asyncoperation|x-ms-ratelimit-.*|x-ms-user-quota.*|content-type|www-authenticate)$/;
/**
 * Addresses of operations are signed: `t` is the time, `c` the certificate, `s` and `h` the signature; `sig` signs
 * those of storage. Source: Azure CLI, `az standby-vm-pool delete`, whose documentation shows one.
 */
const SIGNED = /([?&](?:t|c|s|h|sig)=)[^&"\\\s]+/g;
/** A proxy may be written with its user: `http://user:password@proxy`. */
const USER_OF_ADDRESS = /\/\/[^/@:"\\\s]+:[^/@"\\\s]+@/g;
/** Those in names of community galleries stay: everybody may read such a gallery, by that name only. */
const PRIVATE_GUID = /(?<!\/communityGalleries\/[\w.-]*)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, SECRET.test(name) ? '(secret)' : withoutSecrets(member)]));
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Longest first: the group of the nodes has the name of the cluster in it. */
const byLength = (names: AccountNames): readonly (readonly [string, string])[] =>
  Object.entries(names)
    .filter(([, text]) => text !== '')
    .sort(([, left], [, right]) => right.length - left.length || (left < right ? -1 : 1));

/** Takes names and numbers of the account out of texts; the same GUID always becomes the same one. */
export const anonymizer = (names: AccountNames): ((text: string) => string) => {
  const guids = new Map<string, string>();
  const guidOf = (guid: string): string => {
    const known = guids.get(guid.toLowerCase()) ?? `00000000-0000-4000-8000-${String(guids.size + 1).padStart(12, '0')}`;
    guids.set(guid.toLowerCase(), known);
    return known;
  };
  return (text) =>
    byLength(names)
      .reduce((named, [placeholder, name]) => named.replaceAll(new RegExp(escaped(name), 'gi'), `{${placeholder}}`), text)
      .replace(PRIVATE_GUID, guidOf);
};

/** The reverse, for another account. */
export const named = (text: string, names: AccountNames): string =>
  Object.entries(names).reduce((filled, [placeholder, name]) => filled.replaceAll(`{${placeholder}}`, name), text);

/** An exchange as it may be kept in a file. */
export const cleaned = ({ headers, ...exchange }: Exchange, anonymous: (text: string) => string): Exchange => {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.test(name)));
  const text = JSON.stringify(withoutSecrets({ ...exchange, headers: kept }));
  return JSON.parse(anonymous(text.replaceAll(SIGNED, '$1(secret)').replaceAll(USER_OF_ADDRESS, '//(secret)@'))) as Exchange;
};

/** The region whose quotas were read; undefined: no quotas were. */
export const locationOf = ({ exchanges }: Recording): string | undefined =>
  exchanges.map(({ target }) => /\/locations\/([a-z0-9]+)\/usages\b/.exec(target)?.[1]).find((name) => name !== undefined);

const VERSIONS_OF = /\/communityGalleries\/([^/]+)\/images\/([^/]+)\/versions\?/i;
const NODE_IMAGES = /\/nodeImageVersions\?/i;

interface ImageAnswer {
  readonly value?: readonly {
    readonly name?: string;
    readonly os?: string;
    readonly sku?: string;
    readonly version?: string;
    readonly properties?: { readonly publishedDate?: string };
  }[];
}

/** The images that lists of community galleries and of AKS named, as the emulator takes them. */
export const imagesIn = ({ exchanges }: Recording): readonly ImageVersion[] =>
  exchanges.flatMap(({ method, target, status, answer }) => {
    if (method !== 'GET' || status !== 200) return [];
    const [, gallery, definition] = VERSIONS_OF.exec(target) ?? [];
    if (gallery === undefined && !NODE_IMAGES.test(target)) return [];
    const { value = [] } = answer as ImageAnswer;
    return value.map(({ name, os, sku, version, properties }) => ({
      gallery: gallery ?? os ?? '',
      definition: definition ?? sku ?? '',
      version: name ?? version ?? '',
      publishedAtMs: epochMsOf(properties?.publishedDate) ?? 0,
    }));
  });
