import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SubnetAddresses } from './subnet-addresses.ts';

const steps = fc.array(fc.oneof(fc.record({ take: fc.integer({ min: 1, max: 6 }) }), fc.record({ putBack: fc.nat({ max: 20 }) })), {
  maxLength: 60,
});

test('no address is given out twice, and as many are free as were not given out', () => {
  fc.assert(
    fc.property(steps, (run) => {
      const subnet = new SubnetAddresses('10.0.0.0/27');
      const held: (readonly string[])[] = [];
      for (const step of run) {
        if ('take' in step) {
          const taken = subnet.take(step.take);
          if (taken) held.push(taken);
          else expect(subnet.free).toBeLessThan(step.take);
        } else {
          subnet.putBack(held.splice(step.putBack, 1).flat());
        }
        const all = held.flat();
        expect(new Set(all).size).toBe(all.length);
        expect(subnet.free).toBe(32 - 5 - all.length);
      }
    }),
  );
});

test('the first address is the fifth of the range', () => {
  expect(new SubnetAddresses('10.224.1.0/24').take(1)).toEqual(['10.224.1.4']);
});
