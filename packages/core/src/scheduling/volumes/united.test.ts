import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { requirementsText } from '../../catalog/index.ts';
import type { NodeSelectorRequirement } from '../../kube/index.ts';
import { firstUnmet, requirementsOf } from '../../requirements/index.ts';
import { uniteAlternatives } from './volume-alternatives.ts';
import type { Alternatives } from './volume-alternatives.ts';
import { isIn } from '../../testing/objects.ts';

type Written = readonly NodeSelectorRequirement[];
const isNotIn = (key: string, ...values: readonly string[]): NodeSelectorRequirement => ({ key, operator: 'NotIn', values });
const exists = (key: string): NodeSelectorRequirement => ({ key, operator: 'Exists' });
const isAbsent = (key: string): NodeSelectorRequirement => ({ key, operator: 'DoesNotExist' });

const readAlternatives = (each: readonly Written[]): Alternatives => each.map((specs) => requirementsOf(specs));
const texts = (alternatives: Alternatives): readonly string[] => alternatives.map(requirementsText);

describe('alternatives, where a node must meet one,', () => {
  test.each<[string, readonly Written[], readonly Written[]]>([
    ['none stay none', [], []],
    ['one does not change', [[isIn('zone', 'z1')]], [[isIn('zone', 'z1')]]],
    ['two zones are one requirement', [[isIn('zone', 'z2')], [isIn('zone', 'z1')]], [[isIn('zone', 'z1', 'z2')]]],
    ['lists of zones that overlap are one', [[isIn('zone', 'z1', 'z2')], [isIn('zone', 'z2', 'z3')]], [[isIn('zone', 'z1', 'z2', 'z3')]]],
    [
      'the same twice is there once',
      [
        [isIn('zone', 'z1'), isIn('disk', 'a')],
        [isIn('disk', 'a'), isIn('zone', 'z1')],
      ],
      [[isIn('zone', 'z1'), isIn('disk', 'a')]],
    ],
    [
      'what both ask stays beside the zones',
      [
        [isIn('zone', 'z1'), exists('disk')],
        [exists('disk'), isIn('zone', 'z2')],
      ],
      [[isIn('zone', 'z1', 'z2'), exists('disk')]],
    ],
    [
      'two that differ in two labels stay two: not every pair of values will do',
      [
        [isIn('zone', 'z1'), isIn('disk', 'a')],
        [isIn('zone', 'z2'), isIn('disk', 'b')],
      ],
      [
        [isIn('zone', 'z1'), isIn('disk', 'a')],
        [isIn('zone', 'z2'), isIn('disk', 'b')],
      ],
    ],
    ['different labels stay two', [[isIn('zone', 'z1')], [isIn('disk', 'z1')]], [[isIn('zone', 'z1')], [isIn('disk', 'z1')]]],
    [
      'more labels beside fewer stay two',
      [[isIn('zone', 'z1'), exists('disk')], [isIn('zone', 'z1')]],
      [[isIn('zone', 'z1'), exists('disk')], [isIn('zone', 'z1')]],
    ],
    [
      'fewer labels beside more stay two',
      [[isIn('zone', 'z1')], [isIn('zone', 'z1'), exists('disk')]],
      [[isIn('zone', 'z1')], [isIn('zone', 'z1'), exists('disk')]],
    ],
    ['a list beside all but others is all but these others', [[isIn('zone', 'z1')], [isNotIn('zone', 'z2')]], [[isNotIn('zone', 'z2')]]],
    [
      'all but two beside a list with one of them is all but the other',
      [[isNotIn('zone', 'z1', 'z2')], [isIn('zone', 'z1')]],
      [[isNotIn('zone', 'z2')]],
    ],
    ['all but one, and all but another, is anywhere', [[isNotIn('zone', 'z1')], [isNotIn('zone', 'z2')], [isIn('disk', 'a')]], [[]]],
    ['a list beside the missing label stays two', [[isIn('zone', 'z1')], [isAbsent('zone')]], [[isIn('zone', 'z1')], [isAbsent('zone')]]],
    ['the missing label beside a list stays two', [[isAbsent('zone')], [isIn('zone', 'z1')]], [[isAbsent('zone')], [isIn('zone', 'z1')]]],
    [
      'what was united is united with those before it',
      [
        [isIn('zone', 'z1'), isIn('disk', 'a', 'b')],
        [isIn('zone', 'z2'), isIn('disk', 'a')],
        [isIn('zone', 'z2'), isIn('disk', 'b')],
      ],
      [[isIn('zone', 'z1', 'z2'), isIn('disk', 'a', 'b')]],
    ],
    [
      'those that cannot be united keep their order, and what is united comes last',
      [[isIn('zone', 'z1')], [isIn('disk', 'a')], [isIn('rack', 'r')], [isIn('zone', 'z2')]],
      [[isIn('disk', 'a')], [isIn('rack', 'r')], [isIn('zone', 'z1', 'z2')]],
    ],
  ])('%s', (_, given, expected) => {
    expect(texts(uniteAlternatives(readAlternatives(given)))).toEqual(texts(readAlternatives(expected)));
  });

  test('the values of what was united are in order, whatever the order of the alternatives', () => {
    const [all] = uniteAlternatives(readAlternatives([[isIn('zone', 'z3')], [isIn('zone', 'z1')], [isIn('zone', 'z2')]]));
    expect([...(all?.get('zone')?.values.values ?? [])]).toEqual(['z1', 'z2', 'z3']);
  });

  test('are never more than before, and a node meets one exactly when it met one before', () => {
    const values = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 });
    const written = fc
      .tuple(fc.constantFrom('k', 'l'), fc.constantFrom(isIn, isNotIn, exists, isAbsent), values)
      .map(([key, of, all]) => of(key, ...all));
    const several = fc.array(fc.array(written, { maxLength: 3 }), { maxLength: 5 }).map(readAlternatives);
    const value = fc.constantFrom(undefined, 'a', 'b', 'c', 'd');
    const nodes = fc
      .record({ k: value, l: value })
      .map((own) => Object.fromEntries(Object.entries(own).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]))));
    const reaches = (alternatives: Alternatives, node: Readonly<Record<string, string>>): boolean =>
      alternatives.some((each) => firstUnmet(each, node) === undefined);
    fc.assert(
      fc.property(several, fc.array(nodes, { minLength: 1 }), (given, all) => {
        const fewer = uniteAlternatives(given);
        expect(fewer.length).toBeLessThanOrEqual(given.length);
        for (const node of all) expect(reaches(fewer, node)).toBe(reaches(given, node));
      }),
    );
  });
});
