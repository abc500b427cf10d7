import { parseRetryAfter } from '@karpenter/runtime';
import { ArmError, type ArmErrorCode } from '../arm-error.ts';
import { innerRefusalsOf, refusalBodyIn } from './inner-refusals.ts';
import { missingRoleIn } from './missing-role.ts';

/** The parts of the SDK's `RestError` that are read. */
interface RestErrorLike {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly response?: { readonly headers?: { get(name: string): string | undefined }; readonly bodyAsText?: string | null };
  readonly request?: { readonly url?: string };
}

/** `LinkedAccessCheckFailed` comes with 400. */
const FORBIDDEN_CODES = new Set([
  'AuthorizationFailed',
  'LinkedAuthorizationFailed',
  'LinkedAccessCheckFailed',
  'AuthenticationFailed',
  'InvalidAuthenticationToken',
]);
const IDENTITY_ERRORS = new Set([
  'AuthenticationError',
  'AggregateAuthenticationError',
  'CredentialUnavailableError',
  'AuthenticationRequiredError',
]);

/**
 * 404 says here that the question was wrong, and nothing about a resource. Source: Azure/azure-cli#2759,
 * Azure/azure-powershell#3579.
 */
const NOT_ABOUT_RESOURCES = new Set(['InvalidResourceType', 'InvalidResourceNamespace', 'SubscriptionNotFound']);

const codeOfStatus = (status: number, armCode: string): ArmErrorCode => {
  if (status === 404) return NOT_ABOUT_RESOURCES.has(armCode) ? 'refused' : 'not-found';
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403 || FORBIDDEN_CODES.has(armCode)) return 'forbidden';
  return status >= 500 || status === 408 ? 'server' : 'refused';
};

/** Names the endpoint, which the network's own words leave out. */
const unreached = ({ message, request }: Error & RestErrorLike): string =>
  request?.url === undefined ? message : `${new URL(request.url).origin} is not reached: ${message}`;

const messageOf = (error: Error & RestErrorLike, code: ArmErrorCode): string => {
  if (code === 'network') return unreached(error);
  return (code === 'forbidden' ? missingRoleIn(error.message) : undefined) ?? error.message;
};

const ofRestError = (error: Error & RestErrorLike, nowMs: number): ArmError => {
  const armCode = typeof error.code === 'string' ? error.code : '';
  const status = typeof error.statusCode === 'number' ? error.statusCode : undefined;
  const code = status === undefined ? 'network' : codeOfStatus(status, armCode);
  return new ArmError(messageOf(error, code), {
    code,
    armCode: status === undefined ? '' : armCode,
    status,
    retryAfterMs: parseRetryAfter(error.response?.headers?.get('retry-after'), nowMs),
    inner: innerRefusalsOf(refusalBodyIn(error.response?.bodyAsText)),
    cause: error,
  });
};

/** The failure in a response of a service other than Resource Manager. */
export const armErrorOfStatus = (
  message: string,
  answer: { readonly status: number; readonly armCode: string; readonly retryAfter: string | undefined; readonly cause: unknown },
  nowMs: number,
): ArmError => {
  const { status, armCode, retryAfter, cause } = answer;
  return new ArmError(message, {
    code: codeOfStatus(status, armCode),
    armCode,
    status,
    retryAfterMs: parseRetryAfter(retryAfter, nowMs),
    cause,
  });
};

const WAYS_IN =
  'a workload identity, a client secret (AZURE_CLIENT_ID, AZURE_TENANT_ID, AZURE_CLIENT_SECRET), a managed identity or `az login`';

const SIGN_IN_UNREACHED =
  'the sign-in endpoint is not reached or not trusted: expected AZURE_AUTHORITY_HOST or the environment file to name one that answers, and ' +
  'NODE_EXTRA_CA_CERTS a certificate authority that it is known by';

/** Entra's answers carry ids and placeholders around the one sentence that helps. */
const refusalIn = (text: string): string | undefined => /(AADSTS\d+:.*?)(?: - Correlation ID.*)?(?: Trace ID.*)?$/.exec(text)?.[1];

/** The SDK reports every credential that it tried, one line each; the last line says most. */
const ofIdentityError = (error: Error): ArmError => {
  if (error.message.includes('endpoints_resolution_error')) return new ArmError(SIGN_IN_UNREACHED, { code: 'network', cause: error });
  const lines = error.message.split('\n').filter((line) => line.trim() !== '');
  const refusal = lines.map(refusalIn).find((line) => line !== undefined);
  const message =
    refusal === undefined
      ? `no Azure credentials: expected ${WAYS_IN}; ${lines.at(-1) ?? error.name}`
      : `the credentials are refused: ${refusal}`;
  return new ArmError(message, { code: 'forbidden', cause: error });
};

/** A failed operation whose body was not kept; the SDK leaves "… has failed. CODE. MESSAGE". */
const ofFailedOperation = (error: Error): ArmError => {
  const armCode = /has (?:failed|been canceled)\.\s*(\w+)\./.exec(error.message)?.[1] ?? '';
  return new ArmError(error.message, { code: 'refused', armCode, cause: error });
};

/** What the SDKs threw, as ours; undefined for what is no failure of Azure: an abort, or a bug. */
export const armErrorOf = (error: unknown, nowMs: number): ArmError | undefined => {
  if (error instanceof ArmError) return error;
  if (!(error instanceof Error) || error.name === 'AbortError') return undefined;
  if (IDENTITY_ERRORS.has(error.name)) return ofIdentityError(error);
  if (error.name === 'RestError') return ofRestError(error, nowMs);
  return /long-running operation|Operation was canceled/.test(error.message) ? ofFailedOperation(error) : undefined;
};
