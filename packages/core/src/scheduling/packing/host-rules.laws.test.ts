import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Group } from '../topology/group.ts';
import { HostCrowd } from './host-rules.ts';
import type { HostRules } from './host-rules.ts';

/** Rules read nothing of a group but which it is. */
const groups = ['a', 'b', 'c'].map((text): Group => ({ text }) as Partial<Group> as Group);
const some = fc.subarray(groups);
const rules: fc.Arbitrary<HostRules> = fc
  .record({ avoids: some, gives: some, spread: some, maxSkew: fc.integer({ min: 1, max: 3 }) })
  .map(({ avoids, gives, spread, maxSkew }) => ({
    avoids,
    gives,
    spreads: spread.map((group) => ({ group, maxSkew, minDomains: 1, self: gives.includes(group) ? 1 : 0 })),
  }));

const isBorneBy = ({ avoids, spreads }: HostRules, others: readonly HostRules[], own: HostRules): boolean => {
  const countOf = (group: Group): number => others.filter(({ gives }) => gives.includes(group)).length;
  return (
    avoids.every((group) => countOf(group) === 0) &&
    spreads.every(({ group, maxSkew }) => countOf(group) + (own.gives.includes(group) ? 1 : 0) <= maxSkew)
  );
};

test('a host takes pods only as far as every one of them bears the others that are there in the end', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(rules, fc.integer({ min: 1, max: 4 })), { maxLength: 8 }), (wanted) => {
      const crowd = new HostCrowd();
      const there: HostRules[] = [];
      for (const [each, most] of wanted) {
        const room = crowd.roomFor(each, most);
        expect(room).toBeLessThanOrEqual(most);
        for (let i = 0; i < room; i++) there.push(each);
        if (room > 0) crowd.add(each, room);
      }
      // Who avoids is checked as it comes: the other side gives a group of carriers that it avoids in turn.
      for (const [index, each] of there.entries()) {
        const spreadsOnly = { ...each, avoids: [] };
        expect(isBorneBy(spreadsOnly, there.toSpliced(index, 1), each)).toBe(true);
        expect(isBorneBy({ ...each, spreads: [] }, there.slice(0, index), each)).toBe(true);
      }
    }),
  );
});

test('an empty host takes any pod', () => {
  fc.assert(
    fc.property(rules, (each) => {
      expect(new HostCrowd().roomFor(each, 1)).toBe(1);
    }),
  );
});
