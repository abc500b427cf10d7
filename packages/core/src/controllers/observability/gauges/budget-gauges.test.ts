import { expect, test } from '@jest/globals';
import type { DisruptionAllowance } from '../../../disruption/index.ts';
import type { Reading } from '../../../ports/index.ts';
import { budgetGauges } from '../decision-reporter.ts';

test('the budgets of a pool that is gone are shown no longer, and no limit is the largest number', () => {
  const reads = new Map<string, () => Iterable<Reading>>();
  const metric = { increment: () => undefined, set: () => undefined, observe: () => undefined };
  let last: readonly DisruptionAllowance[] = [
    { nodePoolName: 'a', reason: 'Empty', allowed: Number.POSITIVE_INFINITY, disrupting: 1, nodes: 4 },
    { nodePoolName: 'b', reason: 'Drifted', allowed: 2, disrupting: 0, nodes: 4 },
  ];
  budgetGauges(
    {
      counter: () => metric,
      histogram: () => metric,
      gauge: ({ name }, read = () => []) => {
        reads.set(name, read);
        return metric;
      },
    },
    () => last,
  );
  const shown = () => [...(reads.get('karpenter_nodepools_allowed_disruptions')?.() ?? [])];
  expect(shown()).toEqual([
    { labels: { nodepool: 'a', reason: 'Empty' }, value: 2_147_483_647 },
    { labels: { nodepool: 'b', reason: 'Drifted' }, value: 2 },
  ]);
  last = last.slice(0, 1);
  expect(shown()).toHaveLength(1);
});
