import { CloudProviderError } from '@karpenter/core';
import type { BlockedOffering, BlockedSize } from '../../catalog/unavailable-offerings.ts';
import { placementScopeOf, REGIONAL_ZONE } from '../../zones/index.ts';
import type { ArmError } from '../arm-error.ts';
import { cloudProviderErrorOf } from './cloud-provider-error-of.ts';
import { type InnerRefusal, POLICY_VIOLATION } from './inner-refusals.ts';

/** What was tried when a launch failed. */
export interface FailedLaunchAttempt {
  readonly size: BlockedSize;
  /** Zone labels in which the size is sold, without the regional one. */
  readonly zones: readonly string[];
  readonly zone: string;
  readonly capacityType: string;
  /** With capacity type `reserved`. */
  readonly reservationId?: string | undefined;
}

/** A failed launch: the error for core, and the offerings that are blocked for a while. */
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
  readonly blocks: (attempt: FailedLaunchAttempt, message: string) => readonly BlockedOffering[];
  readonly blockSpotMs?: number;
  readonly blocksRegion?: boolean;
  readonly isFinal?: boolean;
  /** The failure is about this machine and says nothing about stock. */
  readonly isOfMachine?: boolean;
}

interface Scope extends Pick<BlockedOffering, 'ttlMs' | 'mostMs'> {
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
}

const blocksOf = ({ size }: FailedLaunchAttempt, { zones, capacityTypes, ...times }: Scope): readonly BlockedOffering[] =>
  zones.flatMap((zone) => capacityTypes.map((capacityType) => ({ size, zone, capacityType, ...times })));

/** The zones that share the fate of the attempted one: all zones of the size, or the regional placement. */
const scopeZones = ({ zone, zones }: FailedLaunchAttempt): readonly string[] =>
  placementScopeOf(zone) === 'zonal' ? zones : [REGIONAL_ZONE];

/** A size that the AKS machine API does not make for this subscription, or that a policy does not allow. */
const everywhere: Row['blocks'] = (attempt) =>
  blocksOf(attempt, { zones: [...attempt.zones, REGIONAL_ZONE], capacityTypes: BOTH, ttlMs: 23 * HOUR });

/** First match wins. Source: the original's `pkg/providers/instance/offerings`. */
const ROWS: readonly Row[] = [
  { armCode: 'VMSizeNotSupported', reason: 'SKUNotAvailable', blocks: everywhere },
  // Azure Policy: "Allowed virtual machine size SKUs". Source: Azure/karpenter-provider-azure#794.
  { armCode: POLICY_VIOLATION, contains: 'virtualMachines/sku.name', reason: 'SKUDisallowedByPolicy', blocks: everywhere },
  { armCode: 'BadRequest', contains: 'is not supported for subscription', reason: 'SKUNotAvailable', blocks: everywhere },
  { armCode: 'OperationNotAllowed', contains: 'LowPriorityCores', reason: 'SubscriptionQuotaReached', blocks: () => [], blockSpotMs: HOUR },
  {
    armCode: 'OperationNotAllowed',
    contains: 'Family Cores quota',
    reason: 'SubscriptionQuotaReached',
    // Quota is granted, and nodes go, at any time: nobody waits longer for it the second time.
    blocks: (attempt, message) => {
      const ttlMs = message.includes('Current Limit: 0') ? HOUR : 10 * MINUTE;
      const zones = [...attempt.zones, REGIONAL_ZONE];
      return blocksOf(attempt, { zones, capacityTypes: [attempt.capacityType], ttlMs, mostMs: ttlMs });
    },
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

/**
 * What Azure says of the group that a machine was to be made out of: it is gone, has no such reservation, or may not be
 * used.
 */
const ABOUT_RESERVATION = /capacity ?reservation/i;

/**
 * A machine that cannot be made out of its reservation: the claim has no alternative, so its pods are planned again.
 * Offerings outside the reservation are not blocked.
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

const rowOf = ({ code, message }: InnerRefusal): Row | undefined =>
  ROWS.find(({ armCode, contains }) => code === armCode && (contains === undefined || message.includes(contains)));

interface Judged {
  readonly row: Row | undefined;
  readonly message: string;
}

/** By its own code, and where that says nothing by those of its details. */
const judged = ({ armCode, message, inner }: ArmError): Judged => {
  const said = [{ code: armCode, message }, ...inner].map((refusal) => ({ row: rowOf(refusal), message: refusal.message }));
  return said.find(({ row }) => row !== undefined) ?? { row: undefined, message };
};

/** Azure does not take what the request says, and will not take it later: 400, and no table of ours knows what would pass. */
const isOfRequest = ({ code, status }: ArmError): boolean => code === 'refused' && status === 400;

const refusalOf = (error: ArmError): CloudProviderError =>
  new CloudProviderError('launch-refused', error.message, { reason: 'LaunchRefused', cause: error });

/** A claim goes on at once where a block makes the next try choose another offering. */
const codeOf = ({ isFinal, blockSpotMs }: Row, blocks: readonly BlockedOffering[]): CloudProviderError['code'] => {
  if (isFinal === true) return 'insufficient-capacity';
  return blocks.length > 0 || blockSpotMs !== undefined ? 'offering-unavailable' : 'launch-failed';
};

/** What a launch that failed means, whether Azure said so at once or later. */
export const launchVerdictOf = (error: ArmError, attempt: FailedLaunchAttempt): LaunchVerdict => {
  const { row, message } = judged(error);
  const reserved = attempt.reservationId === undefined ? undefined : verdictOfReserved(error, attempt.reservationId, row);
  if (reserved !== undefined) return reserved;
  if (row === undefined) return { error: isOfRequest(error) ? refusalOf(error) : cloudProviderErrorOf(error), blocks: [] };
  const blocks = row.blocks(attempt, message);
  return {
    error: new CloudProviderError(codeOf(row, blocks), message, { reason: row.reason, cause: error }),
    blocks,
    ...(row.blockSpotMs !== undefined && { blockSpotMs: row.blockSpotMs }),
    ...(row.blocksRegion === true && { blockRegionFromVCpus: attempt.size.vCpus }),
  };
};
