import { describe, expect, test } from '@jest/globals';
import type { ArmResources } from '../../arm-resources.ts';
import { anAzure } from '../../fixtures/an-azure.ts';
import type { VmBody } from '../vms/vm-body.ts';
import type { VmEntry } from '../vms/vm-entry.ts';

const D2 = 'Standard_D2s_v3';
const kept = { group: 'web', name: 'd2', size: D2, zone: '1', quantity: 1 };

/** An Azure with a quota of three machines of two cores. */
const azureOfSixCores = (): ArmResources => anAzure('10.0.0.0/24', { cores: 6 });

const aBody = (id: string, more: { size?: string; zones?: readonly string[]; properties?: object } = {}): VmBody => {
  const { size = D2, zones = ['1'], properties = {} } = more;
  const reference = { capacityReservation: { capacityReservationGroup: { id } } };
  return { location: 'eastus', zones, properties: { hardwareProfile: { vmSize: size }, ...reference, ...properties } } as unknown as VmBody;
};

const coresTaken = ({ quota }: ArmResources): number | undefined => quota.usages([])[0]?.currentValue;

describe('a capacity reservation', () => {
  test('takes quota for what it keeps, and none once it is made smaller or released', () => {
    const on = azureOfSixCores();
    on.reservations.reserve({ ...kept, quantity: 3 });
    expect(coresTaken(on)).toBe(6);
    on.reservations.resize(kept, 1);
    expect(coresTaken(on)).toBe(2);
    on.reservations.release(kept);
    expect(coresTaken(on)).toBe(0);
  });

  test.each([
    ['a size that nobody sells', { size: 'Standard_X1' }],
    ['a zone that the region lacks', { zone: '9' }],
    ['more than the quota', { quantity: 4 }],
  ])('cannot be had for %s', (_, more) => {
    expect(() => azureOfSixCores().reservations.reserve({ ...kept, ...more })).toThrow(
      expect.objectContaining({ code: 'ImpossibleReservation' }),
    );
  });

  test('counts a machine out of it no second time, and one beyond it like any other', () => {
    const on = azureOfSixCores();
    const body = aBody(on.reservations.reserve(kept));
    const [first, second] = [{ body } as VmEntry, { body } as VmEntry];
    expect(on.reservations.isCounted(body, 'made')).toBe(true);
    on.reservations.associate(first);
    expect(on.reservations.isCounted(body, 'made')).toBe(false);
    on.reservations.associate(second);
    expect(on.reservations.isCounted(body, 'ended')).toBe(false);
    on.reservations.dissociate(second);
    expect(on.reservations.isCounted(body, 'ended')).toBe(true);
  });

  test('stays while machines are associated with it', () => {
    const on = azureOfSixCores();
    on.reservations.associate({ body: aBody(on.reservations.reserve(kept)) } as VmEntry);
    expect(() => on.reservations.release(kept)).toThrow(expect.objectContaining({ code: 'ImpossibleReservation' }));
  });
});

describe('a machine that names a capacity reservation group', () => {
  test('is made when a reservation is of its size and its zone, whether something of it is left or not', () => {
    const on = azureOfSixCores();
    const id = on.reservations.reserve({ ...kept, quantity: 0 });
    expect(on.reservations.refusalOf(aBody(id.toUpperCase()))).toBeUndefined();
  });

  test.each([
    ['of another size', { size: 'Standard_D4s_v3' }, 'InvalidParameter'],
    ['in another zone', { zones: ['2'] }, 'InvalidParameter'],
    ['on spot', { properties: { priority: 'Spot' } }, 'InvalidParameter'],
    ['with ultra disks', { properties: { additionalCapabilities: { ultraSSDEnabled: true } } }, 'InvalidParameter'],
  ])('is refused %s', (_, more, code) => {
    const on = azureOfSixCores();
    expect(on.reservations.refusalOf(aBody(on.reservations.reserve(kept), more))).toMatchObject({ error: { code } });
  });

  test('is refused when there is no such group', () => {
    expect(azureOfSixCores().reservations.refusalOf(aBody('/subscriptions/s/x'))).toMatchObject({
      status: 404,
      error: { code: 'NotFound' },
    });
  });
});
