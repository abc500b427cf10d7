import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Checks } from '../topology/checks.ts';
import type { Group } from '../topology/group.ts';
import { hasRules, HostOccupancy, hostRulesOf, isTiedToHost } from './host-rules.ts';
import type { HostRules } from './host-rules.ts';

/** Rules read nothing of a group but which it is. */
const groups = ['a', 'b', 'c'].map((text): Group => ({ text }) as Partial<Group> as Group);
const some = fc.subarray(groups);
const rules: fc.Arbitrary<HostRules> = fc
  .record({ antiAffinity: some, countedBy: some, spread: some, maxSkew: fc.integer({ min: 1, max: 3 }) })
  .map(({ antiAffinity, countedBy, spread, maxSkew }) => ({
    antiAffinity,
    countedBy,
    spreads: spread.map((group) => ({ group, maxSkew, minDomains: 1, self: countedBy.includes(group) ? 1 : 0 })),
  }));

const isBorneBy = ({ antiAffinity, spreads }: HostRules, others: readonly HostRules[], own: HostRules): boolean => {
  const countOf = (group: Group): number => others.filter(({ countedBy }) => countedBy.includes(group)).length;
  return (
    antiAffinity.every((group) => countOf(group) === 0) &&
    spreads.every(({ group, maxSkew }) => countOf(group) + (own.countedBy.includes(group) ? 1 : 0) <= maxSkew)
  );
};

test('a host takes only as many pods as all of them allow in the end', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(rules, fc.integer({ min: 1, max: 4 })), { maxLength: 8 }), (wanted) => {
      const host = new HostOccupancy();
      const there: HostRules[] = [];
      for (const [each, most] of wanted) {
        const room = host.roomFor(each, most);
        expect(room).toBeLessThanOrEqual(most);
        for (let i = 0; i < room; i++) there.push(each);
        if (room > 0) host.add(each, room);
      }
      for (const [index, each] of there.entries()) expect(isBorneBy(each, there.toSpliced(index, 1), each)).toBe(true);
    }),
  );
});

/** Whether one more may come beside these, by the plain rules: no one avoids it, it avoids no one, and no spread of any of them is overdrawn. */
const mayCome = (there: readonly HostRules[], own: HostRules): boolean => {
  const countOf = (group: Group): number => there.filter(({ countedBy }) => countedBy.includes(group)).length;
  const isEven = ({ spreads }: HostRules): boolean =>
    spreads.every(({ group, maxSkew }) => countOf(group) + (own.countedBy.includes(group) ? 1 : 0) <= maxSkew);
  const givesTo = ({ spreads }: HostRules): HostRules => ({
    ...own,
    spreads: spreads.filter(({ group }) => own.countedBy.includes(group)),
  });
  const isAvoided = there.some(({ antiAffinity }) => antiAffinity.some((group) => own.countedBy.includes(group)));
  return (
    !isAvoided && own.antiAffinity.every((group) => countOf(group) === 0) && isEven(own) && there.every((other) => isEven(givesTo(other)))
  );
};

test('and as far as they do: one by one, no more pods would find room', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(rules, fc.integer({ min: 1, max: 4 })), { maxLength: 8 }), (wanted) => {
      const host = new HostOccupancy();
      const there: HostRules[] = [];
      for (const [each, most] of wanted) {
        const room = host.roomFor(each, most);
        let taken = 0;
        for (; taken < most && mayCome(there, each); taken++) there.push(each);
        expect(Math.max(0, room)).toBe(taken);
        if (taken > 0) host.add(each, taken);
      }
    }),
  );
});

test('pods that were placed beside others on a host stay there; others keep the rules and preferences that they were placed with', () => {
  const nothing = { antiAffinity: [], spreads: [], affinity: [] };
  const apart: Checks = { keys: [], host: { ...nothing, antiAffinity: groups }, wide: nothing };
  const relaxed: Checks = { ...apart, host: nothing };
  const joining: Checks = { ...apart, host: { ...nothing, affinity: [{ groups, allGroups: groups, selectsItself: true }] } };
  const topology = { countedBy: [], required: relaxed, preferences: 3, checksWith: () => apart };
  expect(hostRulesOf(topology, apart)).toEqual({ antiAffinity: groups, spreads: [], countedBy: [] });
  expect(hostRulesOf(topology, relaxed)).toEqual({ antiAffinity: [], spreads: [], countedBy: [] });
  expect(hostRulesOf(topology, joining)).toBeUndefined();
  expect([joining, apart, relaxed].map(isTiedToHost)).toEqual([true, false, false]);
});

test('an empty host takes any pod', () => {
  fc.assert(
    fc.property(rules, (each) => {
      expect(new HostOccupancy().roomFor(each, 1)).toBe(1);
    }),
  );
});

test('a host that everybody has left is an empty one', () => {
  fc.assert(
    fc.property(fc.array(rules, { minLength: 1, maxLength: 5 }), rules, (there, each) => {
      const host = new HostOccupancy();
      for (const other of there) host.add(other, 2);
      host.clear();
      expect(host.roomFor(each, 9)).toBe(new HostOccupancy().roomFor(each, 9));
    }),
  );
});

test('a pod without rules never finds a host without room', () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 5 }), rules, (there, each) => {
      const host = new HostOccupancy();
      for (const other of there) host.add(other, 2);
      if (!hasRules(each)) expect(host.roomFor(each, 9)).toBe(9);
      expect(host.roomFor({ antiAffinity: [], spreads: [], countedBy: [] }, 9)).toBe(9);
    }),
  );
});
