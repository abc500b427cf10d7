import { createDefaultHttpClient, createPipelineRequest, type PipelinePolicy } from '@azure/core-rest-pipeline';
import { epochMsOf } from '@karpenter/core';
import { ArmError } from '../arm-error.ts';
import { answerInTime } from '../calls/answer-deadline.ts';

export interface AuxiliaryTokenSource {
  readonly tokenServerUrl: string;
  /** Of the tokens. */
  readonly scope: string;
  readonly clock: { now(): number };
  readonly caPem?: string | undefined;
  /** How long a token may take; a minute unless given. */
  readonly patienceMs?: number | undefined;
}

interface AuxiliaryToken {
  readonly token: string;
  readonly renewAtMs: number;
}

/** Before the end of a token that does not say when it should be renewed. */
const EARLY_MS = 300_000;

const HEADER = 'x-ms-authorization-auxiliary';

const membersIn = (body: string): ReadonlyMap<string, string> => {
  try {
    return new Map(Object.entries(JSON.parse(body) as object).map(([name, value]) => [name.toLowerCase(), String(value)]));
  } catch {
    return new Map();
  }
};

/** The token is empty where the body has none. */
const tokenIn = (body: string): AuxiliaryToken => {
  const members = membersIn(body);
  const timeOf = (name: string): number => epochMsOf(members.get(name)) ?? 0;
  const renewAtMs = Math.min(...[timeOf('refreshon'), timeOf('expireson') - EARLY_MS].filter((ms) => ms > 0));
  return { token: members.get('token') ?? '', renewAtMs };
};

const SERVER = 'the server of --sig-access-token-server-url';

/** Asked for all that wait for it: no signal of one of them ends it. */
export const fetchAuxiliaryToken = async ({ tokenServerUrl, scope, caPem, patienceMs }: AuxiliaryTokenSource): Promise<AuxiliaryToken> => {
  const url = new URL(tokenServerUrl);
  url.searchParams.set('scope', scope);
  const ask = (abortSignal: AbortSignal) => {
    const request = createPipelineRequest({ url: url.href, abortSignal, allowInsecureConnection: url.protocol === 'http:' });
    if (caPem !== undefined) request.tlsSettings = { ca: caPem };
    return createDefaultHttpClient().sendRequest(request);
  };
  const { status, bodyAsText } = await answerInTime(SERVER, ask, { patienceMs });
  const answered = tokenIn(bodyAsText ?? '');
  if (status === 200 && answered.token !== '') return answered;
  const message = `${SERVER} answered ${status}${status === 200 ? ' without one' : ''}: expected a token for the shared image galleries`;
  throw new ArmError(message, { code: 'forbidden', status, cause: bodyAsText });
};

const usesImages = (method: string, url: string): boolean => method !== 'GET' && /\/virtualMachines\/[^/?]+(\?|$)/i.test(url);

/**
 * Shows a second token with what is written about machines: their images lie in a tenant that the controller is a
 * stranger to.
 */
export const auxiliaryTokenPolicy = (source: AuxiliaryTokenSource): PipelinePolicy => {
  let asked: Promise<AuxiliaryToken> | undefined;
  let renewAtMs = 0;
  const renewed = async (): Promise<AuxiliaryToken> => {
    try {
      asked = fetchAuxiliaryToken(source);
      renewAtMs = Infinity;
      const token = await asked;
      renewAtMs = token.renewAtMs;
      return token;
    } catch (error) {
      asked = undefined;
      throw error;
    }
  };
  return {
    name: 'karpenterAuxiliaryTokenPolicy',
    async sendRequest(request, next) {
      if (!usesImages(request.method, request.url)) return next(request);
      const { token } = await (asked !== undefined && source.clock.now() < renewAtMs ? asked : renewed());
      request.headers.set(HEADER, `Bearer ${token}`);
      return next(request);
    },
  };
};
