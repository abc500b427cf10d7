import { describe, expect, test } from '@jest/globals';
import { firstUntolerated, firstUntoleratedPreference, tolerates, toleratesTaint } from './node.ts';
import type { Taint, Toleration } from './node.ts';

const gpu: Taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };

describe('a toleration', () => {
  test.each<[string, Toleration, Taint, boolean]>([
    ['tolerates the same key, value and effect', { key: 'gpu', value: 'yes', effect: 'NoSchedule' }, gpu, true],
    ['tolerates every effect when it names none', { key: 'gpu', operator: 'Equal', value: 'yes' }, gpu, true],
    ['does not bear another value', { key: 'gpu', value: 'no' }, gpu, false],
    ['does not bear another effect', { key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, gpu, false],
    ['tolerates every value with Exists', { key: 'gpu', operator: 'Exists' }, gpu, true],
    ['tolerates everything with Exists and no key', { operator: 'Exists' }, gpu, true],
    ['tolerates nothing without key and operator', {}, gpu, false],
    ['takes a taint without value as an empty one', { key: 'a' }, { key: 'a', effect: 'NoSchedule' }, true],
    [
      'tolerates smaller numbers with Lt',
      { key: 'risk', operator: 'Lt', value: '5' },
      { key: 'risk', value: '3', effect: 'NoSchedule' },
      true,
    ],
    [
      'tolerates no larger numbers with Lt',
      { key: 'risk', operator: 'Lt', value: '5' },
      { key: 'risk', value: '5', effect: 'NoSchedule' },
      false,
    ],
    [
      'tolerates larger numbers with Gt',
      { key: 'iops', operator: 'Gt', value: '5' },
      { key: 'iops', value: '30', effect: 'NoSchedule' },
      true,
    ],
    ['compares numbers only', { key: 'iops', operator: 'Gt', value: '5' }, { key: 'iops', value: 'many', effect: 'NoSchedule' }, false],
  ])('%s', (...[, toleration, taint, isTolerated]) => expect(toleratesTaint(toleration, taint)).toBe(isTolerated));
});

describe('the taints of a node', () => {
  const rather: Taint = { key: 'rather-not', effect: 'PreferNoSchedule' };

  test('one that is not tolerated keeps the pod away, and is named', () => {
    expect(firstUntolerated([rather, gpu], [])).toBe(gpu);
    expect(tolerates([rather, gpu], [{ operator: 'Exists' }])).toBe(true);
  });

  test('a preference keeps nothing away, but can be requested', () => {
    expect(tolerates([rather])).toBe(true);
    expect(firstUntoleratedPreference([gpu, rather])).toBe(rather);
    expect(firstUntoleratedPreference([gpu, rather], [{ key: 'rather-not', operator: 'Exists' }])).toBeUndefined();
  });
});
