import type { SelectedDevice } from '../device-selector.ts';

/** The device that recorded selectors were evaluated on: 40 GiB of memory, one attribute of each type. */
export const selectedGpu: SelectedDevice = {
  driver: 'gpu.example.com',
  attributes: new Map([
    ['model', { string: 'A100' }],
    ['index', { int: 3 }],
    ['ecc', { bool: true }],
    ['driverVersion', { version: '535.104.5' }],
    ['topology.example.com/numa', { int: 1 }],
  ]),
  capacity: new Map([['memory', 40n * 1024n ** 3n * 10n ** 9n]]),
  allowsMultiple: false,
  likeness: 'gpu',
};
