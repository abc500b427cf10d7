import type { Pod } from '@karpenter/core';
import type { NodeSelectorRequirement, NodeSelectorTerm } from '@karpenter/core/internal';
import fc from 'fast-check';
import { aPod, preferring, requesting, requiringAnyOf, tolerating, withNodeSelector } from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';

const MiB = 1024 ** 2;
const nothing: PodTrait = (pod) => pod;

/** Labels and values that the builders' nodes and instance types know, and some that they do not. */
const vocabulary: Readonly<Record<string, readonly string[]>> = {
  'topology.kubernetes.io/zone': ['test-zone-1', 'test-zone-2', 'test-zone-3', 'nowhere'],
  'karpenter.sh/capacity-type': ['spot', 'on-demand'],
  'kubernetes.io/arch': ['amd64', 'arm64'],
  team: ['red', 'blue'],
};

/** The label with numbers; pools and nodes have it now and then. */
const generation = 'example.com/generation';

const comparing = (...operators: readonly NodeSelectorRequirement['operator'][]): fc.Arbitrary<NodeSelectorRequirement> =>
  fc.record({
    key: fc.constant(generation),
    operator: fc.constantFrom(...operators),
    values: fc.constantFrom('1', '2', '3').map((bound) => [bound]),
  });

/** Labels of a pool's nodes, or of one node. */
export const someNodeLabels: fc.Arbitrary<Readonly<Record<string, string>>> = fc.constantFrom(
  {},
  {},
  { team: 'red' },
  { [generation]: '2' },
  { team: 'blue', [generation]: '3' },
);

const membership = fc.constantFrom(...Object.keys(vocabulary)).chain((key) =>
  fc.oneof(
    fc.record({
      key: fc.constant(key),
      operator: fc.constantFrom('In' as const, 'NotIn' as const),
      values: fc.uniqueArray(fc.constantFrom(...(vocabulary[key] ?? [])), { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ key: fc.constant(key), operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
  ),
);

/** One expression over the vocabulary, by any operator that pods may use: the API server refuses `Gte` and `Lte` in pods. */
export const anExpression: fc.Arbitrary<NodeSelectorRequirement> = fc.oneof(
  { weight: 5, arbitrary: membership },
  { weight: 1, arbitrary: comparing('Gt', 'Lt') },
);

/** One requirement of a pool, by any operator. */
export const aPoolRequirement: fc.Arbitrary<NodeSelectorRequirement> = fc.oneof(
  { weight: 5, arbitrary: membership },
  { weight: 2, arbitrary: comparing('Gt', 'Lt', 'Gte', 'Lte') },
);

/** Nodes by name; some snapshots have the first of them. The API allows one value. */
const aNameOfNode: fc.Arbitrary<NodeSelectorRequirement> = fc.record({
  key: fc.constant('metadata.name'),
  operator: fc.constantFrom('In' as const, 'NotIn' as const),
  values: fc.constantFrom('node-0', 'node-1', 'node-9').map((name) => [name]),
});

const someExpressions = fc.array(anExpression, { minLength: 1, maxLength: 2 });

const aTerm: fc.Arbitrary<NodeSelectorTerm> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ matchExpressions: someExpressions }) },
  { weight: 1, arbitrary: fc.record({ matchFields: fc.tuple(aNameOfNode) }) },
  { weight: 1, arbitrary: fc.record({ matchExpressions: someExpressions, matchFields: fc.tuple(aNameOfNode) }) },
);

const requests: fc.Arbitrary<PodTrait> = fc
  .record({
    cpuMillis: fc.constantFrom(100, 250, 500, 1000, 1900, 3500),
    memoryBytes: fc.constantFrom(100, 512, 1024, 4096, 15000).map((m) => m * MiB),
  })
  .map(requesting);

const selector: fc.Arbitrary<PodTrait> = fc
  .constantFrom(...Object.keys(vocabulary))
  .chain((key) => fc.constantFrom(...(vocabulary[key] ?? [])).map((value) => withNodeSelector({ [key]: value })));

/** One to three ORed terms that nodes must meet. */
export const someNodeAffinity: fc.Arbitrary<PodTrait> = fc
  .array(aTerm, { minLength: 1, maxLength: 3 })
  .map((terms) => requiringAnyOf(...terms));
const preference: fc.Arbitrary<PodTrait> = fc
  .tuple(fc.integer({ min: 1, max: 100 }), aTerm)
  .map(([weight, term]) => preferring(weight, term));

const toleration: fc.Arbitrary<PodTrait> = fc.constantFrom(
  tolerating({ key: 'dedicated', operator: 'Exists' }),
  tolerating({ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }),
  tolerating({ operator: 'Exists' }),
);

const usually = (trait: fc.Arbitrary<PodTrait>): fc.Arbitrary<PodTrait> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(nothing) }, { weight: 1, arbitrary: trait });

/** What a pod may ask, beside resources: sometimes a node selector, ORed terms, preferences, tolerations. */
const traits: fc.Arbitrary<readonly PodTrait[]> = fc.tuple(
  requests,
  usually(selector),
  usually(someNodeAffinity),
  usually(preference),
  usually(toleration),
);

/** Up to `maxLength` pending pods; now and then several that are equal. What they ask of each other comes from `topology`. */
export const somePods = (maxLength: number, topology: fc.Arbitrary<PodTrait> = fc.constant(nothing)): fc.Arbitrary<readonly Pod[]> =>
  fc
    .array(fc.tuple(traits, topology, fc.integer({ min: 1, max: 3 })), { maxLength })
    .map((kinds) => kinds.flatMap(([kind, among, count]) => Array.from({ length: count }, () => aPod(...kind, among))).slice(0, maxLength));
