import { describe, expect, test } from '@jest/globals';
import type { Labels, LabelSelector, PodAffinityTerm } from '../../kube/index.ts';
import { matcherOfAll, matcherOfClaim, matcherOfSpread, matcherOfTerm } from './pod-matcher.ts';
import type { TermOwner } from './pod-matcher.ts';

const owner: TermOwner = {
  namespace: 'home',
  labels: { app: 'web', revision: '2' },
  namespaceLabels: new Map<string, Labels>([
    ['home', { tier: 'back' }],
    ['shop', { tier: 'front', eu: 'yes' }],
    ['stall', { tier: 'front' }],
  ]),
};
const anyPod: LabelSelector = {};
const termOf = (term: Partial<PodAffinityTerm>): PodAffinityTerm => ({ topologyKey: 'zone', labelSelector: anyPod, ...term });
const spreadOf = (labelSelector?: LabelSelector, matchLabelKeys?: readonly string[]) => ({
  topologyKey: 'zone',
  maxSkew: 1,
  whenUnsatisfiable: 'DoNotSchedule' as const,
  ...(labelSelector === undefined ? {} : { labelSelector }),
  ...(matchLabelKeys === undefined ? {} : { matchLabelKeys }),
});

describe('the namespaces of a term', () => {
  test.each<[string, Partial<PodAffinityTerm>, readonly string[]]>([
    ["the owner's alone when it names none", {}, ['home']],
    ['those listed, and not its own', { namespaces: ['shop'] }, ['shop']],
    ['those selected', { namespaceSelector: { matchLabels: { tier: 'front' } } }, ['shop', 'stall']],
    [
      'those that meet labels and expressions at once',
      { namespaceSelector: { matchLabels: { tier: 'front' }, matchExpressions: [{ key: 'eu', operator: 'Exists' }] } },
      ['shop'],
    ],
    ['those listed and those selected', { namespaces: ['else'], namespaceSelector: { matchLabels: { eu: 'yes' } } }, ['else', 'shop']],
    ['every one for an empty selector', { namespaceSelector: {} }, ['else', 'home', 'shop', 'stall']],
    ['every one for an empty selector beside a list', { namespaces: ['shop'], namespaceSelector: {} }, ['else', 'home', 'shop', 'stall']],
  ])('%s', (_, term, expected) => {
    const { matches } = matcherOfTerm(termOf(term), owner);
    expect(['else', 'home', 'shop', 'stall'].filter((namespace) => matches({ namespace, labels: {} }))).toEqual(expected);
  });

  test('thousands of them, in any order and twice, include those listed and no others', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `team-${(index * 7919) % 5000}`);
    const { matches, indexKeys, text } = matcherOfTerm(termOf({ namespaces: [...names, 'team-7'] }), owner);
    const included = ['team', 'team-0', 'team-4999', 'team-5000', 'zoo', 'a'].filter((namespace) => matches({ namespace, labels: {} }));
    expect(included).toEqual(['team-0', 'team-4999']);
    expect(indexKeys.flat()).toHaveLength(0);
    expect(text).toBe(matcherOfTerm(termOf({ namespaces: names.toReversed() }), owner).text);
  });

  test("of a spread: the owner's alone", () => {
    const { matches } = matcherOfSpread(spreadOf(anyPod), owner);
    expect(['home', 'shop'].filter((namespace) => matches({ namespace, labels: {} }))).toEqual(['home']);
  });
});

describe('the labels that a term selects', () => {
  const pods = { old: { app: 'web', revision: '1' }, fresh: { app: 'web', revision: '2' }, bare: { app: 'web' }, other: { app: 'db' } };
  test.each<[string, Partial<PodAffinityTerm>, readonly string[]]>([
    ['an absent selector picks nobody', {}, []],
    ['nor with keys to match', { matchLabelKeys: ['revision'] }, []],
    ['nor with keys to differ in', { mismatchLabelKeys: ['revision'] }, []],
    ['an empty one picks everybody', { labelSelector: {} }, ['old', 'fresh', 'bare', 'other']],
    ["a key to match picks those with the owner's value", { labelSelector: {}, matchLabelKeys: ['revision'] }, ['fresh']],
    [
      'a key to differ in picks the others, those without it too',
      { labelSelector: {}, mismatchLabelKeys: ['revision'] },
      ['old', 'bare', 'other'],
    ],
    [
      'keys add to expressions that are there',
      { labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] }, mismatchLabelKeys: ['revision'] },
      ['old', 'bare'],
    ],
    [
      'keys that the owner lacks say nothing',
      { labelSelector: {}, matchLabelKeys: ['track'], mismatchLabelKeys: ['slot'] },
      ['old', 'fresh', 'bare', 'other'],
    ],
  ])('%s', (_, { labelSelector, ...term }, expected) => {
    const { matches } = matcherOfTerm({ topologyKey: 'zone', ...term, ...(labelSelector === undefined ? {} : { labelSelector }) }, owner);
    expect(Object.entries(pods).flatMap(([name, labels]) => (matches({ namespace: 'home', labels }) ? [name] : []))).toEqual(expected);
  });

  test('a spread without a selector counts no pod, with keys to match or without', () => {
    for (const keys of [undefined, ['revision']]) {
      expect(matcherOfSpread(spreadOf(undefined, keys), owner).matches({ namespace: 'home', labels: pods.fresh })).toBe(false);
    }
  });
});

describe('matchers with one text pick the same pods', () => {
  const text = (term: Partial<PodAffinityTerm>) => (): string => matcherOfTerm(termOf(term), owner).text;
  const selecting = (labelSelector: LabelSelector) => text({ labelSelector });
  const spreading =
    (selector?: LabelSelector, namespace = 'home') =>
    (): string =>
      matcherOfSpread(spreadOf(selector), { ...owner, namespace }).text;
  type Text = ReturnType<typeof text>;

  test.each<[string, Text, Text]>([
    ['the order of labels', selecting({ matchLabels: { a: '1', b: '2' } }), selecting({ matchLabels: { b: '2', a: '1' } })],
    [
      'the order of expressions',
      selecting({
        matchExpressions: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Exists' },
        ],
      }),
      selecting({
        matchExpressions: [
          { key: 'b', operator: 'Exists' },
          { key: 'a', operator: 'Exists' },
        ],
      }),
    ],
    [
      'the order of values',
      selecting({ matchExpressions: [{ key: 'a', operator: 'In', values: ['1', '2'] }] }),
      selecting({ matchExpressions: [{ key: 'a', operator: 'In', values: ['2', '1'] }] }),
    ],
    ['the order of namespaces', text({ namespaces: ['x', 'y'] }), text({ namespaces: ['y', 'x'] })],
    ['a namespace that is listed twice', text({ namespaces: ['shop', 'shop'] }), text({ namespaces: ['shop'] })],
    ['an empty list of expressions', selecting({ matchExpressions: [] }), selecting({})],
  ])('%s makes no difference', (_, one, other) => expect(one()).toBe(other()));

  test.each<[string, Text, Text]>([
    ['labels', selecting({ matchLabels: { a: '1' } }), selecting({ matchLabels: { a: '2' } })],
    [
      'expressions',
      selecting({ matchExpressions: [{ key: 'a', operator: 'Exists' }] }),
      selecting({ matchExpressions: [{ key: 'b', operator: 'Exists' }] }),
    ],
    [
      'operators',
      selecting({ matchExpressions: [{ key: 'a', operator: 'Exists' }] }),
      selecting({ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }),
    ],
    [
      'values',
      selecting({ matchExpressions: [{ key: 'a', operator: 'In', values: ['1'] }] }),
      selecting({ matchExpressions: [{ key: 'a', operator: 'In', values: ['2'] }] }),
    ],
    ['namespaces', text({ namespaces: ['ab', 'c'] }), text({ namespaces: ['a', 'bc'] })],
    ['a list and every namespace', text({ namespaces: ['shop'] }), text({ namespaceSelector: {} })],
    ['nobody and everybody', () => matcherOfTerm({ topologyKey: 'zone' }, owner).text, selecting({})],
    ['the namespace of a spread', spreading(anyPod), spreading(anyPod, 'shop')],
    ['the selector of a spread', spreading(anyPod), spreading()],
  ])('%s distinguish them', (_, one, other) => expect(one()).not.toBe(other()));
});

test('several terms mean a pod that all of them mean, in whatever order they come', () => {
  const terms = [{ labelSelector: { matchLabels: { app: 'web' } } }, { labelSelector: { matchLabels: { track: 'a' } } }].map((term) =>
    matcherOfTerm(termOf(term), owner),
  );
  const all = matcherOfAll(terms);
  expect(all.matches({ namespace: 'home', labels: { app: 'web' } })).toBe(false);
  expect(all.matches({ namespace: 'home', labels: { app: 'web', track: 'a' } })).toBe(true);
  expect(all.text).toBe(matcherOfAll(terms.toReversed()).text);
  expect(all.text).not.toBe(matcherOfAll(terms.slice(1)).text);
  expect(matcherOfAll([...terms, ...terms]).text).toBe(all.text);
});

test('the users of a claim are those that name it', () => {
  const { matches, text } = matcherOfClaim('home/disk');
  const using = (unboundClaims?: readonly string[]): boolean =>
    matches({ namespace: 'home', labels: {}, ...(unboundClaims === undefined ? {} : { unboundClaims }) });
  expect([using(['home/disk']), using(['home/other', 'home/disk']), using(['home/other']), using([]), using()]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(text).not.toBe(matcherOfClaim('home/other').text);
});
