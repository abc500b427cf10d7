import { expect, test } from '@jest/globals';
import { simulate } from '@karpenter/core';
import type { CommandSummary } from '@karpenter/core/internal';
import { aNode, aPod, aSnapshot, preferring, requesting } from '@karpenter/testkit';
import { DecisionLog } from './decision-log.ts';
import { PriceHistory } from './price-history.ts';

const command: CommandSummary = {
  ...{ id: '7', method: 'emptiness', reason: 'Empty', decision: 'delete', savingsPerHour: 0.2 },
  candidates: [aNode({ name: 'node-a' })],
  replacements: [],
};

test('a command is one row from its start to its outcome', () => {
  const log = new DecisionLog();
  log.note({ kind: 'command-started', command, claimNames: [] }, 1);
  const started = { title: 'Delete node-a (type-4)', reason: 'empty', savingsPerHour: 0.2, atMs: 1 };
  expect(log.latest()).toMatchObject([{ ...started, outcome: 'running' }]);
  log.note({ kind: 'command-abandoned', command, why: 'a pod came' }, 2);
  expect(log.latest()).toMatchObject([{ ...started, outcome: 'failed', result: 'a pod came' }]);
});

test('an outcome without its decision is no row: this replica began in between', () => {
  const log = new DecisionLog();
  log.note({ kind: 'command-succeeded', command }, 1);
  expect(log.latest()).toEqual([]);
});

test('the same plan again moves its row up and adds none; a plan for no pod is no row', () => {
  const log = new DecisionLog();
  const plan = simulate(aSnapshot({ pending: [aPod(requesting({ cpuMillis: 99_000 }))] }));
  for (const atMs of [1, 2]) log.note({ kind: 'plan-computed', plan, pods: 1, durationMs: 1, atMs }, atMs);
  log.note({ kind: 'plan-computed', plan, pods: 0, durationMs: 1, atMs: 3 }, 3);
  expect(log.latest().map(({ atMs }) => atMs)).toEqual([2]);
});

test.each([
  [1, 'failed'],
  [2, 'done'],
])('a plan for %i pods that leaves one without a place is %s', (pods, outcome) => {
  const log = new DecisionLog();
  const plan = simulate(aSnapshot({ pending: [aPod(requesting({ cpuMillis: 99_000 }))] }));
  log.note({ kind: 'plan-computed', plan, pods, durationMs: 1, atMs: 1 }, 1);
  expect(log.latest()).toMatchObject([{ outcome }]);
});

test('a plan whose pods do without a preference names it in the words of the command line', () => {
  const log = new DecisionLog();
  const place = { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['mars'] }] };
  const pending = [1, 2, 3].map(() => aPod(preferring(7, place)));
  log.note({ kind: 'plan-computed', plan: simulate(aSnapshot({ pending })), pods: 3, durationMs: 1, atMs: 1 }, 1);
  const line = /^default\/\S+ and 2 other pods: node affinity \(number 1, weight 7\) for 3 of 3 pods like this: no node meets it$/;
  expect(log.latest()).toMatchObject([{ relaxed: [expect.stringMatching(line)] }]);
});

test('at most 100 decisions are kept, the latest first', () => {
  const log = new DecisionLog();
  for (let id = 0; id < 150; id += 1) log.note({ kind: 'command-started', command: { ...command, id: String(id) }, claimNames: [] }, id);
  expect(log.latest()).toHaveLength(100);
  expect(log.latest()[0]?.atMs).toBe(149);
});

test('prices of a month take no more room than those of an hour', () => {
  const history = new PriceHistory();
  for (let atMs = 0; atMs < 30 * 86_400_000; atMs += 10_000) history.add({ atMs, pricePerHour: 1, nodes: 1 });
  const points = history.points();
  expect(points.length).toBeLessThanOrEqual(720);
  expect(points.length).toBeGreaterThan(300);
  expect(points[0]?.atMs).toBe(0);
});
