import { describe, expect, test } from '@jest/globals';
import { labelRequirements, requirementsOf } from '../requirements/index.ts';
import type { Requirements } from '../requirements/index.ts';
import type { InstanceType } from './instance-type.ts';
import { cheapestVarious, minValuesOf, relaxMinValues } from './min-values.ts';

describe('min values', () => {
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
});

describe('cheapest various', () => {
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
    interface Case {
      readonly keeps: string;
      readonly asked: Requirements;
      readonly most: number;
      readonly expected: readonly string[];
    }

    test.each<Case>([
      { keeps: 'all types where there are few enough', asked: families(2), most: 5, expected: ['d1', 'd2', 'd3', 'e1', 'f1'] },
      { keeps: 'the first types where nothing is required', asked: new Map(), most: 3, expected: ['d1', 'd2', 'd3'] },
      { keeps: 'the first types where they are various enough', asked: families(1), most: 3, expected: ['d1', 'd2', 'd3'] },
      { keeps: 'a dearer type in place of one that brings nothing new', asked: families(2), most: 3, expected: ['d1', 'd2', 'e1'] },
      { keeps: 'only what is needed where that is all there is room for', asked: families(3), most: 3, expected: ['d1', 'e1', 'f1'] },
      { keeps: 'more than asked for where variety needs it', asked: families(3), most: 2, expected: ['d1', 'e1', 'f1'] },
      { keeps: 'the first types beside what little variety there is', asked: families(4), most: 4, expected: ['d1', 'd2', 'e1', 'f1'] },
      { keeps: 'only values that the requirement itself admits', asked: families(2, 'd', 'f'), most: 3, expected: ['d1', 'd2', 'f1'] },
    ])('keeps $keeps', ({ asked, most, expected }) => {
      expect(names(cheapestVarious(types, asked, most))).toEqual(expected);
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

    test('lowers what is required to what is there', () => {
      expect(relaxMinValues(families(4), types).get('family')?.minValues).toBe(3);
    });

    test('asks nothing where there is nothing', () => {
      expect(relaxMinValues(families(4), []).get('family')).not.toHaveProperty('minValues');
    });
  });
});
