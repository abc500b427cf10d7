import type { TokenCredential } from '@azure/core-auth';
import { createDefaultHttpClient, createPipelineRequest, type PipelineResponse } from '@azure/core-rest-pipeline';
import type { ProvisionValues } from '../../bootstrap/index.ts';
import { base64In } from '../../options/index.ts';
import { ArmError } from '../arm-error.ts';
import { armErrorOf, armErrorOfStatus } from '../error-codes/arm-error-of.ts';
import { answerInTime } from './answer-deadline.ts';
import { objectOf, textsIn } from './shape.ts';

/** What makes a machine a node, as AKS has it. */
export interface NodeBootstrapping {
  /** Base64. */
  readonly customData: string;
  /** What the machine runs first; holds the token with which it joins. */
  readonly script: string;
}

/** The service beside an AKS control plane that writes the user data of its nodes. */
export interface NodeBootstrappingService {
  /**
   * One call, never repeated (the launch is), unless the service wants a newer token than the one that it was shown.
   * Throws `ArmError`.
   */
  ask(values: ProvisionValues, signal: AbortSignal): Promise<NodeBootstrapping>;
}

export interface NodeBootstrappingSource {
  readonly serverUrl: string;
  readonly cluster: { readonly subscriptionId: string; readonly resourceGroup: string; readonly name: string };
  readonly credential: TokenCredential;
  /** Of the tokens: that of Resource Manager. */
  readonly scope: string;
  /** Secret; the service does not know it. */
  readonly bootstrapToken: string;
  readonly clock: { now(): number };
  readonly caPem?: string | undefined;
  /** How long an answer may take; half a minute unless given. */
  readonly patienceMs?: number | undefined;
}

const PATIENCE_MS = 30_000;
/** Where the token goes. */
const PLACEHOLDER = '{{.TokenID}}.{{.TokenSecret}}';

const urlOf = ({ serverUrl, cluster }: NodeBootstrappingSource): string =>
  `${serverUrl.replace(/\/$/, '')}/subscriptions/${cluster.subscriptionId}/resourceGroups/${cluster.resourceGroup}` +
  `/providers/Microsoft.ContainerService/managedclusters/${cluster.name}/nodeBootstrapping`;

interface Signing {
  readonly signal: AbortSignal;
  /** What the token has to fulfil; one that is kept from earlier does not. */
  readonly claims?: string;
}

const sendSigned = async (source: NodeBootstrappingSource, values: ProvisionValues, signing: Signing): Promise<PipelineResponse> => {
  const { credential, scope, caPem } = source;
  const { signal, ...wanted } = signing;
  const token = await credential.getToken(scope, { abortSignal: signal, enableCae: true, ...wanted });
  const url = urlOf(source);
  const request = createPipelineRequest({
    url,
    method: 'GET',
    body: JSON.stringify(values),
    abortSignal: signal,
    allowInsecureConnection: url.startsWith('http:'),
  });
  request.headers.set('Content-Type', 'application/json');
  request.headers.set('Authorization', `Bearer ${token?.token ?? ''}`);
  if (caPem !== undefined) request.tlsSettings = { ca: caPem };
  return createDefaultHttpClient().sendRequest(request);
};

/** What a new token has to fulfil, where the one before was revoked. */
const claimsWanted = ({ status, headers }: PipelineResponse): string | undefined => {
  const [, claims] = (status === 401 && /\bclaims="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')) || [];
  return claims && Buffer.from(claims, 'base64').toString('utf8');
};

/** By hand: the SDK's own policy shows no token to a service without TLS, as it stands beside a control plane. */
const send = async (source: NodeBootstrappingSource, values: ProvisionValues, signal: AbortSignal): Promise<PipelineResponse> => {
  const answer = await sendSigned(source, values, { signal });
  const claims = claimsWanted(answer);
  return claims === undefined ? answer : sendSigned(source, values, { signal, claims });
};

const SERVICE = 'the node bootstrapping service of --nodebootstrapping-server-url';

const answered = (source: NodeBootstrappingSource, values: ProvisionValues, signal: AbortSignal): Promise<PipelineResponse> =>
  answerInTime(SERVICE, (until) => send(source, values, until), { signal, patienceMs: source.patienceMs ?? PATIENCE_MS });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Refusals are bare text, text in JSON, or an error as ARM writes it. */
const refusalIn = (text: string): { readonly code: string; readonly message: string } => {
  const body = parsed(text);
  if (typeof body === 'string') return { code: '', message: body };
  const { code = '', message = text } = textsIn(objectOf(body)['error']);
  return { code, message };
};

const refused = ({ status, headers, bodyAsText }: PipelineResponse, nowMs: number): ArmError => {
  const { code, message } = refusalIn(bodyAsText ?? '');
  const details = { armCode: code || 'NodeBootstrappingFailed', status, retryAfter: headers.get('retry-after'), cause: bodyAsText };
  return armErrorOfStatus(`${SERVICE} answers ${status}: ${message}`, details, nowMs);
};

const answerIn = (text: string): { readonly customData: string; readonly cse: string } => {
  const { customData: encoded = '', cse = '' } = textsIn(parsed(text));
  // A machine boots with what it cannot decode, and never joins.
  const customData = base64In(encoded);
  if (customData !== undefined && cse !== '') return { customData, cse };
  const missing = [...(customData === undefined ? ['base64 customData'] : []), ...(cse === '' ? ['cse'] : [])];
  throw new ArmError(`${SERVICE} answers without ${missing.join(' and ')}`, {
    code: 'server',
    armCode: 'NodeBootstrappingFailed',
    status: 200,
    cause: undefined,
  });
};

export const nodeBootstrappingService = (source: NodeBootstrappingSource): NodeBootstrappingService => {
  const filled = (text: string): string => text.replaceAll(PLACEHOLDER, source.bootstrapToken);
  const response = async (values: ProvisionValues, signal: AbortSignal): Promise<PipelineResponse> => {
    try {
      return await answered(source, values, signal);
    } catch (error) {
      throw armErrorOf(error, source.clock.now()) ?? error;
    }
  };
  return {
    ask: async (values, signal) => {
      const answer = await response(values, signal);
      if (answer.status !== 200) throw refused(answer, source.clock.now());
      const { customData, cse } = answerIn(answer.bodyAsText ?? '');
      const text = filled(Buffer.from(customData, 'base64').toString('utf8'));
      return { customData: Buffer.from(text, 'utf8').toString('base64'), script: filled(cse) };
    },
  };
};
