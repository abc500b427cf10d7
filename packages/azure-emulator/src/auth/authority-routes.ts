import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import { ok } from '../serve/replies.ts';
import type { ArmWorld } from '../world.ts';
import type { TokenService } from './token-service.ts';

const LIFETIME_SECONDS = 3_600;
/** Whom a Kubernetes service account token must be for to be exchanged. */
export const FEDERATED_AUDIENCE = 'api://AzureADTokenExchange';
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

interface Authority {
  readonly world: ArmWorld;
  /** Access tokens. */
  readonly tokens: TokenService;
  /** Service account tokens, as the cluster's own issuer signs them. */
  readonly federation: TokenService;
}

const denied = (code: number, description: string): ArmReply => ({
  status: 401,
  body: { error: 'invalid_client', error_description: `AADSTS${String(code)}: ${description}`, error_codes: [code] },
});

const metadata = ({ world }: Authority, request: ArmRequest): ArmReply => {
  const base = `${world.url}/${request.params['tenant'] ?? ''}`;
  return ok({
    issuer: `${base}/v2.0`,
    token_endpoint: `${base}/oauth2/v2.0/token`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
    response_types_supported: ['code', 'id_token', 'token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
  });
};

const formOf = (request: ArmRequest): Readonly<Record<string, string>> => (request.body ?? {}) as Readonly<Record<string, string>>;

/** Why a client is not whom it says, or undefined. */
const denialOf = ({ world, federation }: Authority, form: Readonly<Record<string, string>>): ArmReply | undefined => {
  const { account } = world;
  if (form['client_id'] !== account.clientId) {
    return denied(700016, `Application with identifier '${form['client_id'] ?? ''}' was not found in the directory '${account.tenantId}'.`);
  }
  if (form['client_assertion'] !== undefined) {
    const judgement = federation.judge(form['client_assertion'], FEDERATED_AUDIENCE);
    if (form['client_assertion_type'] === ASSERTION && judgement === 'valid') return undefined;
    return denied(700213, `No matching federated identity record found for presented assertion (${judgement}).`);
  }
  return form['client_secret'] === account.clientSecret
    ? undefined
    : denied(
        7000215,
        'Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID.',
      );
};

const token = (authority: Authority, request: ArmRequest): ArmReply => {
  const { account } = authority.world;
  const form = formOf(request);
  const tenant = request.params['tenant'] ?? '';
  if (tenant !== account.tenantId) {
    return {
      status: 400,
      body: { error: 'invalid_request', error_description: `AADSTS90002: Tenant '${tenant}' not found.`, error_codes: [90002] },
    };
  }
  const denial = denialOf(authority, form);
  if (denial) return denial;
  const scope = form['scope'] ?? '';
  const audience = /^(\S+?)\/\.default(?: |$)/.exec(scope)?.[1];
  if (form['grant_type'] !== 'client_credentials' || audience === undefined) {
    return {
      status: 400,
      body: { error: 'invalid_scope', error_description: `AADSTS70011: The scope '${scope}' is not valid.`, error_codes: [70011] },
    };
  }
  const access = authority.tokens.issue(audience, account.clientId);
  return ok({ token_type: 'Bearer', expires_in: LIFETIME_SECONDS, ext_expires_in: LIFETIME_SECONDS, access_token: access });
};

/** The instance metadata service's token endpoint: on a real machine only the machine itself can reach it. */
const managedIdentity = ({ world, tokens }: Authority, request: ArmRequest): ArmReply => {
  if (request.headers['metadata'] !== 'true')
    return { status: 400, body: { error: 'invalid_request', error_description: 'Required metadata header not specified' } };
  const resource = request.query.get('resource') ?? '';
  return ok({
    access_token: tokens.issue(resource, world.account.clientId),
    client_id: world.account.clientId,
    expires_in: String(LIFETIME_SECONDS),
    expires_on: String(Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS),
    resource,
    token_type: 'Bearer',
  });
};

/** The identity provider: OpenID metadata, tokens for a client secret or a federated assertion, and managed identity. */
export const authorityRoutes = (authority: Authority): readonly ArmRoute[] => [
  {
    operation: 'Authority_Metadata',
    method: 'GET',
    path: '/{tenant}/v2.0/.well-known/openid-configuration',
    anonymous: true,
    handle: (request) => metadata(authority, request),
  },
  {
    operation: 'Authority_Token',
    method: 'POST',
    path: '/{tenant}/oauth2/v2.0/token',
    anonymous: true,
    handle: (request) => token(authority, request),
  },
  {
    operation: 'ManagedIdentity_Token',
    method: 'GET',
    path: '/metadata/identity/oauth2/token',
    anonymous: true,
    handle: (request) => managedIdentity(authority, request),
  },
];
