import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { labels } from '../../../apis/index.ts';
import { DomainTable, UNSETTLED } from '../../topology/domain-table.ts';
import { aState } from '../../testing/a-template.ts';
import { NewNodeIndex, nextInAll } from './new-node-index.ts';
import type { NewNode } from './new-node.ts';
import type { NumberSet } from './new-node-index.ts';
import type { NodeState } from '../node-model.ts';

const machine = { cpus: 4, memoryBytes: 2 ** 34, pricePerHour: 1, zones: ['z1', 'z2'] };
const racks = { key: 'rack', operator: 'In' as const, values: ['r1', 'r2', 'r3'] };
const settledIn = (...zones: readonly string[]): NodeState =>
  aState([machine], { requirements: [racks, { key: labels.zone, operator: 'In', values: zones }] });
const everyState = (): readonly NodeState[] => [settledIn('z1'), settledIn('z2'), settledIn('z1', 'z2')];

/** The index reads nothing of a new node but how many pods it has and what is settled. */
const newNodeIn = (podCount: number, state: NodeState): NewNode => ({ podCount, fit: { state } }) as unknown as NewNode;
const NODES = 40;
const membersOf = (set: NumberSet): readonly number[] =>
  Array.from({ length: NODES }, (_, number) => number).filter((number) => nextInAll(set, [], number) === number);

test('a new node is found under the pods that it has and the domains where it is now, and nowhere else', () => {
  const changes = fc.array(fc.record({ number: fc.nat(NODES - 1), podCount: fc.nat(6), zone: fc.nat(2) }), { maxLength: 60 });
  fc.assert(
    fc.property(changes, (all) => {
      const states = everyState();
      const domains = new DomainTable(['rack', labels.zone]);
      const index = new NewNodeIndex(domains);
      const now = new Map<number, NewNode>();
      for (const { number, podCount, zone } of all) {
        const [state] = states.slice(zone);
        if (state === undefined) continue;
        now.set(number, newNodeIn(podCount, state));
        index.update(number, newNodeIn(podCount, state));
      }
      const where = (isThere: (newNode: NewNode, number: number) => boolean): readonly number[] =>
        [...now].flatMap(([number, newNode]) => (isThere(newNode, number) ? [number] : [])).sort((a, b) => a - b);
      const most = Math.max(-1, ...all.map(({ podCount }) => podCount));
      expect(index.countLimit).toBe(most + 1);
      const counts = [0, 1, 2, 3, 4, 5, 6, 7];
      const membersWith = (count: number): readonly number[] => where(({ podCount }) => podCount === count);
      expect(counts.map((count) => membersOf(index.withCount(count)))).toEqual(counts.map(membersWith));
      expect(counts.map((count) => index.withCount(count).size)).toEqual(counts.map((count) => membersWith(count).length));
      for (const key of domains.keys.keys()) {
        const domainOf = ({ fit }: NewNode): number => domains.domainOfState(fit.state, key);
        const every = [UNSETTLED, 0, 1];
        expect([...now.keys()].map((number) => index.domainOfNewNode(number, key))).toEqual([...now.values()].map(domainOf));
        expect(every.map((domain) => membersOf(index.inDomain(key, domain)))).toEqual(
          every.map((domain) => where((newNode) => domainOf(newNode) === domain)),
        );
      }
    }),
  );
});
