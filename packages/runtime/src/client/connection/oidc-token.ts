import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { errorMessage } from '../../failure/failures.ts';
import { type HttpSockets, httpSockets } from './http-sockets.ts';

/**
 * An OIDC user of a kubeconfig: the `config` of its `auth-provider`, with the names that kubectl gave them. Refreshing
 * changes it.
 */
export type OidcSession = Record<string, string | undefined>;

/** The issuer gave no new token. */
export class OidcError extends Error {
  readonly code = 'refused';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OidcError';
  }
}

/** A token that is about to expire would not survive the way to the server. */
const MARGIN_MS = 10_000;
const TIMEOUT_MS = 15_000;

const expiryMsOf = (token: string): number => {
  const [, payload = ''] = token.split('.');
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : 0;
  } catch {
    return 0;
  }
};

interface Issuer {
  readonly url: string;
  readonly ca: string | undefined;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const ask = async ({ url, ca }: Issuer, form?: URLSearchParams): Promise<Readonly<Record<string, unknown>>> => {
  const content = form === undefined ? { method: 'GET' } : { method: 'POST', headers: FORM, body: form.toString() };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let sockets: HttpSockets | undefined;
  try {
    const { origin, pathname, search } = new URL(url);
    sockets = httpSockets(new URL(origin), ca === undefined ? {} : { ca });
    const answer = await sockets.request({ path: `${pathname}${search}`, signal, ...content });
    const body = await text(answer);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${body.slice(0, 200)}`);
    const fields: unknown = JSON.parse(body);
    if (typeof fields !== 'object' || fields === null) throw new Error('the answer is no JSON object');
    return fields as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new OidcError(`the OIDC issuer gives no token: ${url}: ${errorMessage(error)}`, error);
  } finally {
    sockets?.destroy();
  }
};

const caOf = async (session: OidcSession): Promise<string | undefined> => {
  const data = session['idp-certificate-authority-data'];
  if (data !== undefined) return Buffer.from(data, 'base64').toString();
  const path = session['idp-certificate-authority'];
  return path === undefined ? undefined : readFile(path, 'utf8');
};

const refresh = async (session: OidcSession): Promise<void> => {
  const ca = await caOf(session);
  const root = (session['idp-issuer-url'] ?? '').replace(/\/$/, '');
  const { token_endpoint: endpoint } = await ask({ url: `${root}/.well-known/openid-configuration`, ca });
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: session['refresh-token'] ?? '' });
  form.set('client_id', session['client-id'] ?? '');
  if (session['client-secret']) form.set('client_secret', session['client-secret']);
  const answer = await ask({ url: String(endpoint), ca }, form);
  if (typeof answer['id_token'] !== 'string') throw new OidcError(`the OIDC issuer ${root} sent no id_token`);
  session['id-token'] = answer['id_token'];
  // Most issuers go on accepting the one they gave first, and send no other.
  if (typeof answer['refresh_token'] === 'string') session['refresh-token'] = answer['refresh_token'];
};

/**
 * The bearer token of an OIDC user; refreshed at its issuer when it has expired, and the new one kept in `session`.
 * Undefined when there is none. An expired one that cannot be refreshed, because the file says nothing about where, is
 * sent unchanged: the server answers 401.
 *
 * `Differs:` client-node 2.0 has this too, but hands its client texts where it wants URLs, and so refreshes nothing.
 * Errors: OidcError.
 */
export const oidcTokenOf = async (session: OidcSession, nowMs: number): Promise<string | undefined> => {
  const token = session['id-token'];
  if (token === undefined || expiryMsOf(token) - MARGIN_MS > nowMs) return token;
  const isRefreshable = ['idp-issuer-url', 'refresh-token', 'client-id'].every((name) => Boolean(session[name]));
  if (isRefreshable) await refresh(session);
  return session['id-token'];
};
