import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../../base/index.ts';
import { matchesLabelSelector } from '../../kube/index.ts';
import type { LabelSelector, LabelSelectorRequirement, Pod, PodDisruptionBudget } from '../../kube/index.ts';
import { readingBudgets } from './reschedulable-pods.ts';

const namespace = fc.constantFrom('home', 'shop');
const key = fc.constantFrom('app', 'tier', 'constructor');
const value = fc.constantFrom('a', 'b', '');
const labels = fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true });
const expression: fc.Arbitrary<LabelSelectorRequirement> = fc.record({
  ...{ key, operator: fc.constantFrom('In' as const, 'NotIn' as const, 'Exists' as const, 'DoesNotExist' as const) },
  values: fc.uniqueArray(value),
});
const selector: fc.Arbitrary<LabelSelector | undefined> = fc.option(
  fc.record({ matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 2 }) }, { requiredKeys: [] }),
  { nil: undefined },
);

const budgets: fc.Arbitrary<readonly PodDisruptionBudget[]> = fc
  .array(fc.tuple(namespace, selector), { maxLength: 12 })
  .map((drawn) =>
    drawn.map(([of, own], index) => ({ metadata: { name: `b-${index % 10}`, namespace: of }, spec: { ...(own && { selector: own }) } })),
  );
const pod: fc.Arbitrary<Pod> = fc
  .tuple(namespace, labels)
  .map(([of, own]) => ({ metadata: { name: 'web', namespace: of, labels: own }, spec: { containers: [] } }));

test('the budgets of a pod are those of its namespace that select it, in order of names', () => {
  fc.assert(
    fc.property(budgets, pod, (all, asked) => {
      const expected = all
        .filter(
          ({ metadata, spec }) =>
            metadata.namespace === asked.metadata.namespace && matchesLabelSelector(spec.selector, asked.metadata.labels),
        )
        .map(({ metadata }) => metadata.name)
        .sort();
      const found = finish(readingBudgets(all, [])).budgetsOf(asked);
      expect(found.map(({ metadata }) => metadata.name)).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});
