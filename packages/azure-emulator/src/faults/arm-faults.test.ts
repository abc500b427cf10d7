import { describe, expect, test } from '@jest/globals';
import { IdSource } from '../id-source.ts';
import { ArmFaults } from './arm-faults.ts';
import type { FaultMatch } from './fault.ts';

const subject = {
  operation: 'VirtualMachines_CreateOrUpdate',
  name: 'aks-a',
  vmSize: 'Standard_D2s_v3',
  zone: '',
  capacityType: 'spot',
} as const;
const lose = { kind: 'lose' } as const;
const faultsOf = (seed = 1): ArmFaults => {
  const ids = new IdSource(seed);
  return new ArmFaults(() => ids.chance('fault'));
};

describe('a fault', () => {
  test.each<[string, FaultMatch, boolean]>([
    ['nothing in particular', {}, true],
    ['the operation, in other letters', { operation: 'virtualmachines_createorupdate' }, true],
    ['another operation', { operation: 'VirtualMachines_Delete' }, false],
    ['name, size and capacity type', { name: 'aks-a', vmSize: 'standard_d2s_v3', capacityType: 'spot' }, true],
    ['a regional machine', { zone: '' }, true],
    ['a zone', { zone: '1' }, false],
    ['the other capacity type', { capacityType: 'on-demand' }, false],
  ])('that names %s', (_case, match, meets) => {
    const faults = faultsOf();
    faults.add({ ...match, effect: lose });
    expect(faults.befall(subject)).toEqual(meets ? [lose] : []);
  });

  test('is over after its times, when it is disposed, and when all are cleared', () => {
    const faults = faultsOf();
    const hits = () => faults.befall(subject).length;
    faults.add({ times: 2, effect: lose });
    expect([hits(), hits(), hits()]).toEqual([1, 1, 0]);
    const lasting = faults.add({ effect: lose });
    expect([hits(), hits()]).toEqual([1, 1]);
    lasting[Symbol.dispose]();
    expect(hits()).toBe(0);
    faults.add({ effect: lose });
    faults.clear();
    expect(hits()).toBe(0);
  });

  test('with a probability strikes about that often, and the same requests with the same seed', () => {
    const run = (seed: number) => {
      const faults = faultsOf(seed);
      faults.add({ probability: 0.3, effect: lose });
      return Array.from({ length: 1_000 }, () => faults.befall(subject).length);
    };
    const struck = run(7).reduce((sum, hit) => sum + hit, 0);
    expect(struck).toBeGreaterThan(240);
    expect(struck).toBeLessThan(360);
    expect(run(7)).toEqual(run(7));
    expect(run(7)).not.toEqual(run(8));
  });
});
