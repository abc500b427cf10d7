import { describe, expect, test } from '@jest/globals';
import { labelRequirements, requirementsOf } from '../requirements/index.ts';
import type { Requirements } from '../requirements/index.ts';
import { cheapestVarious } from './cheapest-various.ts';
import type { InstanceType } from './instance-type.ts';
import { minValuesOf } from './min-values.ts';
import { relaxMinValues } from './relax-min-values.ts';

const type = (name: string, family: string): InstanceType => ({
  name,
  capacity: {},
  overhead: {},
  offerings: [],
  requirements: labelRequirements({ family, name }),
});
const families = (minValues: number, ...values: readonly string[]): Requirements =>
  requirementsOf([{ key: 'family', ...(values.length > 0 ? { operator: 'In', values } : { operator: 'Exists' }), minValues }]);
const types = [type('d1', 'd'), type('d2', 'd'), type('d3', 'd'), type('e1', 'e'), type('f1', 'f')];
const names = (list: readonly InstanceType[]): readonly string[] => list.map(({ name }) => name);

describe('cheapestVarious', () => {
  test.each<[string, Requirements, number, readonly string[]]>([
    ['all types where there are few enough', families(2), 5, ['d1', 'd2', 'd3', 'e1', 'f1']],
    ['the first types where nothing is asked', new Map(), 3, ['d1', 'd2', 'd3']],
    ['the first types where they are various enough', families(1), 3, ['d1', 'd2', 'd3']],
    ['a dearer type in place of one that brings nothing new', families(2), 3, ['d1', 'd2', 'e1']],
    ['only what is needed where that is all there is room for', families(3), 3, ['d1', 'e1', 'f1']],
    ['more than asked for where variety needs it', families(3), 2, ['d1', 'e1', 'f1']],
    ['the first types beside those that bring what little there is', families(4), 4, ['d1', 'd2', 'e1', 'f1']],
    ['only values that the requirement itself admits', families(2, 'd', 'f'), 3, ['d1', 'd2', 'f1']],
  ])('keeps %s', (_, requirements, most, expected) => {
    expect(names(cheapestVarious(types, requirements, most))).toEqual(expected);
  });
});

describe('minValues', () => {
  test('counts no value that its requirement rules out', () => {
    expect(minValuesOf(families(2, 'd', 'g'), types)).toEqual({ kind: 'short', shortfalls: [{ key: 'family', wanted: 2, found: 1 }] });
  });
});

describe('relaxMinValues', () => {
  test('changes nothing where the types offer enough', () => {
    const requirements = families(3);
    expect(relaxMinValues(requirements, types)).toBe(requirements);
  });

  test('lowers what is asked to what is there', () => {
    expect(relaxMinValues(families(4), types).get('family')?.minValues).toBe(3);
  });

  test('asks nothing where there is nothing', () => {
    expect(relaxMinValues(families(4), []).get('family')).not.toHaveProperty('minValues');
  });
});
