import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GlobalMinimum } from './group.ts';

const DOMAINS = 5;
const countIn = (list: readonly number[], index: number): number => list[index] ?? 0;

test('the least count, and whether other domains reach one, are those of a plain scan of the eligible domains, whatever pods came or went and whatever domains opened or closed', () => {
  const changes = fc.array(fc.record({ isAboutPods: fc.boolean(), delta: fc.constantFrom(1, 1, -1), domain: fc.nat(DOMAINS - 1) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(changes, (all) => {
      const counter = new GlobalMinimum();
      const counts = new Array<number>(DOMAINS).fill(0);
      const reasons = new Array<number>(DOMAINS).fill(0);
      for (const { isAboutPods, delta, domain } of all) {
        const list = isAboutPods ? counts : reasons;
        if (countIn(list, domain) + delta < 0) continue;
        list[domain] = countIn(list, domain) + delta;
        if (isAboutPods) counter.add(domain, delta);
        else counter.addReason(domain, delta);
        const open = counts.filter((_, index) => countIn(reasons, index) > 0);
        expect(counter.eligibleDomains).toBe(open.length);
        expect(counter.least).toBe(open.length === 0 ? 0 : Math.min(...open));
        expect(counter.at(domain)).toBe(counts[domain]);
        const others = counts.filter((_, index) => index !== domain && countIn(reasons, index) > 0);
        const haveAll = (count: number): boolean =>
          countIn(reasons, domain) > 0 ? others.every((each) => each >= count) : counter.least >= count;
        for (const count of [1, 2, 3]) expect(counter.haveOthers(count, domain)).toBe(haveAll(count));
      }
    }),
  );
});
