import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, labels } from '../apis/index.ts';
import type { NodeOverlay, NodePool } from '../apis/index.ts';
import { finish } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import { requirementsOf } from '../requirements/index.ts';
import { aPricedOffering } from '../testing/objects.ts';
import type { InstanceType, Offering } from './instance-type.ts';
import {
  adjustedPrice,
  applyingOverlays,
  applyOverlays,
  findingOverlayConflicts,
  overlayRules,
  poolLabelRequirements,
} from './overlays.ts';

const typeWithOfferings = (name: string, ...offerings: readonly Offering[]): InstanceType => ({
  name,
  offerings,
  capacity: { cpu: 4000 },
  overhead: {},
  requirements: requirementsOf([
    { key: labels.instanceType, operator: 'In', values: [name] },
    { key: labels.zone, operator: 'In', values: ['1', '2'] },
    { key: labels.capacityType, operator: 'In', values: ['spot', 'on-demand'] },
  ]),
});

const small = typeWithOfferings(
  'small',
  aPricedOffering('1', 'on-demand', 1),
  aPricedOffering('1', 'spot', 0.4),
  aPricedOffering('2', 'on-demand', 1),
);
const large = typeWithOfferings('large', aPricedOffering('1', 'on-demand', 2));

const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'web' },
  spec: {
    template: {
      metadata: { labels: { team: 'red' } },
      spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
    },
  },
};
const poolLabels = poolLabelRequirements(pool, defaultLabelCatalog);

const overlayWith = (name: string, spec: Partial<NodeOverlay['spec']>): NodeOverlay => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name },
  spec: { requirements: [], ...spec },
});

const rulesOf = (...overlays: readonly NodeOverlay[]) => overlayRules(overlays, defaultLabelCatalog);
const applied = (...overlays: readonly NodeOverlay[]) => applyOverlays([small, large], rulesOf(...overlays), poolLabels);
const prices = (types: readonly InstanceType[]): readonly (readonly number[])[] =>
  types.map(({ offerings }) => offerings.map(({ pricePerHour }) => pricePerHour));

describe('adjustedPrice', () => {
  test.each([
    { change: '0.25', expected: 0.25 },
    { change: '+0.5', expected: 2.5 },
    { change: '-0.5', expected: 1.5 },
    { change: '+10%', expected: 2.2 },
    { change: '-15%', expected: 1.7 },
    { change: '-100%', expected: 0 },
    { change: '-3', expected: 0 },
  ])('of 2 dollars and $change is $expected', ({ change, expected }) => expect(adjustedPrice(2, change)).toBeCloseTo(expected, 12));

  test.each(['9'.repeat(400), `+${'9'.repeat(400)}%`, '-101%', '1e3%', 'x'])('is unchanged by what is no change: %.8s', (change) =>
    expect(adjustedPrice(2, change)).toBe(2),
  );

  test('of an unknown price is unknown, unless it is replaced', () => {
    expect(adjustedPrice(Number.NaN, '+10%')).toBeNaN();
    expect(adjustedPrice(Number.NaN, '0.3')).toBe(0.3);
  });
});

describe('applyOverlays', () => {
  interface Case {
    readonly about: string;
    readonly requirements: NodeOverlay['spec']['requirements'];
    readonly expected: readonly (readonly number[])[];
  }

  test.each<Case>([
    { about: 'everything', requirements: [], expected: [[9, 9, 9], [9]] },
    {
      about: 'one type',
      requirements: [{ key: labels.instanceType, operator: 'In', values: ['large'] }],
      expected: [[1, 0.4, 1], [9]],
    },
    { about: 'one zone', requirements: [{ key: labels.zone, operator: 'In', values: ['2'] }], expected: [[1, 0.4, 9], [2]] },
    {
      about: 'one capacity type in one zone',
      requirements: [
        { key: labels.capacityType, operator: 'NotIn', values: ['spot'] },
        { key: labels.zone, operator: 'In', values: ['1'] },
      ],
      expected: [[9, 0.4, 1], [9]],
    },
    { about: 'the pool', requirements: [{ key: labels.nodePool, operator: 'In', values: ['web'] }], expected: [[9, 9, 9], [9]] },
    { about: 'another pool', requirements: [{ key: labels.nodePool, operator: 'In', values: ['db'] }], expected: [[1, 0.4, 1], [2]] },
    { about: 'a label of the template', requirements: [{ key: 'team', operator: 'In', values: ['red'] }], expected: [[9, 9, 9], [9]] },
    { about: 'a label that nobody has', requirements: [{ key: 'tier', operator: 'Exists' }], expected: [[1, 0.4, 1], [2]] },
    { about: 'the want of a label', requirements: [{ key: 'tier', operator: 'DoesNotExist' }], expected: [[9, 9, 9], [9]] },
  ])('is about $about', ({ requirements, expected }) => {
    expect(prices(applied(overlayWith('a', { requirements, price: '9' })))).toEqual(expected);
  });

  test('a heavier overlay wins a price, and changes of the price are not added up', () => {
    const [first] = applied(
      overlayWith('light', { weight: 1, priceAdjustment: '-50%' }),
      overlayWith('heavy', { weight: 5, priceAdjustment: '+10%' }),
    );
    expect(first?.offerings[0]?.pricePerHour).toBeCloseTo(1.1, 12);
  });

  test('capacities of several overlays come together, the heavier winning a resource', () => {
    const [first] = applied(
      overlayWith('light', { weight: 1, capacity: { 'a.com/x': '1', 'a.com/y': '1' } }),
      overlayWith('heavy', { weight: 5, capacity: { 'a.com/x': '7' } }),
    );
    expect(first?.capacity).toEqual({ cpu: 4000, 'a.com/x': 7, 'a.com/y': 1 });
    expect(first?.overlaid).toEqual({ hasPrice: false, capacity: { 'a.com/x': 7, 'a.com/y': 1 } });
  });

  test('nothing but price and capacity is lost or changed, and what no overlay is about stays the same object', () => {
    const reserved: Offering = { ...aPricedOffering('2', 'on-demand', 1), reservation: { id: 'r-1', remaining: 2 } };
    const rich = { ...typeWithOfferings('rich', reserved), future: 'kept' };
    const rules = rulesOf(overlayWith('a', { requirements: [{ key: labels.instanceType, operator: 'In', values: ['rich'] }], price: '5' }));
    const [untouched, changed] = applyOverlays([small, rich], rules, poolLabels);
    expect(untouched).toBe(small);
    expect(changed).toEqual({ ...rich, offerings: [{ ...reserved, pricePerHour: 5 }], overlaid: { hasPrice: true, capacity: {} } });
  });

  test.each<[changed: string, spec: Partial<NodeOverlay['spec']>]>([
    ['a price', { price: '5' }],
    ['a capacity', { capacity: { 'a.com/x': '1' } }],
  ])('a type with %s of an overlay still brings its devices', (_, spec) => {
    const dynamicResources = {
      resourceSliceTemplates: [{ driver: 'gpu.example.com', pool: 'gpus', devices: [{ name: 'gpu-0' }] }],
      attributeBindings: [{ attribute: 'gpu.example.com/root', devices: [{ driver: 'gpu.example.com', pool: 'gpus', device: 'gpu-0' }] }],
    };
    const [changed] = applyOverlays([{ ...small, dynamicResources }], rulesOf(overlayWith('a', spec)), poolLabels);
    expect(changed?.overlaid).toBeDefined();
    expect(changed?.dynamicResources).toEqual(dynamicResources);
  });
});

describe('findingOverlayConflicts', () => {
  const conflicts = (...overlays: readonly NodeOverlay[]) =>
    Object.fromEntries(finish(findingOverlayConflicts(rulesOf(...overlays), [{ labels: poolLabels, types: [small, large] }])));
  const inZone = (zone: string): NodeOverlay['spec']['requirements'] => [{ key: labels.zone, operator: 'In', values: [zone] }];

  test.each<{ readonly of: string; readonly overlays: readonly NodeOverlay[] }>([
    { of: 'different weight', overlays: [overlayWith('a', { price: '1', weight: 1 }), overlayWith('b', { price: '2', weight: 2 })] },
    {
      of: 'different zones',
      overlays: [overlayWith('a', { price: '1', requirements: inZone('1') }), overlayWith('b', { price: '2', requirements: inZone('2') })],
    },
    { of: 'price and capacity', overlays: [overlayWith('a', { price: '1' }), overlayWith('b', { capacity: { 'a.com/x': '1' } })] },
    {
      of: 'different resources',
      overlays: [overlayWith('a', { capacity: { 'a.com/x': '1' } }), overlayWith('b', { capacity: { 'a.com/y': '1' } })],
    },
  ])('overlays of $of live together', ({ overlays }) => expect(conflicts(...overlays)).toEqual({}));

  test('of two that price the same offering with one weight, the one that comes later by the order is not in force', () => {
    expect(conflicts(overlayWith('a', { price: '1' }), overlayWith('b', { price: '2', requirements: inZone('2') }))).toEqual({
      a: { with: 'b', instanceType: 'small', about: 'price' },
    });
  });

  test('two that state the same resource conflict, even with the same amount', () => {
    const capacity = { 'a.com/x': '1' };
    expect(conflicts(overlayWith('a', { capacity }), overlayWith('b', { capacity }))).toEqual({
      a: { with: 'b', instanceType: 'small', about: 'a.com/x' },
    });
  });

  test('one that is not in force conflicts with none', () => {
    const one = overlayWith('c', { price: '1', requirements: inZone('1') });
    const two = overlayWith('b', { price: '2' });
    const three = overlayWith('a', { price: '3', requirements: inZone('2') });
    expect(conflicts(one, two, three)).toEqual({ b: { with: 'c', instanceType: 'small', about: 'price' } });
  });

  test('an equal weight conflicts also beneath a heavier one', () => {
    const heavy = overlayWith('z', { price: '1', weight: 9 });
    expect(conflicts(heavy, overlayWith('a', { price: '2' }), overlayWith('b', { price: '3' }))).toHaveProperty('a');
  });
});

/** So many types of three offerings; `reads` counts how often a label of a type or an offering is looked up. */
const countedTypes = (count: number) => {
  let reads = 0;
  class Counted<K, V> extends Map<K, V> {
    override get(key: K): V | undefined {
      reads += 1;
      return super.get(key);
    }
  }
  const types = Array.from({ length: count }, (_, index): InstanceType => {
    const { requirements, offerings, ...rest } = typeWithOfferings(`t-${index}`, ...small.offerings);
    const counted = offerings.map((offering) => ({ ...offering, requirements: new Counted(offering.requirements) }));
    return { ...rest, requirements: new Counted(requirements), offerings: counted };
  });
  /** How many labels are looked up in all, and at most between two pauses. */
  const readsOf = (steps: Steps<unknown>) => {
    let [all, most] = [0, 0];
    for (;;) {
      reads = 0;
      const { done } = steps.next();
      [all, most] = [all + reads, Math.max(most, reads)];
      if (done === true) return { all, most };
    }
  };
  return { types, readsOf };
};

describe('many overlays over 1,000 types', () => {
  const many = (spec: (index: number) => Partial<NodeOverlay['spec']>) =>
    rulesOf(...[...Array(20).keys()].map((index) => overlayWith(`o-${index}`, spec(index))));
  const ofTypes: NodeOverlay['spec']['requirements'] = [
    { key: labels.instanceType, operator: 'NotIn', values: ['none'] },
    { key: labels.zone, operator: 'In', values: ['1'] },
  ];
  /** Of a type and its three offerings, by such an overlay. */
  const READS_OF_A_TYPE = 4;

  test('no more than 64 types are compared with an overlay without a pause', () => {
    const { types, readsOf } = countedTypes(1000);
    const { all, most } = readsOf(
      findingOverlayConflicts(
        many((index) => ({ requirements: ofTypes, capacity: { [`a.com/${index}`]: '1' } })),
        [{ labels: poolLabels, types }],
      ),
    );
    expect(all).toBe(20 * 1000 * READS_OF_A_TYPE);
    expect(most).toBe(64 * READS_OF_A_TYPE);
  });

  test('they are applied to one type without a pause, and to those that another run applied them to not again', () => {
    const { types, readsOf } = countedTypes(1000);
    const pool = { labels: poolLabels, types };
    const made = new WeakMap<InstanceType, InstanceType>();
    const rules = many((index) => ({ requirements: ofTypes, capacity: { [`a.com/${index}`]: '1' } }));
    const { all, most } = readsOf(applyingOverlays(pool, rules, made));
    expect([all, most]).toEqual([20 * 1000 * READS_OF_A_TYPE, 20 * READS_OF_A_TYPE]);
    expect(readsOf(applyingOverlays(pool, rules, made)).all).toBe(0);
  });

  test.each<[string, (index: number) => Partial<NodeOverlay['spec']>]>([
    ['have weights of their own', (index) => ({ requirements: ofTypes, price: '1', weight: index + 1 })],
    [
      'are about another pool',
      () => ({ requirements: [...ofTypes, { key: labels.nodePool, operator: 'In', values: ['db'] }], price: '1' }),
    ],
    [
      'are about a label that neither pool nor types state',
      () => ({ requirements: [...ofTypes, { key: 'tier', operator: 'Exists' }], price: '1' }),
    ],
  ])('no type is read for conflicts of those that %s', (_, spec) => {
    const { types, readsOf } = countedTypes(1000);
    expect(readsOf(findingOverlayConflicts(many(spec), [{ labels: poolLabels, types }])).all).toBe(0);
  });

  test('once the first has set all prices of a type, the others are not compared with it', () => {
    const { types, readsOf } = countedTypes(1000);
    const rules = many(() => ({ requirements: [{ key: labels.instanceType, operator: 'NotIn', values: ['none'] }], price: '1' }));
    expect(readsOf(applyingOverlays({ labels: poolLabels, types }, rules, new WeakMap())).all).toBe(1000);
  });

  test('each is compiled once', () => {
    const one = overlayWith('a', { requirements: ofTypes });
    expect(rulesOf(one)[0]).toBe(rulesOf(one)[0]);
  });
});
