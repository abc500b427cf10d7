import { describe, expect, test } from '@jest/globals';
import { labels } from '../apis/index.ts';
import { labelRequirements } from '../requirements/index.ts';
import { soundTypes } from './instance-type-problem.ts';
import type { InstanceType, Offering } from './instance-type.ts';

const offeringWith = (fields: Partial<Offering> = {}): Offering => ({
  zone: '1',
  capacityType: 'reserved',
  pricePerHour: 1,
  isAvailable: true,
  requirements: labelRequirements({ [labels.zone]: fields.zone ?? '1' }),
  ...fields,
});

const completeType = (name: string, ...offerings: readonly Offering[]): InstanceType => ({
  name,
  offerings,
  capacity: { cpu: 4000, memory: 1, pods: 10 },
  overhead: {},
  requirements: labelRequirements({ [labels.zone]: '1' }),
});

interface Case {
  readonly fault: string;
  readonly type: InstanceType;
  readonly field: string;
}

describe('soundTypes', () => {
  test.each<Case>([
    {
      fault: 'an unknown price',
      type: completeType('bad', offeringWith({ pricePerHour: Number.NaN })),
      field: 'offerings[0].pricePerHour',
    },
    { fault: 'a negative price', type: completeType('bad', offeringWith({ pricePerHour: -1 })), field: 'offerings[0].pricePerHour' },
    {
      fault: 'less than nothing left in a reservation',
      type: completeType('bad', offeringWith(), offeringWith({ reservation: { id: 'r', remaining: -1 } })),
      field: 'offerings[1].reservation.remaining',
    },
    {
      fault: 'a reservation that is not reserved capacity',
      type: completeType('bad', offeringWith({ capacityType: 'spot', reservation: { id: 'r', remaining: 1 } })),
      field: 'offerings[0].capacityType',
    },
    {
      fault: 'an offering in a zone that it rules out',
      type: completeType('bad', offeringWith({ zone: '9' })),
      field: 'offerings[0].requirements',
    },
    { fault: 'the name of one before it', type: completeType('good', offeringWith()), field: 'name' },
  ])('names a type with $fault, and leaves it out', ({ type, field }) => {
    const good = completeType('good', offeringWith());
    expect(soundTypes([good, type])).toMatchObject({ types: [good], broken: [{ name: type.name, problem: { field } }] });
  });

  test('has nothing against what cannot be had anyway', () => {
    const types = [completeType('a', offeringWith({ zone: '9', isAvailable: false }))];
    expect(soundTypes(types).types).toBe(types);
  });
});
