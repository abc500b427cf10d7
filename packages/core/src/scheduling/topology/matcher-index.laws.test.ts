import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LabelSelector, LabelSelectorRequirement } from '../../kube/index.ts';
import { MatcherIndex, matcherOfAll, matcherOfClaim, matcherOfSpread, matcherOfTerm } from './pod-matcher.ts';
import type { PodIdentity, PodMatcher, TermOwner } from './pod-matcher.ts';

const namespace = fc.constantFrom('home', 'shop', 'stall');
const value = fc.constantFrom('a', 'b', 'a=b');
const labels = fc.dictionary(fc.constantFrom('app', 'tier', 'app=a'), value, { maxKeys: 3 });
const key = fc.constantFrom('app', 'tier', 'app=a');
const expression: fc.Arbitrary<LabelSelectorRequirement> = fc.oneof(
  fc.record({ key, operator: fc.constantFrom('In' as const, 'NotIn' as const), values: fc.uniqueArray(value) }),
  fc.record({ key, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
);
const selector: fc.Arbitrary<LabelSelector | undefined> = fc.option(
  fc.record({ matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 2 }) }, { requiredKeys: [] }),
  { nil: undefined },
);
const owner: fc.Arbitrary<TermOwner> = fc.record({
  ...{ namespace, labels },
  namespaceLabels: fc.constant(new Map([['shop', { eu: 'yes' }]])),
});
const withSelector = (labelSelector: LabelSelector | undefined) => ({
  ...{ topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const, matchLabelKeys: ['tier'] },
  ...(labelSelector && { labelSelector }),
});
const scope = fc.constantFrom<{ namespaces?: string[]; namespaceSelector?: LabelSelector }>(
  ...[{}, { namespaces: ['shop', 'stall'] }, { namespaceSelector: {} }, { namespaceSelector: { matchLabels: { eu: 'yes' } } }],
);
const single: fc.Arbitrary<PodMatcher> = fc.oneof(
  fc.tuple(selector, owner).map(([own, of]) => matcherOfSpread(withSelector(own), of)),
  fc.tuple(selector, owner, scope).map(([own, of, where]) => matcherOfTerm({ ...withSelector(own), ...where }, of)),
  fc.constantFrom('home/disk', 'shop/disk').map(matcherOfClaim),
);
const matcher = fc.oneof(single, fc.array(single, { minLength: 1, maxLength: 3 }).map(matcherOfAll));
const pod: fc.Arbitrary<PodIdentity> = fc.record({ namespace, labels, unboundClaims: fc.subarray(['home/disk', 'shop/disk']) });

test('finds exactly the matchers that select a pod, each once', () => {
  fc.assert(
    fc.property(fc.array(matcher, { maxLength: 12 }), pod, (matchers, asked) => {
      const index = new MatcherIndex<{ readonly matcher: PodMatcher; readonly number: number }>();
      matchers.forEach((each, number) => index.add({ matcher: each, number }));
      const expected = matchers.flatMap(({ matches }, number) => (matches(asked) ? [number] : []));
      expect(index.selecting(asked).map(({ number }) => number)).toEqual(expect.arrayContaining(expected));
      expect(index.selecting(asked)).toHaveLength(expected.length);
    }),
    { numRuns: 1000 },
  );
});

test('compares a pod with labels of its own with few of many matchers that share a label', () => {
  let compared = 0;
  const index = new MatcherIndex<{ readonly matcher: PodMatcher }>();
  for (let number = 0; number < 500; number++) {
    const labelSelector = { matchLabels: { team: 'red', app: `app-${number}` } };
    const { matches, ...rest } = matcherOfSpread(withSelector(labelSelector), { namespace: 'home', labels: {} });
    const counting = (asked: PodIdentity): boolean => {
      compared++;
      return matches(asked);
    };
    index.add({ matcher: { ...rest, matches: counting } });
  }
  expect(index.selecting({ namespace: 'home', labels: { team: 'red', app: 'app-7' } })).toHaveLength(1);
  expect(compared).toBeLessThan(5);
});
