import { expect, test } from '@jest/globals';
import { blockMeans, slopeOf } from './slope.ts';

const MINUTE_MS = 60_000;
const everyMinute = (...values: readonly number[]) => values.map((value, index) => [index * MINUTE_MS, value] as const);

test('a value that grows evenly has a slope without doubt', () => {
  const { perHour, plusMinus } = slopeOf(everyMinute(1, 2, 3, 4));
  expect(perHour).toBeCloseTo(60);
  expect(plusMinus).toBeCloseTo(0);
});

test('the interval of a value that only varies holds zero', () => {
  const { perHour, plusMinus } = slopeOf(everyMinute(5, 7, 5, 7, 5, 7, 5, 7));
  expect(Math.abs(perHour)).toBeLessThan(plusMinus);
});

test('the interval is that of a textbook', () => {
  // x 0–4 h, y 1, 3, 2, 5, 4: slope 0.8, standard error 0.3464 (R: summary(lm(y ~ x))), t(3) = 3.18.
  const { perHour, plusMinus } = slopeOf([1, 3, 2, 5, 4].map((value, hour) => [hour * 60 * MINUTE_MS, value] as const));
  expect(perHour).toBeCloseTo(0.8);
  expect(plusMinus).toBeCloseTo(0.3464 * 3.18, 2);
});

test('the means of stretches of time stand in their middles, without a last one that is hardly begun', () => {
  expect(blockMeans(everyMinute(1, 3, 5, 7, 9), 2 * MINUTE_MS)).toEqual([
    [MINUTE_MS / 2, 2],
    [2.5 * MINUTE_MS, 6],
    [4 * MINUTE_MS, 9],
  ]);
  expect(blockMeans(everyMinute(1, 2, 3, 10), 3 * MINUTE_MS)).toEqual([[MINUTE_MS, 2]]);
  expect(blockMeans([], MINUTE_MS)).toEqual([]);
});

test('values that stay where they are for an hour make no slope surer than the hours do', () => {
  const hours = [0, 1, 0, 1, 0, 1, 1, 1];
  const points = everyMinute(...hours.flatMap((value) => Array<number>(60).fill(value)));
  const [each, blocks] = [slopeOf(points), slopeOf(blockMeans(points, 60 * MINUTE_MS))];
  expect(each.perHour).toBeGreaterThan(each.plusMinus);
  expect(blocks.perHour).toBeLessThan(blocks.plusMinus);
  // The sum of the products of the deviations, by that of the squares of those of the hours.
  expect(blocks.perHour).toBeCloseTo(4.5 / 42);
});

test('two points say nothing', () => expect(slopeOf(everyMinute(1, 2)).plusMinus).toBe(Number.POSITIVE_INFINITY));
