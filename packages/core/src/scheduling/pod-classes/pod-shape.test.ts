import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog } from '../../apis/index.ts';
import type { PodSpec } from '../../kube/index.ts';
import { shapeReader } from './pod-shape.ts';

const spec = (change: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'main', image: 'a', resources: { requests: { cpu: '100m', memory: '1Gi' } } }],
  ...change,
});
const zone = { 'topology.kubernetes.io/zone': 'a' };

describe('specs that the solver cannot distinguish have one shape', () => {
  test.each<[string, PodSpec, PodSpec]>([
    ['the same content in another object', spec(), spec()],
    [
      'another image and container name',
      spec(),
      spec({ containers: [{ name: 'x', image: 'b', resources: { requests: { memory: '1Gi', cpu: '100m' } } }] }),
    ],
    ['a volume that binds nothing', spec(), spec({ volumes: [{ name: 'config' }] })],
  ])('%s', (_, a, b) => {
    const shapeOf = shapeReader(defaultLabelCatalog);
    expect(shapeOf(a)).toBe(shapeOf(b));
  });
});

describe('specs that differ in what the solver reads have two', () => {
  test.each<[string, Partial<PodSpec>]>([
    ['requests', { containers: [{ name: 'main', resources: { requests: { cpu: '200m', memory: '1Gi' } } }] }],
    ['an init container', { initContainers: [{ name: 'init', resources: { requests: { cpu: '2' } } }] }],
    ['a node selector', { nodeSelector: zone }],
    ['a toleration', { tolerations: [{ operator: 'Exists' }] }],
    ['overhead', { overhead: { cpu: '10m' } }],
    ['a claim for a device', { resourceClaims: [{ name: 'gpu' }] }],
  ])('%s', (_, change) => {
    const shapeOf = shapeReader(defaultLabelCatalog);
    expect(shapeOf(spec(change))).not.toBe(shapeOf(spec()));
  });
});

test('another reader of the same catalog finds what the first has compiled', () => {
  const pod = spec({ nodeSelector: zone });
  expect(shapeReader(defaultLabelCatalog)(pod)).toBe(shapeReader(defaultLabelCatalog)(pod));
});

test('the relaxation order holds every alternative, and again tolerating soft taints; preferences stand apart, the heaviest first', () => {
  const inZone = (value: string) => ({ matchExpressions: [{ key: 'zone', operator: 'In' as const, values: [value] }] });
  const shape = shapeReader(defaultLabelCatalog)(
    spec({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [inZone('a'), inZone('b')] },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: inZone('a') },
            { weight: 9, preference: inZone('b') },
          ],
        },
      },
    }),
  );
  expect(shape.relaxationOrder.map((terms) => [terms.length, terms[0]?.relaxation])).toEqual([
    [2, 'required'],
    [2, 'soft-taints'],
  ]);
  expect(shape.preferences.kept.map(({ weight, index }) => [weight, index])).toEqual([
    [9, 1],
    [1, 0],
  ]);
  expect(shape.preferred.map((requirements) => requirements?.get('zone')?.values)).toEqual([
    { kind: 'in', values: new Set(['b']) },
    { kind: 'in', values: new Set(['a']) },
  ]);
});

describe('a spec with long lists', () => {
  const long = (zoneKey: string, operator: 'NotIn' | 'Gt' = 'NotIn'): PodSpec => {
    const values = Array.from({ length: 2000 }, (_, index) => `zone-${index}`);
    const nodeSelectorTerms = [{ matchExpressions: [{ key: zoneKey, operator, values }] }];
    return spec({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } });
  };

  test('is compiled when its shape is read, and means what it says', () => {
    const { relaxationOrder, requests, problem } = shapeReader(defaultLabelCatalog)(long('zone'));
    expect(problem).toBeUndefined();
    expect(requests['cpu']).toBe(100);
    expect(relaxationOrder[0]?.[0]?.requirements.get('zone')?.values.values.size).toBe(2000);
  });

  test('has a shape with its problem when it is malformed', () => {
    const { problem, relaxationOrder } = shapeReader(defaultLabelCatalog)(long('zone', 'Gt'));
    expect(problem?.problem).toContain('exactly one integer');
    expect(relaxationOrder).toEqual([]);
  });

  test('shares its shape with equal ones only', () => {
    const shapeOf = shapeReader(defaultLabelCatalog);
    expect(shapeOf(long('zone'))).toBe(shapeOf(long('zone')));
    expect(shapeOf(long('rack'))).not.toBe(shapeOf(long('zone')));
  });
});
