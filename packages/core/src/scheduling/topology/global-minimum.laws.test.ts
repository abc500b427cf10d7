import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FloorCounter } from './global-minimum.ts';

const DOMAINS = 5;
const at = (list: readonly number[], index: number): number => list[index] ?? 0;

test('the least count is that of a plain look over the open domains, whatever came, went, opened or closed', () => {
  const changes = fc.array(fc.record({ isAboutPods: fc.boolean(), delta: fc.constantFrom(1, 1, -1), domain: fc.nat(DOMAINS - 1) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(changes, (all) => {
      const counter = new FloorCounter();
      const counts = new Array<number>(DOMAINS).fill(0);
      const reasons = new Array<number>(DOMAINS).fill(0);
      for (const { isAboutPods, delta, domain } of all) {
        const list = isAboutPods ? counts : reasons;
        if (at(list, domain) + delta < 0) continue;
        list[domain] = at(list, domain) + delta;
        if (isAboutPods) counter.add(domain, delta);
        else counter.support(domain, delta);
        const open = counts.filter((_, index) => at(reasons, index) > 0);
        expect(counter.openDomains).toBe(open.length);
        expect(counter.least).toBe(open.length === 0 ? 0 : Math.min(...open));
        expect(counter.at(domain)).toBe(counts[domain]);
      }
    }),
  );
});
