import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, labels } from '../../apis/index.ts';
import type { NodeSelectorTerm } from '../../kube/index.ts';
import { termReader } from './class-terms.ts';
import type { ClassTerms } from './class-terms.ts';
import { shapeReader } from './pod-shape.ts';

const on = (key: string, value: string): NodeSelectorTerm => ({ matchExpressions: [{ key, operator: 'In', values: [value] }] });
const arm = on(labels.arch, 'arm64');
const spot = on(labels.capacityType, 'spot');

const termsOf = (terms: readonly NodeSelectorTerm[], preferences: readonly NodeSelectorTerm[]): ClassTerms => {
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
    preferredDuringSchedulingIgnoredDuringExecution: preferences.map((preference, index) => ({ weight: 100 - index, preference })),
  };
  const shape = shapeReader(defaultLabelCatalog)({ containers: [], affinity: { nodeAffinity } });
  return termReader(new Set(['required']))(shape, { alternatives: [new Map()], own: {}, shared: [], text: '', problem: undefined });
};

describe('terms with preferences', () => {
  test('a preference that contradicts an alternative leaves the others', () => {
    const { levels, preferring } = termsOf([on(labels.arch, 'amd64'), spot], [arm]);
    expect((levels[0] ?? []).length).toBe(2);
    expect(preferring(levels[0] ?? [], 1).map(({ requirements }) => [...requirements.keys()])).toEqual([
      [labels.capacityType, labels.arch],
    ]);
  });

  test('two preferences that say the same give one term, in whatever order they are tried', () => {
    const { levels, preferring, equalTerms } = termsOf([spot], [arm, arm]);
    const [base = []] = levels;
    const [lighter, heavier, both] = [2, 1, 3].map((preferences) => preferring(base, preferences));
    expect(heavier?.[0]).toBe(lighter?.[0]);
    expect(both?.[0]).toBe(lighter?.[0]);
    expect(both?.map((term) => equalTerms.get(term))).toEqual([both]);
  });

  test('a term of two sets is exchanged only for one that meets the preferences of both', () => {
    const { levels, preferring, equalTerms } = termsOf([arm, spot], [arm, spot]);
    const [base = []] = levels;
    const [first] = [1, 3].map((preferences) => preferring(base, preferences));
    const shared = first?.[1];
    expect(shared && equalTerms.get(shared)?.every(({ requirements }) => requirements.size === 2)).toBe(true);
  });
});
