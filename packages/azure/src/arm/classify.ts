import { CloudProviderError } from '@karpenter/core';
import { parseRetryAfter } from '@karpenter/core/controllers';
import { type BlockedOffering, type BlockedSize } from '../catalog/unavailable-offerings.ts';
import { placementScopeOf, REGIONAL_ZONE } from '../zones/index.ts';
import { ArmError, type ArmErrorCode } from './arm-error.ts';
import { missingRoleIn } from './missing-role.ts';

/** The parts of the SDK's `RestError` that are read. */
interface RestErrorLike {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly response?: { readonly headers?: { get(name: string): string | undefined } };
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

const codeOfStatus = (status: number, armCode: string): ArmErrorCode => {
  if (status === 404) return 'not-found';
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403 || FORBIDDEN_CODES.has(armCode)) return 'forbidden';
  return status >= 500 || status === 408 ? 'server' : 'refused';
};

/** Names the endpoint, which the network's own words leave out. */
const unreached = ({ message, request }: Error & RestErrorLike): string =>
  request?.url === undefined ? message : `${new URL(request.url).origin} is not reached: ${message}`;

const ofRestError = (error: Error & RestErrorLike, nowMs: number): ArmError => {
  const armCode = typeof error.code === 'string' ? error.code : '';
  const status = typeof error.statusCode === 'number' ? error.statusCode : undefined;
  const code = status === undefined ? 'network' : codeOfStatus(status, armCode);
  const message =
    code === 'network' ? unreached(error) : code === 'forbidden' ? (missingRoleIn(error.message) ?? error.message) : error.message;
  return new ArmError(message, {
    code,
    armCode: status === undefined ? '' : armCode,
    status,
    retryAfterMs: parseRetryAfter(error.response?.headers?.get('retry-after'), nowMs),
    cause: error,
  });
};

/** The failure that an answer of a service beside Resource Manager tells of. */
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

/** The SDK tells of every way that it tried, a line each; the last says most. */
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

/** For calls that are not a launch: what core is to do. A call that was not made tells that itself. */
export const cloudProviderErrorOf = (error: ArmError): CloudProviderError => {
  if (error.cause instanceof CloudProviderError) return error.cause;
  const details = { cause: error, ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }) };
  switch (error.code) {
    case 'throttled':
      return new CloudProviderError('throttled', error.message, { ...details, reason: 'Throttled' });
    case 'forbidden':
      return new CloudProviderError('forbidden', error.message, { ...details, reason: 'Forbidden' });
    case 'network':
    case 'server':
      return new CloudProviderError('network', error.message, { ...details, reason: 'AzureUnreachable' });
    case 'not-found':
    case 'refused':
      return new CloudProviderError('launch-failed', error.message, { ...details, reason: 'CreateInstanceFailed' });
  }
};

/** What was tried when a launch failed. */
export interface LaunchAttempt {
  readonly size: BlockedSize;
  /** Zone labels in which the size is sold, without the regional one. */
  readonly zones: readonly string[];
  readonly zone: string;
  readonly capacityType: string;
  /** With capacity type `reserved`. */
  readonly reservationId?: string | undefined;
}

/** A failed launch: what core is told, and what is not tried again for a while. */
export interface LaunchVerdict {
  readonly error: CloudProviderError;
  readonly blocks: readonly BlockedOffering[];
  /** All spot is out of quota for so long. */
  readonly blockSpotMs?: number;
  /** The region has no quota for as many vCPUs, on demand. */
  readonly blockRegionFromVCpus?: number;
  readonly blockedReservation?: { readonly id: string; readonly ttlMs: number };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BOTH = ['on-demand', 'spot'] as const;

interface Row {
  readonly armCode: string;
  readonly contains?: string;
  readonly reason: string;
  readonly blocks: (attempt: LaunchAttempt, message: string) => readonly BlockedOffering[];
  readonly blockSpotMs?: number;
  readonly blocksRegion?: boolean;
  readonly isFinal?: boolean;
  /** It says nothing of what is to be had. */
  readonly isOfMachine?: boolean;
}

interface Scope {
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  readonly ttlMs: number;
}

const blocksOf = ({ size }: LaunchAttempt, { zones, capacityTypes, ttlMs }: Scope): readonly BlockedOffering[] =>
  zones.flatMap((zone) => capacityTypes.map((capacityType) => ({ size, zone, capacityType, ttlMs })));

/** The zones that share the fate of the attempted one: all zones of the size, or the regional placement. */
const scopeZones = ({ zone, zones }: LaunchAttempt): readonly string[] => (placementScopeOf(zone) === 'zonal' ? zones : [REGIONAL_ZONE]);

/** A size that the AKS machine API does not make for this subscription. */
const everywhere: Row['blocks'] = (attempt) =>
  blocksOf(attempt, { zones: [...attempt.zones, REGIONAL_ZONE], capacityTypes: BOTH, ttlMs: 23 * HOUR });

/** First match wins. Source: the original's `pkg/providers/instance/offerings`. */
const ROWS: readonly Row[] = [
  { armCode: 'VMSizeNotSupported', reason: 'SKUNotAvailable', blocks: everywhere },
  { armCode: 'BadRequest', contains: 'is not supported for subscription', reason: 'SKUNotAvailable', blocks: everywhere },
  { armCode: 'OperationNotAllowed', contains: 'LowPriorityCores', reason: 'SubscriptionQuotaReached', blocks: () => [], blockSpotMs: HOUR },
  {
    armCode: 'OperationNotAllowed',
    contains: 'Family Cores quota',
    reason: 'SubscriptionQuotaReached',
    blocks: (attempt, message) =>
      blocksOf(attempt, {
        zones: [...attempt.zones, REGIONAL_ZONE],
        capacityTypes: [attempt.capacityType],
        ttlMs: message.includes('Current Limit: 0') ? HOUR : 10 * MINUTE,
      }),
  },
  {
    armCode: 'SkuNotAvailable',
    reason: 'SKUNotAvailable',
    blocks: (attempt) =>
      blocksOf(attempt, {
        zones: scopeZones(attempt),
        capacityTypes: [attempt.capacityType],
        ttlMs: attempt.capacityType === 'spot' ? HOUR : 23 * HOUR,
      }),
  },
  {
    armCode: 'SpotPriceGreaterThanProvidedMaxPrice',
    reason: 'SpotPriceAboveMaximum',
    blocks: (attempt) => blocksOf(attempt, { zones: [...attempt.zones, REGIONAL_ZONE], capacityTypes: ['spot'], ttlMs: HOUR }),
  },
  {
    armCode: 'ZonalAllocationFailed',
    reason: 'ZonalAllocationFailure',
    blocks: (attempt) => blocksOf(attempt, { zones: [attempt.zone], capacityTypes: BOTH, ttlMs: HOUR }),
  },
  {
    armCode: 'AllocationFailed',
    reason: 'AllocationFailure',
    blocks: (attempt) => blocksOf(attempt, { zones: scopeZones(attempt), capacityTypes: BOTH, ttlMs: HOUR }),
  },
  {
    armCode: 'OverconstrainedZonalAllocationRequest',
    reason: 'OverconstrainedZonalAllocationFailure',
    blocks: (attempt) => blocksOf(attempt, { zones: [attempt.zone], capacityTypes: [attempt.capacityType], ttlMs: HOUR }),
  },
  {
    armCode: 'OverconstrainedAllocationRequest',
    reason: 'OverconstrainedAllocationFailure',
    blocks: (attempt) => blocksOf(attempt, { zones: scopeZones(attempt), capacityTypes: [attempt.capacityType], ttlMs: HOUR }),
  },
  {
    armCode: 'OperationNotAllowed',
    contains: 'exceeding approved Total Regional Cores quota',
    reason: 'RegionalQuotaReached',
    blocks: () => [],
    blocksRegion: true,
    isFinal: true,
  },
  // Addresses come back when nodes go: the claim waits, and says for what.
  { armCode: 'SubnetIsFull', reason: 'SubnetIsFull', blocks: () => [], isOfMachine: true },
  { armCode: 'NodeBootstrappingFailed', reason: 'NodeBootstrappingFailed', blocks: () => [], isOfMachine: true },
  { armCode: 'VMExtensionProvisioningError', reason: 'BootstrapScriptFailed', blocks: () => [], isOfMachine: true },
];

/** What Azure says of the group that a machine was to be made out of: it is gone, has no such reservation, or may not be used. */
const ABOUT_RESERVATION = /capacity ?reservation/i;

/**
 * A machine that cannot be had out of its reservation: the claim has no other way, so that its pods are planned anew. What can be bought is
 * not blocked with it.
 */
const verdictOfReserved = (error: ArmError, reservationId: string, row: Row | undefined): LaunchVerdict | undefined => {
  const isOfReservation = row === undefined ? ABOUT_RESERVATION.test(error.message) : row.isOfMachine !== true;
  if (!isOfReservation) return undefined;
  return {
    error: new CloudProviderError('insufficient-capacity', error.message, { reason: row?.reason ?? 'ReservationUnusable', cause: error }),
    blocks: [],
    blockedReservation: { id: reservationId, ttlMs: 10 * MINUTE },
  };
};

/** What a launch that failed means, whether Azure said so at once or later. */
export const launchVerdictOf = (error: ArmError, attempt: LaunchAttempt): LaunchVerdict => {
  const row = ROWS.find(
    ({ armCode, contains }) => error.armCode === armCode && (contains === undefined || error.message.includes(contains)),
  );
  const reserved = attempt.reservationId === undefined ? undefined : verdictOfReserved(error, attempt.reservationId, row);
  if (reserved !== undefined) return reserved;
  if (row === undefined) return { error: cloudProviderErrorOf(error), blocks: [] };
  const code = row.isFinal === true ? 'insufficient-capacity' : 'launch-failed';
  return {
    error: new CloudProviderError(code, error.message, { reason: row.reason, cause: error }),
    blocks: row.blocks(attempt, error.message),
    ...(row.blockSpotMs !== undefined && { blockSpotMs: row.blockSpotMs }),
    ...(row.blocksRegion === true && { blockRegionFromVCpus: attempt.size.vCpus }),
  };
};
