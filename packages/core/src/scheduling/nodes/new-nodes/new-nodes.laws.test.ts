import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { NodeTerm } from '../../pod-classes/node-term.ts';
import { labelRequirements } from '../../../requirements/index.ts';
import { aClass } from '../../testing/a-class.ts';
import { aState } from '../../testing/a-template.ts';
import { addToNewNode, openNewNode } from './new-node.ts';
import type { IncomingPod, NewNode } from './new-node.ts';
import { NewNodes } from './new-nodes.ts';
import type { NodeState } from '../node-model.ts';

const GIB = 2 ** 30;
const startOf = (): NodeState =>
  aState(
    [
      { cpus: 2, memoryBytes: 8 * GIB, pricePerHour: 1 },
      { cpus: 4, memoryBytes: 8 * GIB, pricePerHour: 2 },
    ],
    { requirements: [{ key: 'team', operator: 'In', values: ['red', 'blue'] }] },
  );
const anywhere: NodeTerm = { text: '', requirements: new Map(), tolerations: [], relaxation: 'required' };
const terms = [anywhere, ...['red', 'blue'].map((team) => ({ ...anywhere, text: team, requirements: labelRequirements({ team }) }))];

const pods = fc.record({ cpu: fc.integer({ min: 1, max: 38 }), gib: fc.integer({ min: 1, max: 8 }), term: fc.constantFrom(...terms) });
const incomingPods = pods.map(({ cpu, gib, term }): IncomingPod => ({ podClass: aClass(cpu * 100, gib * GIB), term }));
const comers = fc.record({ incoming: incomingPods, wanted: fc.integer({ min: 0, max: 9 }) });

/** The same one by one: each pod asks the nodes in turn, that with the fewest pods first, then the oldest. */
const placeOneByOne = (newNodes: readonly NewNode[], incoming: IncomingPod, wanted: number): number => {
  for (let placed = 0; placed < wanted; placed++) {
    const inTurn = newNodes.toSorted((a, b) => a.podCount - b.podCount);
    if (!inTurn.some((newNode) => addToNewNode(newNode, incoming))) return placed;
  }
  return wanted;
};

const openAll = (all: readonly IncomingPod[], start = startOf()): readonly NewNode[] =>
  all.flatMap((incoming) => openNewNode(start, incoming, start.template.everyType) ?? []);
/** What is on a node, without what it may be. */
const loadOf = ({ used, runs }: NewNode): readonly (readonly number[])[] => [[...used], runs.map(({ count }) => count)];

const pushed = (newNodes: readonly NewNode[]): NewNodes => {
  const opened = new NewNodes(3);
  for (const newNode of newNodes) opened.push(newNode);
  return opened;
};

describe('planned nodes', () => {
  test('take pods as if each asked one node after the other, however many nodes there are', () => {
    fc.assert(
      fc.property(fc.array(incomingPods, { maxLength: 9 }), fc.nat(1), fc.array(comers, { maxLength: 3 }), (first, times, all) => {
        const seeds = Array.from({ length: 1 + 8 * times }, () => first).flat();
        const start = startOf();
        const [newNodes, expected] = [openAll(seeds, start), openAll(seeds, start)];
        const opened = pushed(newNodes);
        for (const { incoming, wanted } of all) {
          expect(opened.place(incoming, wanted)).toBe(placeOneByOne(expected, incoming, wanted));
          expect(opened.newNodes.map(loadOf)).toEqual(expected.map(loadOf));
        }
      }),
    );
  });

  test('fill the newest as far as it goes, and then take pods by what it has left', () => {
    fc.assert(
      fc.property(fc.array(incomingPods, { minLength: 1, maxLength: 5 }), comers, incomingPods, (first, { incoming, wanted }, next) => {
        const start = startOf();
        const [newNodes, expected] = [openAll(first, start), openAll(first, start)];
        const opened = pushed(newNodes);
        expect(opened.placeOnNewest(incoming, wanted)).toBe(placeOneByOne(expected.slice(-1), incoming, wanted));
        expect(opened.newNodes.map(loadOf)).toEqual(expected.map(loadOf));
        expect(opened.place(next, 5)).toBe(placeOneByOne(expected, next, 5));
      }),
    );
  });

  test('have none to fill before the first', () => {
    expect(new NewNodes(3).placeOnNewest({ podClass: aClass(100), term: anywhere }, 3)).toBe(0);
    expect(new NewNodes(3).place({ podClass: aClass(100), term: anywhere }, 3)).toBe(0);
  });

  test('may have room for as many more as some machine that is left to them holds', () => {
    fc.assert(
      fc.property(
        fc.array(incomingPods, { minLength: 1, maxLength: 5 }),
        incomingPods,
        fc.integer({ min: 1, max: 4 }),
        (first, { podClass }, podsAtOnce) => {
          const opened = pushed(openAll(first));
          opened.newNodes.forEach(({ fit, used }, number) => {
            const hasRoom = podClass.amounts.every(
              (amount, resource) => (used[resource] ?? 0) + amount * podsAtOnce <= (fit.most[resource] ?? 0),
            );
            expect(opened.mayHaveRoom(number, podClass, podsAtOnce)).toBe(hasRoom);
          });
        },
      ),
    );
  });

  test('take one pod in a state that was chosen for it, or stay as they were', () => {
    const incoming = { podClass: aClass(1500, GIB), term: anywhere };
    const opened = pushed(openAll([incoming]));
    const [state] = opened.newNodes.map(({ fit }) => fit.state);
    if (state === undefined) throw new Error('one node was opened');
    expect([1, 2, 3].map(() => opened.add(0, incoming, state))).toEqual([true, false, false]);
    expect(opened.newNodes.map(({ podCount }) => podCount)).toEqual([2]);
    expect(opened.mayHaveRoom(0, aClass(1000), 1)).toBe(true);
    expect(opened.mayHaveRoom(0, aClass(1001), 1)).toBe(false);
    expect(opened.add(7, incoming, state)).toBe(false);
  });
});
