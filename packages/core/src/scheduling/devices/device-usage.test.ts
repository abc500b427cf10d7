import { describe, expect, test } from '@jest/globals';
import type { Device } from '../../kube/index.ts';
import { poolDevice } from './device.ts';
import { DeviceUsage } from './device-usage.ts';
import type { Grant } from './device-usage.ts';

const grantOf = (traits: Partial<Device>, { isAdmin = false, memory = 3n } = {}): Grant => ({
  ...{ claimKey: 'c', request: 'r', isAdmin, consumed: new Map([['memory', memory]]) },
  device: poolDevice({ name: 'gpu', ...traits }, { driver: 'd', pool: 'p', isTemplate: false }, { kind: 'everywhere' }),
});

const counting: Partial<Device> = { consumesCounters: [{ counterSet: 's', counters: { slots: { value: '2' } } }] };
const GPU = 'd/p/gpu';
const NANO = 1_000_000_000n;
const slotsInUse = (usage: DeviceUsage): bigint => usage.counterOf('d/p', 's/slots') / NANO;

describe('what is taken of devices', () => {
  test('is nothing at first, and once something was taken it is known to have been', () => {
    const usage = new DeviceUsage();
    expect([usage.isEmpty, usage.isTaken(GPU)]).toEqual([true, false]);
    usage.take(grantOf({}));
    expect([usage.isEmpty, usage.isTaken(GPU)]).toEqual([false, true]);
  });

  test('is what was taken here and below', () => {
    const [below, lower] = [new DeviceUsage(), new DeviceUsage()];
    below.take(grantOf(counting));
    lower.take(grantOf(counting, { memory: 5n }));
    const usage = new DeviceUsage(below, lower);
    usage.take(grantOf(counting, { memory: 1n }));
    expect([usage.capacityOf(GPU, 'memory'), slotsInUse(usage), below.capacityOf(GPU, 'memory'), slotsInUse(below)]).toEqual([
      9n,
      6n,
      3n,
      2n,
    ]);
  });

  test('when admin access takes a device › it stays free for other pods', () => {
    const usage = new DeviceUsage();
    usage.take(grantOf(counting, { isAdmin: true }));
    expect([usage.isTaken(GPU), slotsInUse(usage)]).toEqual([false, 0n]);
    usage.hold(grantOf(counting, { isAdmin: true }));
    expect([usage.isTaken(GPU), slotsInUse(usage)]).toEqual([true, 2n]);
  });

  test('is free again once it is released', () => {
    const usage = new DeviceUsage();
    usage.hold(grantOf(counting));
    usage.release(grantOf(counting));
    expect([usage.isTaken(GPU), usage.capacityOf(GPU, 'memory'), slotsInUse(usage)]).toEqual([false, 0n, 0n]);
  });
});

test('what is given back on top is free there, and stays taken below', () => {
  const below = new DeviceUsage();
  below.take(grantOf(counting));
  below.take(grantOf(counting, { isAdmin: true }));
  const usage = new DeviceUsage(below);
  usage.putBack(grantOf(counting));
  usage.putBack(grantOf(counting, { isAdmin: true }));
  expect([usage.isTaken(GPU), usage.capacityOf(GPU, 'memory'), slotsInUse(usage)]).toEqual([false, 0n, 0n]);
  expect([below.isTaken(GPU), slotsInUse(below)]).toEqual([true, 2n]);
});

describe('a device that several claims share', () => {
  const shared = { ...counting, allowMultipleAllocations: true };

  test('takes its counters with the first, and frees them with the last', () => {
    const usage = new DeviceUsage();
    const slots = [slotsInUse(usage)];
    for (const change of ['hold', 'hold', 'release', 'hold', 'release', 'release'] as const) {
      usage[change](grantOf(shared));
      slots.push(slotsInUse(usage));
    }
    expect(slots).toEqual([0n, 2n, 2n, 2n, 2n, 2n, 0n]);
  });

  test('takes no more of them where it is shared below already', () => {
    const [below, other] = [new DeviceUsage(), new DeviceUsage()];
    below.take(grantOf(shared));
    const usage = new DeviceUsage(other, below);
    usage.take(grantOf(shared));
    expect([slotsInUse(usage), usage.capacityOf(GPU, 'memory')]).toEqual([2n, 6n]);
  });

  test('keeps its counters until the last that shares it below is given back', () => {
    const below = new DeviceUsage();
    below.take(grantOf(shared));
    below.take(grantOf(shared));
    const usage = new DeviceUsage(below);
    const slots = [1, 2].map(() => {
      usage.putBack(grantOf(shared));
      return slotsInUse(usage);
    });
    expect([slots, usage.isTaken(GPU)]).toEqual([[2n, 0n], false]);
  });
});
