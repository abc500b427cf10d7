import { describe, expect, jest, test } from '@jest/globals';
import { countBits, hasBit } from '../base/index.ts';
import { labelRequirements, requirementsOf } from '../requirements/index.ts';
import type { Requirement } from '../requirements/index.ts';
import { LabelColumns } from './label-columns.ts';

const columns = new LabelColumns([{ requirements: labelRequirements({ zone: 'z1' }) }, { requirements: new Map() }]);

const oneRequirement = (key: string, operator: 'In' | 'NotIn' | 'DoesNotExist'): Requirement => {
  const requirement = requirementsOf([{ key, operator, ...(operator !== 'DoesNotExist' && { values: ['x'] }) }]).get(key);
  if (requirement === undefined) throw new Error(`there is no requirement for "${key}"`);
  return requirement;
};

describe('labels that no machine states, as pod authors invent them', () => {
  test.each(['In', 'NotIn', 'DoesNotExist'] as const)('%s › all machines meet it, and one answer does for all labels', (operator) => {
    const answer = columns.meeting(oneRequirement('rack-1', operator));
    expect([...answer]).toEqual([0b11]);
    expect(columns.meeting(oneRequirement('rack-2', operator))).toBe(answer);
  });

  test('no machine is sure to meet it, and one answer does for all labels', () => {
    const answer = columns.implying(oneRequirement('rack-1', 'NotIn'));
    expect([...answer]).toEqual([0]);
    expect(columns.implying(oneRequirement('rack-2', 'NotIn'))).toBe(answer);
  });

  test('no values are listed, in one list for all labels', () => {
    expect([columns.valuesOf('rack-1'), columns.listing('rack-1').size]).toEqual([undefined, 0]);
    expect(columns.listing('rack-2')).toBe(columns.listing('rack-1'));
  });
});

test('a machine that lacks a label which another states meets a requirement for it', () => {
  expect([...columns.meeting(oneRequirement('zone', 'In'))]).toEqual([0b10]);
  expect([...columns.listing('zone').keys()]).toEqual(['z1']);
});

test('a requirement that excludes one of a thousand values costs the machines with that value', () => {
  const owners = Array.from({ length: 1000 }, (_, index) => ({ requirements: labelRequirements({ type: `type-${index}` }) }));
  const types = new LabelColumns(owners);
  const excluding = requirementsOf([{ key: 'type', operator: 'NotIn', values: ['type-7', 'unknown'] }]).get('type');
  if (excluding === undefined) throw new Error('the type is required');
  types.listing('type');
  const asking = jest.spyOn(Set.prototype, 'has');
  const answers = [types.meeting(excluding), types.implying(excluding)];
  const asked = asking.mock.calls.length;
  asking.mockRestore();
  for (const answer of answers) {
    expect(countBits(answer)).toBe(999);
    expect(hasBit(answer, 7)).toBe(false);
  }
  expect(asked).toBeLessThan(50);
});
