import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, labels } from '../../apis/index.ts';
import type { NodeSelectorTerm } from '../../kube/index.ts';
import { rungReader } from './class-rungs.ts';
import type { ClassRungs } from './class-rungs.ts';
import { shapeReader } from './pod-shape.ts';

const on = (key: string, value: string): NodeSelectorTerm => ({ matchExpressions: [{ key, operator: 'In', values: [value] }] });
const arm = on(labels.arch, 'arm64');
const spot = on(labels.capacityType, 'spot');

const rungsOf = (terms: readonly NodeSelectorTerm[], preferences: readonly NodeSelectorTerm[]): ClassRungs => {
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
    preferredDuringSchedulingIgnoredDuringExecution: preferences.map((preference, index) => ({ weight: 100 - index, preference })),
  };
  const shape = shapeReader(defaultLabelCatalog)({ containers: [], affinity: { nodeAffinity } });
  return rungReader(new Set(['required']))(shape, { alternatives: [new Map()], own: {}, shared: [], text: '', problem: undefined });
};

describe('rungs with preferences', () => {
  test('a preference that contradicts an alternative leaves the others', () => {
    const { levels, preferring } = rungsOf([on(labels.arch, 'amd64'), spot], [arm]);
    expect((levels[0] ?? []).length).toBe(2);
    expect(preferring(levels[0] ?? [], 1).map(({ requirements }) => [...requirements.keys()])).toEqual([
      [labels.capacityType, labels.arch],
    ]);
  });

  test('two preferences that say the same give one rung, in whatever order they are tried', () => {
    const { levels, preferring, equalRungs } = rungsOf([spot], [arm, arm]);
    const [base = []] = levels;
    const [lighter, heavier, both] = [2, 1, 3].map((preferences) => preferring(base, preferences));
    expect(heavier?.[0]).toBe(lighter?.[0]);
    expect(both?.[0]).toBe(lighter?.[0]);
    expect(both?.map((rung) => equalRungs.get(rung))).toEqual([both]);
  });

  test('a rung of two sets is exchanged only for one that meets the preferences of both', () => {
    const { levels, preferring, equalRungs } = rungsOf([arm, spot], [arm, spot]);
    const [base = []] = levels;
    const [first] = [1, 3].map((preferences) => preferring(base, preferences));
    const shared = first?.[1];
    expect(shared && equalRungs.get(shared)?.every(({ requirements }) => requirements.size === 2)).toBe(true);
  });
});
