import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { silentLogger } from '@karpenter/runtime';
import { watchHeap } from './heap-use.ts';
import { planMarksFile, planMarksPath } from './plan-marks-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'plan-marks-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('what one process wrote the next one reads, until it is cleared', () => {
  const path = join(folder, 'mark.json');
  planMarksFile(path, silentLogger).write('{"during":["a"]}');
  const next = planMarksFile(path, silentLogger);
  expect(next.read()).toBe('{"during":["a"]}');
  next.clear();
  expect(next.read()).toBeUndefined();
});

test('where no file can be written, planning goes on, and that is logged once', () => {
  const warned: string[] = [];
  const marks = planMarksFile(join(folder, 'missing', '\0', 'mark.json'), {
    ...silentLogger,
    warn: (message) => void warned.push(message),
  });
  marks.write('x');
  marks.clear();
  expect(marks.read()).toBeUndefined();
  expect(warned).toHaveLength(1);
});

test('clusters and leases have marks of their own', () => {
  const paths = [planMarksPath('https://a', 'l'), planMarksPath('https://b', 'l'), planMarksPath('https://a', 'm')];
  expect(new Set(paths).size).toBe(3);
});

test('the use of the heap is a share of its limit', () => {
  using heap = watchHeap();
  expect(heap.ratio()).toBeGreaterThan(0);
  expect(heap.ratio()).toBeLessThan(1);
});
