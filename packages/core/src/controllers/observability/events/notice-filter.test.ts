import { expect, test } from '@jest/globals';
import { NoticeFilter } from './event-subjects.ts';

const MINUTE = 60_000;
const START_MS = Date.UTC(2026, 0, 1);
const picked = (filter: NoticeFilter, about: readonly string[], { nowMs = START_MS, what = 'full' } = {}): readonly string[] =>
  filter
    .pick(
      about.map((each) => ({ about: each, what })),
      nowMs,
    )
    .map((each) => each.about);

test('the same is said again after a quarter of an hour, something else at once', () => {
  const filter = new NoticeFilter();
  expect(picked(filter, ['a'])).toEqual(['a']);
  expect(picked(filter, ['a'], { nowMs: START_MS + 14 * MINUTE })).toEqual([]);
  expect(picked(filter, ['a'], { nowMs: START_MS + 14 * MINUTE, what: 'drifted' })).toEqual(['a']);
  expect(picked(filter, ['a'], { nowMs: START_MS + 28 * MINUTE, what: 'drifted' })).toEqual([]);
  expect(picked(filter, ['a'], { nowMs: START_MS + 29 * MINUTE, what: 'drifted' })).toEqual(['a']);
});

test('of notices that change with each pass, one a minute is picked: the one that holds then', () => {
  const filter = new NoticeFilter({ changesAfterMs: MINUTE });
  expect(picked(filter, ['a'])).toEqual(['a']);
  expect(picked(filter, ['a'], { nowMs: START_MS + 10_000, what: 'settling' })).toEqual([]);
  expect(picked(filter, ['a', 'b'], { nowMs: START_MS + 50_000, what: 'drifted' })).toEqual(['b']);
  expect(picked(filter, ['a'], { nowMs: START_MS + MINUTE, what: 'drifted' })).toEqual(['a']);
});

test('what has to last is said once it has been the same for so long, without a break', () => {
  const filter = new NoticeFilter();
  const saidAt = (seconds: number, what: string) =>
    filter.pick([{ about: 'a', what, lastingMs: MINUTE }], START_MS + seconds * 1000).map((each) => each.what);
  expect(saidAt(0, 'settling')).toEqual([]);
  expect(saidAt(50, 'full')).toEqual([]);
  expect(saidAt(100, 'full')).toEqual([]);
  expect(saidAt(110, 'full')).toEqual(['full']);
  expect(saidAt(120, 'full')).toEqual([]);
  filter.pick([], START_MS + 130_000);
  expect(saidAt(140, 'settling')).toEqual([]);
  expect(saidAt(200, 'settling')).toEqual(['settling']);
});

test('what has to last goes on through passes that say nothing of it', () => {
  const filter = new NoticeFilter();
  const said = { about: 'a', what: 'full', lastingMs: MINUTE };
  expect(filter.pick([said], START_MS)).toEqual([]);
  expect(filter.pick([], START_MS + 30_000, ['a', 'b'])).toEqual([]);
  expect(filter.pick([said], START_MS + MINUTE)).toEqual([said]);
});

test('of five thousand, each is reported once before any is reported again', () => {
  const filter = new NoticeFilter();
  const all = Array.from({ length: 5000 }, (_, index) => `n${index}`);
  const order: string[] = [];
  for (let nowMs = START_MS; order.length < 7500; nowMs += 10_000) order.push(...picked(filter, all, { nowMs }));
  expect(order.slice(0, 5000)).toEqual(all);
  expect(order.slice(5000, 7500)).toEqual(all.slice(0, 2500));
});

test('what is gone is forgotten after a quarter of an hour', () => {
  const filter = new NoticeFilter();
  picked(filter, ['a']);
  picked(filter, [], { nowMs: START_MS + 15 * MINUTE });
  expect(picked(filter, ['b', 'a'], { nowMs: START_MS + 15 * MINUTE })).toEqual(['b', 'a']);
});
