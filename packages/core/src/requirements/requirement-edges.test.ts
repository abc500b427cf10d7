import { describe, expect, test } from '@jest/globals';
import type { RequirementSpec } from '../apis/index.ts';
import { defaultLabelCatalog } from '../apis/index.ts';
import type { NodeSelectorTerm } from '../kube/index.ts';
import { compatible, describeRequirement, merge, requirementOf, requirementsOf, specsOf } from './requirements.ts';
import { podRequirements } from './pod-requirements.ts';
import { admits, and } from './requirement.ts';
import type { Requirement } from './requirement.ts';

const only = (...specs: readonly RequirementSpec[]): Requirement => {
  const [requirement] = requirementsOf(specs).values();
  if (requirement === undefined) throw new Error('a requirement was written');
  return requirement;
};
const about = (operator: RequirementSpec['operator'], ...values: readonly string[]): RequirementSpec => ({ key: 'k', operator, values });

describe('bounds', () => {
  test.each<[string, readonly RequirementSpec[], readonly string[]]>([
    ['Gte and Lte take the bound itself in', [about('Gte', '2'), about('Lte', '4')], ['2', '3', '4']],
    ['Gt and Lt leave it out', [about('Gt', '2'), about('Lt', '4')], ['3']],
    ['the larger of two lower bounds counts', [about('Gte', '1'), about('Gte', '3'), about('Lte', '4')], ['3', '4']],
    ['and whichever comes first', [about('Gte', '3'), about('Gte', '1'), about('Lte', '4')], ['3', '4']],
    ['the smaller of two upper bounds counts', [about('Gte', '2'), about('Lte', '5'), about('Lte', '3')], ['2', '3']],
    ['and whichever comes first', [about('Gte', '2'), about('Lte', '3'), about('Lte', '5')], ['2', '3']],
    ['a number in another spelling is no number', [about('Gte', '4')], ['4', '5']],
  ])('%s', (...[, specs, admitted]) => {
    const requirement = only(...specs);
    expect(['1', '2', '3', '4', '5', '04', '+4', '4.5', 'x', ''].filter((value) => admits(requirement, value))).toEqual(admitted);
  });
});

describe('what is written', () => {
  test.each<[string, readonly RequirementSpec[]]>([
    ['a bound alone, without Exists', [about('Gte', '2')]],
    ['an upper bound alone', [about('Lte', '2')]],
    ['Exists, without values', [{ key: 'k', operator: 'Exists' }]],
    ['minValues, on every entry', ['Gte', 'Lte'].map((operator) => ({ ...about(operator as 'Gte', '2'), minValues: 3 }))],
  ])('%s', (_, specs) => expect(specsOf(requirementsOf(specs))).toStrictEqual(specs));

  test('no minValues where none is set', () => {
    expect(requirementOf(about('In', 'a'), defaultLabelCatalog)).not.toHaveProperty('minValues');
    expect(and(only(about('In', 'a')), only(about('In', 'a')))).not.toHaveProperty('minValues');
    expect(and(only({ ...about('In', 'a'), minValues: 2 }), only(about('In', 'a'))).minValues).toBe(2);
    expect(and(only(about('In', 'a')), only({ ...about('In', 'a'), minValues: 2 })).minValues).toBe(2);
  });

  test('no bounds where none are', () =>
    expect(only(about('NotIn', 'a')).values).toStrictEqual({ kind: 'not-in', values: new Set(['a']) }));
});

describe('for people', () => {
  test.each<[readonly RequirementSpec[], string]>([
    [[about('In', '1', '2', '3', '4', '5')], 'k In [1, 2, 3, 4, 5]'],
    [[about('In', '1', '2', '3', '4', '5', '6')], 'k In [1, 2, 3, 4, 5 and 1 others]'],
    [[about('Gte', '2'), about('Lte', '4')], 'k at least 2 and at most 4'],
    [[{ key: 'k', operator: 'Exists' }], 'k Exists'],
  ])('%j reads %s', (specs, text) => expect(describeRequirement(only(...specs))).toBe(text));

  test('a requirement that asks for nothing says so', () =>
    expect(describeRequirement({ key: 'k', values: { kind: 'not-in', values: new Set() }, mayBeAbsent: true })).toBe('k anything'));
});

describe('a problem names', () => {
  test('the field, the operator and the values', () =>
    expect(requirementOf(about('Gt', '1', 'x'), defaultLabelCatalog, 'spec.requirements')).toMatchObject({
      field: 'spec.requirements[k]',
      value: 'Gt [1, x]',
    }));
  test('a list that is not there as one that is empty', () =>
    expect(requirementOf({ key: 'k', operator: 'In' }, defaultLabelCatalog)).toMatchObject({ value: 'In []' }));
  test('something even where nobody said which field it is', () =>
    expect(requirementOf(about('Gt'), defaultLabelCatalog)).toMatchObject({ field: 'requirement[k]' }));
  test('itself when the API server should have refused it', () =>
    expect(() => requirementsOf([about('In')])).toThrow('requirement[k] is In []'));

  const broken: NodeSelectorTerm = { matchExpressions: [about('Gt', 'x')] };
  test.each([
    ['required', { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [broken] } }],
    ['preferred', { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: broken }] }],
  ])('the %s term', (sort, nodeAffinity) =>
    expect(podRequirements({ containers: [], affinity: { nodeAffinity } }, defaultLabelCatalog)).toMatchObject({
      field: `spec.affinity.nodeAffinity.${sort}.matchExpressions[k]`,
    }),
  );
});

test('a pod with affinity to pods alone asks nothing of labels', () =>
  expect(podRequirements({ containers: [], affinity: { podAffinity: {} } }, defaultLabelCatalog)).toEqual({
    alternatives: [new Map()],
    byName: [],
    preferred: [],
  }));

test('merging with nothing makes no new map', () => {
  const [some, none] = [requirementsOf([about('In', 'a')]), requirementsOf([])];
  expect([merge(some, none), merge(none, some)].every((merged) => merged === some)).toBe(true);
});

test('the answer about a label that is not offered names no offer', () =>
  expect(compatible(requirementsOf([]), requirementsOf([about('In', 'a')]))).not.toHaveProperty('offered'));
