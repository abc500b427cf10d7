import { expect, test } from '@jest/globals';
import { labelRequirements, requirementsOf } from '../requirements/index.ts';
import type { InstanceType } from './instance-type.ts';
import { minValuesOf } from './min-values.ts';

const type = (family: string): InstanceType => ({
  name: family,
  capacity: {},
  overhead: {},
  offerings: [],
  requirements: labelRequirements({ family }),
});
const asking = (minValues: number) => requirementsOf([{ key: 'family', operator: 'Exists', minValues }]);

test('without minValues nothing is needed', () => expect(minValuesOf(new Map(), [])).toEqual({ kind: 'met', typesNeeded: 0 }));

test('counts distinct values down the list and says how far it had to go', () => {
  expect(minValuesOf(asking(2), [type('d'), type('d'), type('e'), type('f')])).toEqual({ kind: 'met', typesNeeded: 3 });
});

test('names the keys that fall short', () => {
  expect(minValuesOf(asking(3), [type('d'), type('e')])).toEqual({ kind: 'short', shortfalls: [{ key: 'family', wanted: 3, found: 2 }] });
});
