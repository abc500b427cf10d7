import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Rung } from '../../classes/rung.ts';
import { labelRequirements } from '../../../requirements/index.ts';
import { aClass } from '../../testing/a-class.ts';
import { aState } from '../../testing/a-template.ts';
import { addToDraft, openDraft } from './draft.ts';
import type { Applicant, Draft } from './draft.ts';
import { OpenDrafts } from './open-drafts.ts';
import type { NodeState } from '../node-model.ts';

const GIB = 2 ** 30;
const aStart = (): NodeState =>
  aState(
    [
      { cpus: 2, memoryBytes: 8 * GIB, pricePerHour: 1 },
      { cpus: 4, memoryBytes: 8 * GIB, pricePerHour: 2 },
    ],
    { requirements: [{ key: 'team', operator: 'In', values: ['red', 'blue'] }] },
  );
const anywhere: Rung = { text: '', requirements: new Map(), tolerations: [], relaxation: 'required' };
const rungs = [anywhere, ...['red', 'blue'].map((team) => ({ ...anywhere, text: team, requirements: labelRequirements({ team }) }))];

const pods = fc.record({ cpu: fc.integer({ min: 1, max: 38 }), gib: fc.integer({ min: 1, max: 8 }), rung: fc.constantFrom(...rungs) });
const applicants = pods.map(({ cpu, gib, rung }): Applicant => ({ podClass: aClass(cpu * 100, gib * GIB), rung }));
const comers = fc.record({ applicant: applicants, wanted: fc.integer({ min: 0, max: 9 }) });

/** The same one by one: each pod asks the nodes in turn, that with the fewest pods first, then the oldest. */
const placeOneByOne = (drafts: readonly Draft[], applicant: Applicant, wanted: number): number => {
  for (let placed = 0; placed < wanted; placed++) {
    const inTurn = drafts.toSorted((a, b) => a.podCount - b.podCount);
    if (!inTurn.some((draft) => addToDraft(draft, applicant))) return placed;
  }
  return wanted;
};

const openAll = (all: readonly Applicant[], start = aStart()): readonly Draft[] =>
  all.flatMap((applicant) => openDraft(start, applicant, start.template.everyType) ?? []);
/** What is on a node, without what it may be. */
const loadOf = ({ used, runs }: Draft): readonly (readonly number[])[] => [[...used], runs.map(({ count }) => count)];

const pushed = (drafts: readonly Draft[]): OpenDrafts => {
  const opened = new OpenDrafts(3);
  for (const draft of drafts) opened.push(draft);
  return opened;
};

describe('planned nodes', () => {
  test('take pods as if each asked one node after the other, however many nodes there are', () => {
    fc.assert(
      fc.property(fc.array(applicants, { maxLength: 9 }), fc.nat(1), fc.array(comers, { maxLength: 3 }), (first, times, all) => {
        const seeds = Array.from({ length: 1 + 8 * times }, () => first).flat();
        const start = aStart();
        const [drafts, expected] = [openAll(seeds, start), openAll(seeds, start)];
        const opened = pushed(drafts);
        for (const { applicant, wanted } of all) {
          expect(opened.place(applicant, wanted)).toBe(placeOneByOne(expected, applicant, wanted));
          expect(opened.drafts.map(loadOf)).toEqual(expected.map(loadOf));
        }
      }),
    );
  });

  test('fill the newest as far as it goes, and then take pods by what it has left', () => {
    fc.assert(
      fc.property(fc.array(applicants, { minLength: 1, maxLength: 5 }), comers, applicants, (first, { applicant, wanted }, next) => {
        const start = aStart();
        const [drafts, expected] = [openAll(first, start), openAll(first, start)];
        const opened = pushed(drafts);
        expect(opened.placeOnNewest(applicant, wanted)).toBe(placeOneByOne(expected.slice(-1), applicant, wanted));
        expect(opened.drafts.map(loadOf)).toEqual(expected.map(loadOf));
        expect(opened.place(next, 5)).toBe(placeOneByOne(expected, next, 5));
      }),
    );
  });

  test('have none to fill before the first', () => {
    expect(new OpenDrafts(3).placeOnNewest({ podClass: aClass(100), rung: anywhere }, 3)).toBe(0);
    expect(new OpenDrafts(3).place({ podClass: aClass(100), rung: anywhere }, 3)).toBe(0);
  });

  test('may have room for as many more as some machine that is left to them holds', () => {
    fc.assert(
      fc.property(
        fc.array(applicants, { minLength: 1, maxLength: 5 }),
        applicants,
        fc.integer({ min: 1, max: 4 }),
        (first, { podClass }, podsAtOnce) => {
          const opened = pushed(openAll(first));
          opened.drafts.forEach(({ fit, used }, number) => {
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
    const applicant = { podClass: aClass(1500, GIB), rung: anywhere };
    const opened = pushed(openAll([applicant]));
    const [state] = opened.drafts.map(({ fit }) => fit.state);
    if (state === undefined) throw new Error('one node was opened');
    expect([1, 2, 3].map(() => opened.add(0, applicant, state))).toEqual([true, false, false]);
    expect(opened.drafts.map(({ podCount }) => podCount)).toEqual([2]);
    expect(opened.mayHaveRoom(0, aClass(1000), 1)).toBe(true);
    expect(opened.mayHaveRoom(0, aClass(1001), 1)).toBe(false);
    expect(opened.add(7, applicant, state)).toBe(false);
  });
});
