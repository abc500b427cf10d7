import { describe, expect, test } from '@jest/globals';
import { type BlockedSize, unavailableOfferings } from './unavailable-offerings.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const blockedSize = (name: string, vCpus: number): BlockedSize => ({ name, vCpus, family: 'standardDSv3Family' });
const d2 = blockedSize('Standard_D2s_v3', 2);
const d8 = blockedSize('Standard_D8s_v3', 8);
const d16 = blockedSize('Standard_D16s_v3', 16);

const aMemory = () => {
  const clock = { ms: 0, now: () => clock.ms };
  return { clock, memory: unavailableOfferings(clock) };
};

describe('purchases that failed', () => {
  test('block the size and its larger siblings in that zone and capacity type, until they are forgotten', () => {
    const { clock, memory } = aMemory();
    memory.block({ size: d8, zone: 'eastus-1', capacityType: 'on-demand', ttlMs: 1000 });
    expect(memory.has(d8, 'eastus-1', 'on-demand')).toBe(true);
    expect(memory.has(d16, 'eastus-1', 'on-demand')).toBe(true);
    expect(memory.has(d2, 'eastus-1', 'on-demand')).toBe(false);
    expect(memory.has(d8, 'eastus-2', 'on-demand')).toBe(false);
    expect(memory.has(d8, 'eastus-1', 'spot')).toBe(false);
    clock.ms = 1000;
    expect(memory.has(d8, 'eastus-1', 'on-demand')).toBe(false);
  });

  test('a second block neither loosens nor shortens the first', () => {
    const { clock, memory } = aMemory();
    memory.block({ size: d8, zone: '0', capacityType: 'spot', ttlMs: 1000 });
    memory.block({ size: d16, zone: '0', capacityType: 'spot', ttlMs: 10 });
    clock.ms = 500;
    expect(memory.has(d8, '0', 'spot')).toBe(true);
    expect(memory.has(d16, '0', 'spot')).toBe(true);
  });

  test('a small size that lacks quota for ten minutes is not out as long as a large one that is not sold at all', () => {
    const { clock, memory } = aMemory();
    const d64 = blockedSize('Standard_D64s_v3', 64);
    memory.block({ size: d64, zone: 'eastus-1', capacityType: 'on-demand', ttlMs: 23 * HOUR });
    memory.block({ size: d2, zone: 'eastus-1', capacityType: 'on-demand', ttlMs: 10 * MINUTE });
    const sold = () => [d2, d16, d64].map((each) => !memory.has(each, 'eastus-1', 'on-demand'));
    expect(sold()).toEqual([false, false, false]);
    clock.ms = 10 * MINUTE;
    expect(sold()).toEqual([true, true, false]);
  });

  test('spot as a whole can be blocked', () => {
    const { memory } = aMemory();
    memory.blockSpot(1000);
    expect(memory.has(d2, 'eastus-3', 'spot')).toBe(true);
    expect(memory.has(d2, 'eastus-3', 'on-demand')).toBe(false);
  });

  test('the version moves with a new block and with its end, not with a block that says nothing new', () => {
    const { clock, memory } = aMemory();
    const start = memory.version();
    memory.block({ size: d8, zone: '0', capacityType: 'spot', ttlMs: 1000 });
    const blocked = memory.version();
    expect(blocked).toBeGreaterThan(start);
    memory.block({ size: d8, zone: '0', capacityType: 'spot', ttlMs: 1000 });
    expect(memory.version()).toBe(blocked);
    clock.ms = 1000;
    expect(memory.version()).toBeGreaterThan(blocked);
  });

  test('that fail again after their block ran out stay out twice as long each time, up to a day', () => {
    const { clock, memory } = aMemory();
    const hoursOut = (): number => {
      const startMs = clock.ms;
      memory.block({ size: d8, zone: 'eastus-1', capacityType: 'on-demand', ttlMs: HOUR });
      while (memory.has(d8, 'eastus-1', 'on-demand')) clock.ms += HOUR;
      return (clock.ms - startMs) / HOUR;
    };
    expect([1, 2, 3, 4, 5, 6, 7].map(hoursOut)).toEqual([1, 2, 4, 8, 16, 24, 24]);
    memory.sold({ size: d8, zone: 'eastus-1', capacityType: 'on-demand' });
    expect(hoursOut()).toBe(1);
    clock.ms += 25 * HOUR;
    expect(hoursOut()).toBe(1);
  });

  test('for want of spot quota keep spot out for the same time each time', () => {
    const { clock, memory } = aMemory();
    for (let again = 0; again < 4; again++) {
      memory.blockSpot(HOUR);
      clock.ms += HOUR;
      expect(memory.has(d2, 'eastus-3', 'spot')).toBe(false);
    }
  });

  test('for want of quota in the region are as large ones on demand, everywhere, at most for ten minutes', () => {
    const { clock, memory } = aMemory();
    const minutesOut = (): number => {
      const startMs = clock.ms;
      memory.blockRegion(8);
      while (memory.has(d8, '0', 'on-demand')) clock.ms += MINUTE;
      return (clock.ms - startMs) / MINUTE;
    };
    memory.blockRegion(8);
    const other = { ...d8, name: 'Standard_F8s_v2', family: 'standardFSv2Family' };
    expect([memory.has(other, 'eastus-1', 'on-demand'), memory.has(other, 'eastus-1', 'spot')]).toEqual([true, false]);
    expect(memory.has({ ...d8, vCpus: 4 }, 'eastus-1', 'on-demand')).toBe(false);
    clock.ms += MINUTE;
    expect([1, 2, 3, 4, 5].map(minutesOut)).toEqual([2, 4, 8, 10, 10]);
    memory.sold({ size: d8, zone: '0', capacityType: 'on-demand' });
    expect(minutesOut()).toBe(1);
  });

  test('that fail together count as one failure', () => {
    const { clock, memory } = aMemory();
    for (let i = 0; i < 100; i++) memory.block({ size: d8, zone: '0', capacityType: 'spot', ttlMs: HOUR });
    clock.ms = HOUR;
    expect(memory.has(d8, '0', 'spot')).toBe(false);
  });
});
