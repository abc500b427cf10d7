import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import type { RequirementSpec } from '../../apis/index.ts';
import { addBit, emptyBitSet } from '../../base/index.ts';
import { defaultSchedulingPolicy } from '../policy.ts';
import type { SchedulingPolicy } from '../policy.ts';
import { aState } from '../testing/a-template.ts';
import { fitOf, keepsVariety } from './fit.ts';
import type { Fit } from './node-model.ts';

const bestEffort: SchedulingPolicy = { ...defaultSchedulingPolicy, minValues: 'BestEffort' };
const machine = { cpus: 4, memoryBytes: 2 ** 34, pricePerHour: 1 };
/** Four machines of two families. */
const machines = ['a', 'a', 'b', 'b'].map((family) => ({ ...machine, labels: { family } }));
const varied = (key: string, minValues: number): RequirementSpec => ({ key, operator: 'Exists', minValues });

/** Whether a node that may be any of the machines keeps its variety when these are left. */
const keepsWith = (left: readonly number[], requirements: readonly RequirementSpec[], policy = bestEffort): boolean => {
  const state = aState(machines, { requirements }, policy);
  const fitOn = (types: readonly number[]): Fit => {
    const set = emptyBitSet(machines.length);
    for (const type of types) addBit(set, type);
    const fit = fitOf(state, new Float64Array(3), { id: types.join(), types: set });
    if (fit === undefined) throw new Error('the machines carry nothing');
    return fit;
  };
  return keepsVariety(fitOn([0, 1, 2, 3]), fitOn(left));
};

describe('of the variety that a pool would like, a node', () => {
  const names = (least: number): RequirementSpec => varied(labels.instanceType, least);
  const families = (least: number): RequirementSpec => varied('family', least);
  test.each<[string, boolean, Parameters<typeof keepsWith>]>([
    ['keeps all where nothing is lost', true, [[0, 1, 2, 3], [names(4)]]],
    ['keeps enough while there are as many as the minimum', true, [[0, 1], [names(2)]]],
    ['loses some with one less than the minimum', false, [[0, 1], [names(3)]]],
    ['loses some where there were fewer from the start', false, [[0, 1, 2], [names(9)]]],
    ['keeps what it has of one kind', true, [[0, 2], [families(2)]]],
    ['loses a kind with its last machine', false, [[0, 1], [families(2)]]],
    [
      'loses some of one where it keeps another',
      false,
      [
        [0, 1],
        [names(2), families(2)],
      ],
    ],
    [
      'loses some of one where it keeps another, whichever comes first',
      false,
      [
        [0, 2],
        [families(2), names(3)],
      ],
    ],
    ['has nothing to lose without a minimum', true, [[0], []]],
  ])('%s', (_, keeps, asked) => expect(keepsWith(...asked)).toBe(keeps));

  test('may lose all where the pool insists: then the fit itself is checked', () => {
    expect(keepsWith([0, 1], [names(2), families(1)], { ...bestEffort, minValues: 'Strict' })).toBe(true);
    expect(keepsWith([0, 1, 2], [names(3), families(2)], { ...bestEffort, minValues: 'Strict' })).toBe(true);
  });
});
