import { describe, expect, test } from '@jest/globals';
import { quantitiesOf, resourcesOf } from './resources.ts';

describe('resource lists', () => {
  test('cpu counts in thousandths, everything else in its base unit', () =>
    expect(resourcesOf({ cpu: '1500m', memory: '2Gi', pods: 110, 'nvidia.com/gpu': '2' })).toEqual({
      cpu: 1500,
      memory: 2_147_483_648,
      pods: 110,
      'nvidia.com/gpu': 2,
    }));

  test('a fraction of a byte is a whole byte', () => expect(resourcesOf({ memory: '100m' })).toEqual({ memory: 1 }));

  test('an absent list means no resources', () => expect(resourcesOf(undefined)).toEqual({}));

  test('they are written canonically, in order', () =>
    expect(Object.entries(quantitiesOf({ memory: 3 * 2 ** 29, cpu: 4000, 'ephemeral-storage': 1000, pods: 110 }))).toEqual([
      ['cpu', '4'],
      ['ephemeral-storage', '1k'],
      ['memory', '1536Mi'],
      ['pods', '110'],
    ]));

  test('a malformed quantity is a bug and says what would be right', () =>
    expect(() => resourcesOf({ cpu: 'two' })).toThrow('"two" is no Kubernetes quantity'));
});
