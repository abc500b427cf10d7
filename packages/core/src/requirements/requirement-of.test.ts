import { describe, expect, test } from '@jest/globals';
import type { LabelCatalog, RequirementSpec } from '../apis/index.ts';
import { defaultLabelCatalog, labels } from '../apis/index.ts';
import { describeRequirement, requirementOf, requirementsOf, specsOf } from './requirements.ts';
import { isEmpty } from './requirement.ts';

const catalog: LabelCatalog = { ...defaultLabelCatalog, normalizedValues: new Map([[labels.zone, new Map([['', '0']])]]) };

describe('reading a requirement', () => {
  test('old names mean the stable ones, and foreign values the provider’s', () =>
    expect(requirementOf({ key: 'failure-domain.beta.kubernetes.io/zone', operator: 'In', values: ['', 'eastus-1'] }, catalog)).toEqual({
      key: labels.zone,
      values: { kind: 'in', values: new Set(['0', 'eastus-1']) },
      mayBeAbsent: false,
    }));

  test.each<[RequirementSpec, string]>([
    [{ key: 'a', operator: 'In', values: [] }, 'In takes at least one value'],
    [{ key: 'a', operator: 'Gt', values: ['many'] }, 'Gt takes exactly one integer'],
    [{ key: 'a', operator: 'Lte', values: ['1', '2'] }, 'Lte takes exactly one integer'],
    [
      { key: 'a', operator: 'Near' as 'In', values: ['1'] },
      'Near is no operator; accepted are In, NotIn, Exists, DoesNotExist, Gt, Gte, Lt and Lte',
    ],
  ])('%j is a problem', (spec, problem) =>
    expect(requirementOf(spec, catalog, 'spec.requirements')).toMatchObject({ field: 'spec.requirements[a]', problem }),
  );

  test('above the largest integer there is nothing', () => {
    const beyond = requirementsOf([{ key: 'a', operator: 'Gt', values: ['9223372036854775807'] }]).get('a');
    expect(beyond && isEmpty(beyond)).toBe(true);
  });

  test('the larger minValues counts', () =>
    expect(
      requirementsOf([
        { key: 'a', operator: 'Exists', minValues: 2 },
        { key: 'a', operator: 'In', values: ['x', 'y', 'z'], minValues: 3 },
        { key: 'a', operator: 'NotIn', values: ['z'] },
      ]).get('a'),
    ).toMatchObject({ values: { values: new Set(['x', 'y']) }, minValues: 3 }));
});

describe('writing requirements', () => {
  test('by key, values in order', () =>
    expect(
      specsOf(
        requirementsOf([
          { key: 'b', operator: 'In', values: ['2', '1'] },
          { key: 'a', operator: 'Gt', values: ['3'] },
          { key: 'a', operator: 'NotIn', values: ['7', 'x'] },
          { key: 'a', operator: 'Lt', values: ['10'] },
        ]),
      ),
    ).toEqual([
      { key: 'a', operator: 'NotIn', values: ['7'] },
      { key: 'a', operator: 'Gte', values: ['4'] },
      { key: 'a', operator: 'Lte', values: ['9'] },
      { key: 'b', operator: 'In', values: ['1', '2'] },
    ]));

  test('a contradiction stays one', () =>
    expect(
      specsOf(
        requirementsOf([
          { key: 'a', operator: 'In', values: ['1'] },
          { key: 'a', operator: 'NotIn', values: ['1'] },
        ]),
      ).map(({ operator }) => operator),
    ).toEqual(['DoesNotExist', 'Exists']));

  test('for people, long lists are cut', () => {
    const described = [...requirementsOf([{ key: 'zone', operator: 'In', values: ['1', '2', '3', '4', '5', '6', '7'] }]).values()].map(
      describeRequirement,
    );
    expect(described).toEqual(['zone In [1, 2, 3, 4, 5 and 2 others]']);
  });
});
