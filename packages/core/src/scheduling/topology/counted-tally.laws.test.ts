import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CountedTally, Ledger } from './domain-table.ts';

const DOMAINS = 40;
const changes = fc.array(fc.record({ domain: fc.nat(DOMAINS - 1), delta: fc.integer({ min: -3, max: 3 }) }), { maxLength: 40 });
type Changes = typeof changes extends fc.Arbitrary<infer T> ? T : never;

/** What the counter says of every domain, one that it never heard of among them. */
const readingOf = (counter: CountedTally): readonly number[] => [
  counter.total,
  ...Array.from({ length: DOMAINS + 1 }, (_, domain) => counter.at(domain)),
];
const plainReading = (all: Changes): readonly number[] => [
  all.reduce((sum, { delta }) => sum + delta, 0),
  ...Array.from({ length: DOMAINS + 1 }, (_, domain) =>
    all.filter((change) => change.domain === domain).reduce((sum, { delta }) => sum + delta, 0),
  ),
];

test('a counter has the sum of what was added, domain by domain and of all, however many domains there are', () => {
  fc.assert(
    fc.property(changes, (all) => {
      const counter = new CountedTally();
      for (const { domain, delta } of all) counter.add(domain, delta);
      expect(readingOf(counter)).toEqual(plainReading(all));
    }),
  );
});

test('what a ledger undoes is all that was done since it forgot last, and it undoes that once', () => {
  fc.assert(
    fc.property(changes, changes, fc.infiniteStream(fc.boolean()), (kept, undone, sides) => {
      const counters = [new CountedTally(), new CountedTally()];
      const ledger = new Ledger();
      const addTo = (all: Changes): void => {
        for (const { domain, delta } of all) {
          const [counter] = counters.slice(sides.next().value === true ? 1 : 0);
          if (counter !== undefined) ledger.add(counter, domain, delta);
        }
      };
      addTo(kept);
      ledger.forget();
      const before = counters.map(readingOf);
      addTo(undone);
      ledger.undo();
      expect(counters.map(readingOf)).toEqual(before);
      ledger.undo();
      expect(counters.map(readingOf)).toEqual(before);
    }),
  );
});
