import { expect, test } from '@jest/globals';
import type { PlanMarks } from '@karpenter/core/internal';
import { fakeClock, type LogFields, silentLogger } from '@karpenter/runtime';
import { listMarks } from './list-marks.ts';

/** The file, over the lives of several processes. */
const lives = () => {
  const clock = fakeClock(Date.UTC(2026, 0, 1));
  const warned: (LogFields | undefined)[] = [];
  const file: PlanMarks & { text: string | undefined } = {
    text: undefined,
    read: () => file.text,
    write(text) {
      file.text = text;
      return true;
    },
    clear() {
      file.text = undefined;
      return true;
    },
  };
  const logger = { ...silentLogger, warn: (_: string, fields?: LogFields) => void warned.push(fields) };
  return { file, warned, clock, start: () => listMarks(file, { clock, logger }) };
};

test('a process that ended while nothing was listed leaves no mark, and the next one reads as usual', () => {
  const { file, warned, start } = lives();
  const { pages, onList } = start();
  onList('Pod', { isListing: true });
  onList('Node', { isListing: true });
  onList('Pod', { isListing: false });
  onList('Node', { isListing: false });
  expect([pages(), file.text]).toEqual(['usual', undefined]);
  expect(start().pages()).toBe('usual');
  expect(warned).toEqual([]);
});

test('a process that ended during a list: those of the next day read in small pages, and the place is logged once', async () => {
  const { warned, clock, start } = lives();
  const { onList } = start();
  onList('Node', { isListing: true });
  onList('Pod', { isListing: true });
  onList('Pod', { isListing: true, last: { namespace: 'shop', name: 'web-1' } });
  const next = start();
  expect(next.pages()).toBe('small');
  expect(warned).toEqual([{ after: { Node: '', Pod: 'shop/web-1' } }]);
  next.onList('Pod', { isListing: true });
  next.onList('Pod', { isListing: false });
  expect(start().pages()).toBe('small');
  expect(warned).toHaveLength(1);
  await clock.advance(24 * 3_600_000);
  expect(start().pages()).toBe('usual');
});

test('a process that lives on after the day of small pages reads in usual ones, and its lists leave no mark', async () => {
  const { file, clock, start } = lives();
  start().onList('Pod', { isListing: true });
  const { pages, onList } = start();
  await clock.advance(24 * 3_600_000 - 1);
  expect(pages()).toBe('small');
  await clock.advance(1);
  expect(pages()).toBe('usual');
  onList('Pod', { isListing: true });
  onList('Pod', { isListing: false });
  expect(file.text).toBeUndefined();
});

test.each(['', '{"listing":', '[]', 'null', '{"listing":[1],"smallUntilMs":"x"}', '{"listing":{"Pod":7}}'])(
  'a mark that cannot be read counts as none: %j',
  (text) => {
    const { file, start } = lives();
    file.text = text;
    expect(start().pages()).toBe('usual');
    expect(file.text).toBeUndefined();
  },
);
