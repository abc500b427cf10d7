import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PodClass } from '../../pod-classes/pod-class.ts';
import { RoomyNodes } from './roomy-nodes.ts';

const room = fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 90 });

/** A class that wants so much of the only resource. */
const classRequesting = (amount: number): PodClass => ({ resourceIds: [0], amounts: [amount] }) as unknown as PodClass;

test('whatever earlier searches wanted, every node with room in the snapshot comes up once, in order', () => {
  fc.assert(
    fc.property(room, fc.array(fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 90 })), { maxLength: 6 }), (free, searches) => {
      const column = Float64Array.from(free);
      const roomy = new RoomyNodes([column], free.length);
      const classes = Array.from({ length: 7 }, (_, amount) => classRequesting(amount));
      for (const [amount, most] of [...searches, [3, 90] as const]) {
        const given: number[] = [];
        for (const node of roomy.of(classes[amount] ?? classRequesting(amount))) {
          given.push(node);
          // A question returns what it took when it ends; the list does not see it.
          column[node] = 0;
          if (given.length >= most) break;
        }
        const withRoom = free.flatMap((each, node) => (each >= amount ? [node] : []));
        expect(given).toEqual([...given].sort((a, b) => a - b));
        expect(new Set(given).size).toBe(given.length);
        expect(given.filter((node) => withRoom.includes(node))).toEqual(
          withRoom.filter((node) => given.length < most || node <= (given.at(-1) ?? -1)),
        );
      }
    }),
  );
});

test('of any list of nodes, only those without room in the snapshot are passed over, however far it was checked before', () => {
  const lists = fc.tuple(room, fc.array(fc.nat({ max: 89 }), { maxLength: 90 }), fc.array(fc.nat({ max: 90 }), { maxLength: 8 }));
  fc.assert(
    fc.property(lists, fc.nat({ max: 6 }), ([free, some, starts], amount) => {
      const roomy = new RoomyNodes([Float64Array.from(free)], free.length);
      const podClass = classRequesting(amount);
      const nodes = [...new Set(some)].filter((node) => node < free.length);
      for (const from of starts) {
        const next = roomy.among(nodes, podClass).next(from);
        expect(next).toBeGreaterThanOrEqual(from);
        for (const node of nodes.slice(from, next)) expect(free[node]).toBeLessThan(amount);
      }
      const first = nodes.findIndex((node) => (free[node] ?? 0) >= amount);
      expect(roomy.among(nodes, podClass).next(0)).toBe(first < 0 ? nodes.length : first);
    }),
  );
});
