import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Checks, Group } from '../topology/group.ts';
import { hasRules, HostGroups, HostOccupancy, hostRulesOf, isTiedToHost } from './host-rules.ts';
import type { HostRules, NumberedRules } from './host-rules.ts';

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

const numbers = new HostGroups();
const nothing: NumberedRules = { avoided: new Int32Array(), avoidsItself: false, spreads: [], countedBy: new Int32Array() };
const numbered = (own: HostRules): NumberedRules => numbers.numbered(own) ?? nothing;
for (const group of groups) numbered({ antiAffinity: [group], spreads: [], countedBy: [] });

const anEmptyHost = (): HostOccupancy => new HostOccupancy(numbers.size);

const isBorneBy = ({ antiAffinity, spreads }: HostRules, others: readonly HostRules[], own: HostRules): boolean => {
  const countOf = (group: Group): number => others.filter(({ countedBy }) => countedBy.includes(group)).length;
  return (
    antiAffinity.every((group) => countOf(group) === 0) &&
    spreads.every(({ group, maxSkew }) => countOf(group) + (own.countedBy.includes(group) ? 1 : 0) <= maxSkew)
  );
};

/** Rules of pods, and how many of these want to come. */
type Wanted = readonly [own: HostRules, most: number];
const wantedPods = fc.array(fc.tuple(rules, fc.integer({ min: 1, max: 4 })), { maxLength: 8 });

/** The pods on a host in the end. `taken`: how many of the pods come, by those that are there and the room that the host has. */
const onHost = (
  wanted: readonly Wanted[],
  taken: (pods: Wanted, there: readonly HostRules[], room: number) => number,
): readonly HostRules[] => {
  const host = anEmptyHost();
  const there: HostRules[] = [];
  for (const pods of wanted) {
    const [own, most] = pods;
    const count = taken(pods, there, host.roomFor(numbered(own), most));
    there.push(...Array.from({ length: count }, () => own));
    if (count > 0) host.add(numbered(own), count);
  }
  return there;
};

test('a host takes only as many pods as all of them allow in the end', () => {
  fc.assert(
    fc.property(wantedPods, (wanted) => {
      const there = onHost(wanted, ([, most], _there, room) => {
        expect(room).toBeLessThanOrEqual(most);
        return Math.max(0, room);
      });
      for (const [index, each] of there.entries()) expect(isBorneBy(each, there.toSpliced(index, 1), each)).toBe(true);
    }),
  );
});

/**
 * Whether one more may come beside these, by the plain rules: no one avoids it, it avoids no one, and no spread of any
 * of them is overdrawn.
 */
const mayCome = (there: readonly HostRules[], own: HostRules): boolean => {
  const countOf = (group: Group): number => there.filter(({ countedBy }) => countedBy.includes(group)).length;
  const isEven = ({ spreads }: HostRules): boolean =>
    spreads.every(({ group, maxSkew }) => countOf(group) + (own.countedBy.includes(group) ? 1 : 0) <= maxSkew);
  const afterJoining = ({ spreads }: HostRules): HostRules => ({
    ...own,
    spreads: spreads.filter(({ group }) => own.countedBy.includes(group)),
  });
  const isAvoided = there.some(({ antiAffinity }) => antiAffinity.some((group) => own.countedBy.includes(group)));
  return (
    !isAvoided &&
    own.antiAffinity.every((group) => countOf(group) === 0) &&
    isEven(own) &&
    there.every((other) => isEven(afterJoining(other)))
  );
};

test('and as far as they do: one by one, no more pods would find room', () => {
  fc.assert(
    fc.property(wantedPods, (wanted) => {
      onHost(wanted, ([own, most], there, room) => {
        let count = 0;
        const after = [...there];
        for (; count < most && mayCome(after, own); count++) after.push(own);
        expect(Math.max(0, room)).toBe(count);
        return count;
      });
    }),
  );
});

test('pods that were placed beside others on a host stay there; others keep the rules and preferences that they were placed with', () => {
  const free = { antiAffinity: [], spreads: [], affinity: [] };
  const apart: Checks = { keys: [], host: { ...free, antiAffinity: groups }, wide: free };
  const relaxed: Checks = { ...apart, host: free };
  const joining: Checks = { ...apart, host: { ...free, affinity: [{ groups, allGroups: groups, selectsItself: true }] } };
  const topology = { countedBy: [], required: relaxed, preferences: 3, checksWith: () => apart, checksOfPreference: () => undefined };
  expect(hostRulesOf(topology, apart)).toEqual({ antiAffinity: groups, spreads: [], countedBy: [] });
  expect(hostRulesOf(topology, relaxed)).toEqual({ antiAffinity: [], spreads: [], countedBy: [] });
  expect(hostRulesOf(topology, joining)).toBeUndefined();
  expect([joining, apart, relaxed].map(isTiedToHost)).toEqual([true, false, false]);
});

test('an empty host takes any pod', () => {
  fc.assert(
    fc.property(rules, (each) => {
      expect(anEmptyHost().roomFor(numbered(each), 1)).toBe(1);
    }),
  );
});

test('a host that everybody has left is an empty one', () => {
  fc.assert(
    fc.property(fc.array(rules, { minLength: 1, maxLength: 5 }), rules, (there, each) => {
      const host = anEmptyHost();
      for (const other of there) host.add(numbered(other), 2);
      host.clear();
      expect(host.roomFor(numbered(each), 9)).toBe(anEmptyHost().roomFor(numbered(each), 9));
    }),
  );
});

test('a pod without rules never finds a host without room', () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 5 }), rules, (there, each) => {
      const host = anEmptyHost();
      for (const other of there) host.add(numbered(other), 2);
      expect(numbers.numbered(each) === undefined).toBe(!hasRules(each));
      expect(host.roomFor(nothing, 9)).toBe(9);
    }),
  );
});
