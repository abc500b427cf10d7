import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Container, PodSpec } from '../../kube/index.ts';
import { frameText, internedSpecTexts, sizeText } from './pod-shape.ts';

const amounts = fc.dictionary(fc.constantFrom('cpu', 'memory', 'pods'), fc.constantFrom<string | number>('1', 1, '500m', 2), {
  maxKeys: 2,
});
const container: fc.Arbitrary<Container> = fc.record(
  {
    name: fc.constantFrom('main', 'other'),
    resources: fc.record({ requests: amounts, limits: amounts }, { requiredKeys: [] }),
    restartPolicy: fc.constant('Always'),
    ports: fc.array(fc.record({ containerPort: fc.nat(2), hostPort: fc.nat(1) }), { maxLength: 2 }),
  },
  { requiredKeys: ['name'] },
);
const spec: fc.Arbitrary<PodSpec> = fc.record(
  {
    containers: fc.array(container, { maxLength: 2 }),
    initContainers: fc.array(container, { maxLength: 2 }),
    nodeSelector: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y'), { maxKeys: 2 }),
    tolerations: fc.array(fc.constant({ operator: 'Exists' as const }), { maxLength: 2 }),
    overhead: amounts,
  },
  { requiredKeys: ['containers'] },
);

test('are the texts of the spec, and the same value for equal ones', () => {
  fc.assert(
    fc.property(fc.array(spec, { minLength: 1, maxLength: 8 }), (specs) => {
      const { frameOf, sizeOf } = internedSpecTexts();
      for (const each of [...specs, ...structuredClone(specs)]) {
        expect(frameOf(each)).toBe(frameText(each));
        expect(sizeOf(each)).toBe(sizeText(each));
      }
    }),
  );
});

test.each<[string, PodSpec, PodSpec]>([
  [
    'limits are no requests',
    { containers: [{ name: 'main', resources: { limits: { cpu: '1' } } }] },
    { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] },
  ],
  [
    'an init container is no container',
    { containers: [{ name: 'a' }, { name: 'b' }] },
    { containers: [{ name: 'a' }], initContainers: [{ name: 'b' }] },
  ],
])('%s', (_, a, b) => {
  const { sizeOf } = internedSpecTexts();
  expect(sizeOf(a)).not.toBe(sizeOf(b));
});

test('what is no list of containers has a text as well', () => {
  const { sizeOf } = internedSpecTexts();
  const broken = JSON.parse('{ "containers": "none" }') as PodSpec;
  expect(sizeOf(broken)).toBe(sizeText(broken));
});

test('keep a digest of what long lists say, equal for equal lists alone', () => {
  const tolerating = (last: string): PodSpec => ({
    containers: Array.from({ length: 1000 }, (_, index) => ({
      name: `c-${index}`,
      resources: { requests: { [`example.com/${last}`]: '1' } },
    })),
    tolerations: [...Array.from({ length: 1000 }, (_, index) => ({ key: `key-${index}` })), { key: last }],
  });
  const { frameOf, sizeOf } = internedSpecTexts();
  for (const textOf of [frameOf, sizeOf]) {
    expect(textOf(tolerating('a')).length).toBeLessThan(100);
    expect(textOf(tolerating('a'))).toBe(textOf(tolerating('a')));
    expect(textOf(tolerating('a'))).not.toBe(textOf(tolerating('b')));
  }
});
