import { describe, expect, test } from '@jest/globals';
import { ArmError } from '../arm-error.ts';
import { unavailableOfferings } from '../../catalog/unavailable-offerings.ts';
import { restError } from '../../testing/rest-error.ts';
import { armErrorOf } from './arm-error-of.ts';
import { type FailedLaunchAttempt, launchVerdictOf } from './launch-verdict.ts';

const HOUR = 3_600_000;
const ZONES = ['eastus-1', 'eastus-2', 'eastus-3'];

const refused = (armCode: string, message: string): ArmError =>
  new ArmError(message, { code: 'refused', armCode, status: 409, cause: undefined });

const attempt = (more: Partial<FailedLaunchAttempt> = {}): FailedLaunchAttempt => ({
  size: { name: 'Standard_D4s_v3', family: 'standardDSv3Family', vCpus: 4 },
  zones: ZONES,
  zone: 'eastus-2',
  capacityType: 'on-demand',
  ...more,
});

const quota = (kind: string, limit: number): string =>
  `Operation could not be completed as it results in exceeding approved ${kind} quota. Additional details - Deployment Model: Resource Manager, Location: eastus, Current Limit: ${limit}, Current Usage: 8, Additional Required: 4, (Minimum) New Limit Required: 12.`;

const marks = (error: ArmError, more: Partial<FailedLaunchAttempt> = {}): readonly string[] =>
  launchVerdictOf(error, attempt(more)).blocks.map(({ zone, capacityType, ttlMs }) => `${zone} ${capacityType} ${ttlMs / HOUR}h`);

const all = (zones: readonly string[], types: readonly string[], hours: string): readonly string[] =>
  zones.flatMap((zone) => types.map((type) => `${zone} ${type} ${hours}h`));

describe('a launch that Azure refused', () => {
  test('for the spot quota of the subscription blocks spot everywhere', () => {
    const verdict = launchVerdictOf(refused('OperationNotAllowed', quota('LowPriorityCores', 10)), attempt({ capacityType: 'spot' }));
    expect(verdict).toMatchObject({
      blocks: [],
      blockSpotMs: HOUR,
      error: { code: 'offering-unavailable', reason: 'SubscriptionQuotaReached' },
    });
  });

  test.each([
    ['a quota of the family', quota('standardDSv3Family Cores', 10), String(1 / 6)],
    ['a family without quota', quota('standardDSv3Family Cores', 0), '1'],
  ])('for %s blocks the size in all zones for that capacity type', (_name, message, hours) => {
    expect(marks(refused('OperationNotAllowed', message))).toEqual(all([...ZONES, '0'], ['on-demand'], hours));
  });

  test('for a quota blocks no longer the fifth time than the first: it may have been granted', () => {
    const clock = { ms: 0, now: () => clock.ms };
    const memory = unavailableOfferings(clock);
    const { size, zone, capacityType } = attempt();
    for (let again = 0; again < 5; again++) {
      const { blocks } = launchVerdictOf(refused('OperationNotAllowed', quota('standardDSv3Family Cores', 10)), attempt());
      for (const block of blocks) memory.block(block);
      expect(memory.has(size, zone, capacityType)).toBe(true);
      clock.ms += HOUR / 6;
      expect(memory.has(size, zone, capacityType)).toBe(false);
    }
  });

  test('for an invalid value is final: the claim is deleted, and its pods go to other pools', () => {
    const message = "The value 'aks-a.b.c' of parameter 'osProfile.computerName' is invalid.";
    const invalid = new ArmError(message, { code: 'refused', armCode: 'InvalidParameter', status: 400, cause: undefined });
    expect(launchVerdictOf(invalid, attempt())).toMatchObject({
      blocks: [],
      error: { code: 'launch-refused', reason: 'LaunchRefused', message },
    });
  });

  test('is judged by the details of what was refused where the code around them says nothing', () => {
    const inside = (details: unknown): ArmError => {
      const bodyAsText = JSON.stringify({ error: { code: 'Conflict', message: 'The operation failed.', details } });
      const thrown = restError(409, { code: 'Conflict', message: 'The operation failed.' }, { bodyAsText });
      return armErrorOf(thrown, 0) as ArmError;
    };
    const refusal = { code: 'SkuNotAvailable', message: 'no such size here' };
    expect(marks(inside([null, 'x', { code: 'Failed' }, refusal]))).toEqual(all(ZONES, ['on-demand'], '23'));
    expect(launchVerdictOf(inside([{ code: 'Conflict', details: [refusal] }]), attempt()).error).toMatchObject({
      reason: 'SKUNotAvailable',
      message: 'SkuNotAvailable: no such size here',
    });
    const noQuota = { code: 'OperationNotAllowed', message: quota('standardDSv3Family Cores', 0) };
    expect(marks(inside([noQuota]))).toEqual(all([...ZONES, '0'], ['on-demand'], '1'));
    expect(marks(inside('no list'))).toEqual([]);
  });

  test('because the size is not sold blocks its scope, spot shorter than on demand', () => {
    expect(marks(refused('SkuNotAvailable', 'no'))).toEqual(all(ZONES, ['on-demand'], '23'));
    expect(marks(refused('SkuNotAvailable', 'no'), { capacityType: 'spot' })).toEqual(all(ZONES, ['spot'], '1'));
    expect(marks(refused('SkuNotAvailable', 'no'), { zone: '0' })).toEqual(all(['0'], ['on-demand'], '23'));
  });

  test('because spot costs more than may be paid blocks spot of the size, and nothing on demand', () => {
    const error = refused('SpotPriceGreaterThanProvidedMaxPrice', "The provided max price '0.01 USD' is lower");
    expect(marks(error, { capacityType: 'spot' })).toEqual(all([...ZONES, '0'], ['spot'], '1'));
    expect(launchVerdictOf(error, attempt()).error).toMatchObject({ code: 'offering-unavailable', reason: 'SpotPriceAboveMaximum' });
  });

  test.each([
    ['ZonalAllocationFailed', ['eastus-2'], ['on-demand', 'spot'], 'ZonalAllocationFailure'],
    ['AllocationFailed', ZONES, ['on-demand', 'spot'], 'AllocationFailure'],
    ['OverconstrainedZonalAllocationRequest', ['eastus-2'], ['on-demand'], 'OverconstrainedZonalAllocationFailure'],
    ['OverconstrainedAllocationRequest', ZONES, ['on-demand'], 'OverconstrainedAllocationFailure'],
  ])('%s blocks %j for %j an hour', (...[armCode, zones, types, reason]) => {
    const error = refused(armCode, 'We do not have sufficient capacity for the requested VM size in this zone.');
    expect(marks(error)).toEqual(all(zones, types, '1'));
    expect(launchVerdictOf(error, attempt()).error).toMatchObject({ code: 'offering-unavailable', reason });
  });

  test('for the regional quota abandons the claim: no size of as many vCPUs helps', () => {
    const verdict = launchVerdictOf(refused('OperationNotAllowed', quota('Total Regional Cores', 10)), attempt());
    expect(verdict).toMatchObject({ blocks: [], blockRegionFromVCpus: attempt().size.vCpus, error: { code: 'insufficient-capacity' } });
  });

  test('for want of addresses blocks nothing: no other size needs fewer', () => {
    const verdict = launchVerdictOf(
      refused('SubnetIsFull', 'Subnet nodes with address prefix 10.1.0.0/28 does not have enough capacity'),
      attempt(),
    );
    expect(verdict).toMatchObject({ blocks: [], error: { code: 'launch-failed', reason: 'SubnetIsFull' } });
  });

  test('for any other reason blocks nothing and may be tried again', () => {
    const verdict = launchVerdictOf(refused('InvalidParameter', 'bad body'), attempt());
    expect(verdict).toMatchObject({ blocks: [], error: { code: 'launch-failed', reason: 'CreateInstanceFailed' } });
  });
});

describe('a launch into a capacity reservation that Azure refused', () => {
  const reserved = { capacityType: 'reserved', reservationId: 'r-1' };
  const blocked = { id: 'r-1', ttlMs: 10 * 60_000 };

  test.each([
    ['AllocationFailed', 'We do not have sufficient capacity', 'AllocationFailure'],
    ['OperationNotAllowed', quota('Total Regional Cores', 10), 'RegionalQuotaReached'],
    ['NotFound', 'Capacity reservation group /web was not found.', 'ReservationUnusable'],
  ])('with %s blocks only the reservation, and its pods are planned again', (armCode, message, reason) => {
    const verdict = launchVerdictOf(refused(armCode, message), attempt(reserved));
    expect(verdict).toMatchObject({ blocks: [], blockedReservation: blocked, error: { code: 'insufficient-capacity', reason } });
  });

  test('because the group may not be used blocks it too, and says which role is missing', () => {
    const message =
      "The client 'a' with object id 'a' does not have authorization to perform action 'Microsoft.Compute/capacityReservationGroups/deploy/action' " +
      "over scope '/subscriptions/1/resourceGroups/r/providers/Microsoft.Compute/capacityReservationGroups/web' or the scope is invalid.";
    const error = armErrorOf(restError(403, { code: 'LinkedAuthorizationFailed', message }), 0);
    const verdict = error && launchVerdictOf(error, attempt(reserved));
    expect(verdict).toMatchObject({ blockedReservation: blocked, error: { code: 'insufficient-capacity' } });
    expect(verdict?.error.message).toMatch(/role "Contributor" on .*capacityReservationGroups\/web/);
  });

  test.each([
    ['for want of addresses', refused('SubnetIsFull', 'Subnet nodes'), 'launch-failed'],
    ['for another reason', refused('InvalidParameter', 'bad body'), 'launch-failed'],
    ['because of too many calls', new ArmError('slow down', { code: 'throttled', cause: undefined }), 'throttled'],
  ])('%s is tried again', (_, error, code) => {
    const verdict = launchVerdictOf(error, attempt(reserved));
    expect([verdict.blockedReservation, verdict.error.code]).toEqual([undefined, code]);
  });
});
