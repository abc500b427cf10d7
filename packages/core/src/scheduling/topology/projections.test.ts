import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../kube/index.ts';
import { Projections } from './domain-table.ts';

const podLabelled = (labels: Readonly<Record<string, string>> | undefined, namespace?: string): Pod => ({
  metadata: { name: 'web', ...(labels && { labels }), ...(namespace === undefined ? {} : { namespace }) },
  spec: { containers: [] },
});

const seen = new Projections(['app', 'tier']);

describe('pods that selectors cannot distinguish have one projection', () => {
  test.each<[string, Pod, Pod]>([
    ['a label that no selector reads', podLabelled({ app: 'a', 'pod-hash': 'x' }), podLabelled({ app: 'a', 'pod-hash': 'y' })],
    ['no namespace is the default one', podLabelled({ app: 'a' }), podLabelled({ app: 'a' }, 'default')],
    ['no labels at all, and none that is read', podLabelled(undefined), podLabelled({ other: 'x' })],
  ])('%s', (_, a, b) => {
    expect(seen.of(a, [])).toBe(seen.of(b, []));
  });
});

describe('others do not', () => {
  test.each<[string, Pod, Pod]>([
    ['another value', podLabelled({ app: 'a' }), podLabelled({ app: 'b' })],
    ['the same value of another label', podLabelled({ app: 'a' }), podLabelled({ tier: 'a' })],
    ['another namespace', podLabelled({ app: 'a' }), podLabelled({ app: 'a' }, 'other')],
    ['an empty value is a value', podLabelled({ app: '' }), podLabelled({})],
  ])('%s', (_, a, b) => {
    expect(seen.of(a, [])).not.toBe(seen.of(b, []));
  });

  test('claims whose volume does not exist yet', () => {
    expect(
      new Set([[], ['default/a'], ['default/b'], ['default/a', 'default/b']].map((claims) => seen.of(podLabelled({ app: 'a' }), claims)))
        .size,
    ).toBe(4);
  });
});
