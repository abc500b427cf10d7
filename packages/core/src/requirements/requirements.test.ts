import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog } from '../apis/index.ts';
import type { RequirementSpec } from '../apis/index.ts';
import { compatible, firstConflict, firstUnmet, requirementsOf } from './requirements.ts';

const zone = 'topology.kubernetes.io/zone';
const zoneIn = (...values: string[]): RequirementSpec => ({ key: zone, operator: 'In', values });
const allowUndefined = defaultLabelCatalog.wellKnown;

describe('whether a node can satisfy a pod', () => {
  test.each<[string, RequirementSpec[], RequirementSpec[], boolean]>([
    ['shares a value', [zoneIn('1', '2')], [zoneIn('2', '3')], true],
    ['shares none', [zoneIn('1')], [zoneIn('2')], false],
    ['a well-known label that the pool leaves open', [], [zoneIn('2')], true],
    ['a custom label that the pool does not name', [], [{ key: 'team', operator: 'In', values: ['a'] }], false],
    ['must exist, but nobody sets it', [], [{ key: 'team', operator: 'Exists' }], false],
    ['must not have the label, and has not', [], [{ key: 'team', operator: 'DoesNotExist' }], true],
    ['must not have a value, and has no label', [], [{ key: 'team', operator: 'NotIn', values: ['a'] }], true],
    [
      'both are content without the label',
      [{ key: 'gpu', operator: 'DoesNotExist' }],
      [{ key: 'gpu', operator: 'NotIn', values: ['a'] }],
      true,
    ],
    ['must have what is certainly absent', [{ key: 'gpu', operator: 'DoesNotExist' }], [{ key: 'gpu', operator: 'Exists' }], false],
    ['bounds that cross', [{ key: 'cpu', operator: 'Gt', values: ['8'] }], [{ key: 'cpu', operator: 'Lt', values: ['9'] }], false],
    ['bounds that meet', [{ key: 'cpu', operator: 'Gt', values: ['7'] }], [{ key: 'cpu', operator: 'Lt', values: ['9'] }], true],
  ])('%s', (...[, existing, incoming, answer]) =>
    expect(compatible(requirementsOf(existing), requirementsOf(incoming), { allowUndefined }) === undefined).toBe(answer),
  );

  test('a node that stands has only the labels it has', () =>
    expect(compatible(requirementsOf([]), requirementsOf([zoneIn('1')]))).toMatchObject({ key: zone }));

  test('the answer names what was wanted and what was offered', () => {
    const pool = requirementsOf([zoneIn('1')]);
    const pod = requirementsOf([zoneIn('2')]);
    expect(compatible(pool, pod)).toEqual({ key: zone, wanted: pod.get(zone), offered: pool.get(zone) });
  });

  test('a conflict is about labels that both name', () => {
    expect(firstConflict(requirementsOf([]), requirementsOf([{ key: 'team', operator: 'Exists' }]))).toBeUndefined();
    expect(firstConflict(requirementsOf([zoneIn('1')]), requirementsOf([zoneIn('2')]))?.key).toBe(zone);
  });

  test('labels are judged as they are', () => {
    expect(firstUnmet(requirementsOf([zoneIn('1')]), { [zone]: '1' })).toBeUndefined();
    expect(firstUnmet(requirementsOf([zoneIn('1')]), {})?.key).toBe(zone);
  });
});
