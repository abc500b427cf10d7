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
  expect([marks.write('x'), marks.clear(), marks.read()]).toEqual([false, false, undefined]);
  expect(warned).toHaveLength(1);
});

test('a mark that is longer than a mark is read is not written, which is logged once, and the one before it stays', () => {
  const warned: string[] = [];
  const marks = planMarksFile(join(folder, 'long.json'), { ...silentLogger, warn: (message) => void warned.push(message) });
  const longest = 'x'.repeat(16 * 1024 * 1024);
  expect([marks.write(longest), marks.read()?.length]).toEqual([true, longest.length]);
  expect([marks.write(`${longest}x`), marks.write(`${longest}y`), marks.read()?.length]).toEqual([false, false, longest.length]);
  expect(warned).toEqual(['a mark for the next process is too long: workloads are left out of it']);
});

test('clusters, leases, lists and replicas with other ports have marks of their own, which a restart finds again', () => {
  const a = { cluster: 'https://a', lease: 'l', ports: [8080, 8081] };
  const others = [
    { ...a, cluster: 'https://b' },
    { ...a, lease: 'm' },
    { ...a, ports: [9080, 9081] },
  ];
  const paths = [planMarksPath(a), planMarksPath(a, 'lists'), ...others.map((each) => planMarksPath(each))];
  expect(new Set(paths).size).toBe(5);
  expect(planMarksPath({ ...a })).toBe(paths[0]);
});

test('the use of the heap is a share of its limit', () => {
  using heap = watchHeap();
  expect(heap.ratio()).toBeGreaterThan(0);
  expect(heap.ratio()).toBeLessThan(1);
});
