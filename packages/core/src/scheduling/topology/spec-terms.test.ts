import { describe, expect, test } from '@jest/globals';
import type { PodAffinityTerm, PodSpec, TopologySpreadConstraint } from '../../kube/index.ts';
import { labelKeysReadBy, hasPodConstraints, topologyKeysReadBy } from './constrained-pods.ts';

const spread = (rest: Partial<TopologySpreadConstraint>): PodSpec => ({
  containers: [],
  topologySpreadConstraints: [{ topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...rest }],
});
const term = (rest: Partial<PodAffinityTerm>): PodAffinityTerm => ({ topologyKey: 'zone', ...rest });
const required = (...terms: readonly PodAffinityTerm[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms });
const preferred = (...terms: readonly PodAffinityTerm[]) => ({
  preferredDuringSchedulingIgnoredDuringExecution: terms.map((podAffinityTerm) => ({ weight: 1, podAffinityTerm })),
});
const near = (podAffinity: NonNullable<PodSpec['affinity']>['podAffinity']): PodSpec => ({
  containers: [],
  affinity: podAffinity === undefined ? {} : { podAffinity },
});
const away = (podAntiAffinity: NonNullable<PodSpec['affinity']>['podAntiAffinity']): PodSpec => ({
  containers: [],
  affinity: podAntiAffinity === undefined ? {} : { podAntiAffinity },
});
const app = { labelSelector: { matchLabels: { app: 'web' } } };
const tier = { labelSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' as const }] } };

describe('a spec', () => {
  test.each<[string, PodSpec, [boolean, readonly string[]]]>([
    ['that says nothing has no constraints', { containers: [] }, [false, []]],
    ['with an affinity to nodes has no constraints', { containers: [], affinity: { nodeAffinity: {} } }, [false, []]],
    ['with an empty list of spreads has no constraints', { containers: [], topologySpreadConstraints: [] }, [false, []]],
    ['with a spread reads the labels of its selector', spread(app), [true, ['app']]],
    ['with a spread reads the labels of its expressions', spread(tier), [true, ['tier']]],
    ['with a spread reads the labels that are to match', spread({ matchLabelKeys: ['revision'] }), [true, ['revision']]],
    ['reads labels for a term that it requires', near(required(term(app))), [true, ['app']]],
    ['reads labels for a term that it prefers', near(preferred(term(tier))), [true, ['tier']]],
    ['reads labels for those that it requires to be elsewhere', away(required(term(tier))), [true, ['tier']]],
    ['reads labels for those that it prefers elsewhere', away(preferred(term(app))), [true, ['app']]],
    [
      'reads the labels in which others are to be like the pod, or unlike it',
      near(required(term({ matchLabelKeys: ['revision'], mismatchLabelKeys: ['tenant'] }))),
      [true, ['revision', 'tenant']],
    ],
    ['with a term without a selector reads none', away(required(term({}))), [true, []]],
  ])('%s', (_, spec, [hasConstraints, keys]) => {
    expect(hasPodConstraints(spec)).toBe(hasConstraints);
    expect(labelKeysReadBy(spec)).toEqual(keys);
  });
});

test('the topology keys of a spec are those of all its terms and spreads', () => {
  const over = (topologyKey: string): PodAffinityTerm => term({ topologyKey });
  const spec = {
    ...spread({ topologyKey: 'spread' }),
    affinity: {
      podAffinity: { ...required(over('beside')), ...preferred(over('rather-beside')) },
      podAntiAffinity: { ...required(over('away')), ...preferred(over('rather-away')) },
    },
  };
  expect([...topologyKeysReadBy(spec)].sort()).toEqual(['away', 'beside', 'rather-away', 'rather-beside', 'spread']);
  expect(topologyKeysReadBy({ containers: [] })).toEqual([]);
});
