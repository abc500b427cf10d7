import { describe, expect, test } from '@jest/globals';
import type { VmEvent, VmRecord } from '@karpenter/azure-emulator';
import { ALONE, SHARED } from './fault-workloads.ts';
import { MachineRecord } from './machine-record.ts';
import { surplusProblems } from './run-round.ts';
import { faultScenarios } from './scenarios.ts';

/** An Azure in which a test makes and deletes machines. */
const anAzure = () => {
  const vms: VmRecord[] = [];
  const listeners: ((event: VmEvent) => void)[] = [];
  const onVm = (listener: (event: VmEvent) => void): Disposable => {
    listeners.push(listener);
    return { [Symbol.dispose]: () => void listeners.splice(0) };
  };
  const emit = (type: VmEvent['type'], vm: VmRecord): void => {
    for (const listener of listeners) listener({ type, vm });
  };
  const make = (id: string, pool: string, vCpus: number): void => {
    const vm = { id, tags: { pool }, provisioningState: 'Creating', hardware: { vCpus } } as unknown as VmRecord;
    vms.push(vm);
    emit('created', vm);
    emit('running', vm);
  };
  const remove = (id: string): void => {
    const [gone] = vms.splice(
      vms.findIndex((vm) => vm.id === id),
      1,
    );
    if (gone !== undefined) emit('deleted', gone);
  };
  return { arm: { onVm, vms: () => vms }, make, remove };
};

test('the most machines at once are counted at each that is made, however briefly it is there', () => {
  const { arm, make, remove } = anAzure();
  using record = new MachineRecord(arm);
  make('one', SHARED.pool, 8);
  make('two', SHARED.pool, 4);
  remove('two');
  make('three', ALONE.pool, 2);
  remove('three');
  expect(record.most).toEqual({ all: 2, alone: 1, sharedCores: 12 });
  expect(record.begin()).toEqual({ all: 1, alone: 0, sharedCores: 8 });
  expect(record.most).toEqual({ all: 1, alone: 0, sharedCores: 8 });
});

test('a machine that is on its way out does not count', () => {
  const { arm, make } = anAzure();
  using record = new MachineRecord(arm);
  make('one', SHARED.pool, 8);
  arm.vms().forEach((vm) => Object.assign(vm, { provisioningState: 'Deleting' }));
  make('two', SHARED.pool, 4);
  expect(record.begin()).toEqual({ all: 1, alone: 0, sharedCores: 4 });
});

test('a machine that is made again under its name is named', () => {
  const { arm, make, remove } = anAzure();
  using record = new MachineRecord(arm);
  make('one', ALONE.pool, 2);
  make('two', ALONE.pool, 2);
  expect(record.doubled()).toEqual([]);
  remove('two');
  make('two', ALONE.pool, 2);
  expect(record.doubled()).toEqual(['two']);
});

describe('machines beyond what a change explains:', () => {
  const cases = {
    'scale-up': { before: [0, 0], explained: [5, 16], doubled: [6, 32] },
    consolidation: { before: [5, 16], explained: [5, 20], doubled: [6, 32] },
    drift: { before: [5, 2], explained: [10, 4], doubled: [11, 6] },
    removal: { before: [5, 2], explained: [8, 4], doubled: [9, 6] },
    deletion: { before: [5, 2], explained: [5, 2], doubled: [6, 4] },
  } as const;
  const countsOf = ([alone, sharedCores]: readonly [number, number]) => ({ all: 0, alone, sharedCores });

  test.each(faultScenarios)('$name', (scenario) => {
    const { before, explained, doubled } = cases[scenario.name];
    expect(surplusProblems(scenario, countsOf(before), countsOf(explained))).toEqual([]);
    expect(surplusProblems(scenario, countsOf(before), countsOf(doubled))).toEqual([
      expect.stringContaining(`${doubled[0]} machines`),
      expect.stringContaining(`${doubled[1]} cores`),
    ]);
  });
});
