import { defaultSchedulingPolicy } from '@karpenter/core';
import type { ClusterSnapshot, InstanceType, SchedulingPolicy } from '@karpenter/core';
import type { NodeSelectorRequirement } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anExpression, reorder } from '../arbitraries/index.ts';
import {
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  labelled,
  nextTo,
  pods,
  requesting,
  requiringAnyOf,
  spreadOver,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { carries, launchableMachinesOf } from './machines.ts';
import { validatedPlan } from '../validator/testing/validated-plan.ts';

/** Equal pods with one constraint about each other: what they get at best is known without a search. */
const web = labelled({ app: 'web' });
const ofWeb = { labelSelector: { matchLabels: { app: 'web' } } };
const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const capacityType = 'karpenter.sh/capacity-type';
const generation = 'example.com/generation';
const zones = ['zone-1', 'zone-2', 'zone-3'];

const policies: readonly SchedulingPolicy[] = [defaultSchedulingPolicy, { ...defaultSchedulingPolicy, packing: 'first-fit' }];

const evenlyOver = (topologyKey: string): PodTrait => spreadOver({ ...ofWeb, topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' });

/** Machines of several sizes, each size in some zones only. */
const sizes: fc.Arbitrary<readonly InstanceType[]> = fc
  .array(
    fc.record({
      cpus: fc.constantFrom(1, 2, 4, 8, 16),
      zones: fc.subarray(zones, { minLength: 1 }),
      arch: fc.constantFrom('amd64', 'arm64'),
      pricePerHour: fc.integer({ min: 1, max: 40 }).map((eighths) => eighths / 8),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((options) => options.map((each, index) => anInstanceType({ ...each, name: `type-${index}` })));

/** Pools of different weights, each for some machines only. */
const pools = fc.uniqueArray(fc.constantFrom('amd64', 'arm64'), { minLength: 1 }).map((arches) =>
  arches.map((arch, index) =>
    aNodePool({
      name: arch,
      weight: 10 - index,
      requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: [arch] }],
    }),
  ),
);

/** What hosts there are, and what may come. */
const hosts = fc.record({ instanceTypes: sizes, nodePools: pools, free: fc.array(fc.constantFrom(0, 1, 3, 7), { maxLength: 3 }) });

const someGenerations = fc
  .constantFrom<Pick<NodeSelectorRequirement, 'operator' | 'values'>>(
    { operator: 'In', values: ['2', '3'] },
    { operator: 'NotIn', values: ['2'] },
    { operator: 'Gt', values: ['2'] },
    { operator: 'Lt', values: ['4'] },
  )
  .map((each) => ({ key: generation, ...each }));

describe.each(policies)('equal pods ($packing)', (policy) => {
  test('that must share a host all have a place exactly when one node or machine has room for all', () => {
    const together = nextTo({ ...ofWeb, topologyKey: hostname });
    fc.assert(
      fc.property(hosts, fc.integer({ min: 2, max: 8 }), ({ instanceTypes, nodePools, free }, count) => {
        const pending = pods(count, web, together, requesting({ cpuMillis: 900 }));
        const nodes = free.map((cpus) => aNode({ allocatable: { cpu: cpus * 1000, memory: 64 * 1024 ** 3, pods: 110 } }));
        const snapshot = aSnapshot({ pending, instanceTypes, nodePools, nodes });
        const holdsAll =
          free.some((cpus) => cpus * 1000 >= count * 900) ||
          launchableMachinesOf(snapshot).some((machine) => carries(machine, pending, snapshot));
        expect(validatedPlan(snapshot, policy).rejections.length === 0).toBe(holdsAll);
      }),
      { numRuns: 100 },
    );
  });

  test('that spread all have a place exactly when one of them alone has, whatever nodes they exclude', () => {
    const spreads = fc.record({
      topologyKey: fc.constantFrom(zone, capacityType, 'kubernetes.io/arch', generation),
      expression: fc.oneof(anExpression, someGenerations),
      pool: fc.constantFrom<Parameters<typeof aNodePool>[0]>(
        {},
        { labels: { team: 'red' } },
        { labels: { [generation]: '2' } },
        { requirements: [{ key: generation, operator: 'Exists' }] },
        { requirements: [{ key: generation, operator: 'Gt', values: ['1'] }] },
      ),
    });
    fc.assert(
      fc.property(spreads, fc.integer({ min: 2, max: 9 }), ({ topologyKey, expression, pool }, count) => {
        const like = [web, evenlyOver(topologyKey), requiringAnyOf({ matchExpressions: [expression] }), requesting({ cpuMillis: 100 })];
        const instanceTypes = ['amd64', 'arm64'].map((arch) => anInstanceType({ name: arch, arch, cpus: 2 }));
        const leftOver = (pending: ClusterSnapshot['pendingPods']): number =>
          validatedPlan(aSnapshot({ pending, instanceTypes, nodePools: [aNodePool(pool)] }), policy).rejections.length;
        expect(leftOver(pods(count, ...like))).toBe(leftOver([aPod(...like)]) * count);
      }),
      { numRuns: 100 },
    );
  });

  test('that spread all have a place, or maxSkew in each domain where these are fewer than minDomains', () => {
    const every = new Map<string, readonly string[]>([
      [zone, zones],
      [capacityType, ['spot', 'on-demand']],
    ]);
    const spreads = fc.constantFrom(...every).chain(([topologyKey, all]) =>
      fc.record({
        topologyKey: fc.constant(topologyKey),
        onSale: fc.subarray([...all], { minLength: 1 }),
        excluded: fc.option(fc.constantFrom(...all), { nil: undefined }),
        minDomains: fc.integer({ min: 1, max: 4 }),
        maxSkew: fc.integer({ min: 1, max: 3 }),
        hasPoolForEach: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(spreads, fc.integer({ min: 1, max: 9 }), (spread, count) => {
        const { topologyKey, onSale, excluded, minDomains, maxSkew, hasPoolForEach } = spread;
        const domains = onSale.filter((domain) => domain !== excluded).length;
        const onSaleOf = (key: string): readonly string[] => (key === topologyKey ? onSale : (every.get(key) ?? []));
        const offerings = onSaleOf(zone).flatMap((each, index) =>
          onSaleOf(capacityType).map((type) => ({ zone: each, capacityType: type, pricePerHour: type === 'spot' ? 1 : 2 + index })),
        );
        const poolOf = (values: readonly string[], index: number) =>
          aNodePool({ name: `pool-${index}`, requirements: [{ key: topologyKey, operator: 'In', values }] });
        const plan = validatedPlan(
          aSnapshot({
            pending: pods(
              count,
              web,
              requesting({ cpuMillis: 900 }),
              spreadOver({ ...ofWeb, topologyKey, maxSkew, minDomains, whenUnsatisfiable: 'DoNotSchedule' }),
              ...(excluded === undefined
                ? []
                : [requiringAnyOf({ matchExpressions: [{ key: topologyKey, operator: 'NotIn', values: [excluded] }] })]),
            ),
            instanceTypes: [anInstanceType({ cpus: 4, offerings })],
            nodePools: (hasPoolForEach ? onSale.map((domain) => [domain]) : [onSale]).map(poolOf),
          }),
          policy,
        );
        expect(count - plan.rejections.length).toBe(domains < minDomains ? Math.min(count, domains * maxSkew) : count);
      }),
      { numRuns: 100 },
    );
  });

  test('that fill a machine each pay the least that their constraint allows: the cheapest domains have the pods that have a choice', () => {
    const offers = fc.uniqueArray(
      fc.record({
        zone: fc.constantFrom(...zones),
        capacityType: fc.constantFrom('spot', 'on-demand'),
        pricePerHour: fc.integer({ min: 1, max: 40 }).map((eighths) => eighths / 8),
      }),
      { minLength: 1, maxLength: 6, selector: (offer) => `${offer.zone} ${offer.capacityType}` },
    );
    const keys = fc.constantFrom<readonly ['zone' | 'capacityType', string]>(['zone', zone], ['capacityType', capacityType]);
    fc.assert(
      fc.property(fc.tuple(offers, keys), fc.boolean(), fc.integer({ min: 1, max: 8 }), (where, isSpread, count) => {
        const [offerings, [field, topologyKey]] = where;
        const domains = new Map<string, number>();
        for (const offer of offerings)
          domains.set(offer[field], Math.min(offer.pricePerHour, domains.get(offer[field]) ?? Number.POSITIVE_INFINITY));
        const prices = [...domains.values()].sort((a, b) => a - b);
        // Spread pods go round the domains, the rest of a round to the cheapest; pods that share a domain all to the cheapest.
        const paid = Array.from({ length: count }, (_, index) => prices[isSpread ? index % prices.length : 0] ?? 0);
        const constraint = isSpread ? evenlyOver(topologyKey) : nextTo({ ...ofWeb, topologyKey });
        const snapshot = aSnapshot({
          pending: pods(count, web, constraint, requesting({ cpuMillis: 3500 })),
          instanceTypes: [anInstanceType({ name: 'only', cpus: 4, offerings })],
        });
        const plan = validatedPlan(reorder(snapshot, count), policy);
        expect(plan.rejections).toEqual([]);
        expect(plan.pricePerHour).toBeCloseTo(paid.reduce((sum, price) => sum + price, 0));
      }),
      { numRuns: 100 },
    );
  });
});

test('pods that join pods of their kind and spread over the same domains all have a place where there are enough others for each domain', () => {
  const groups = fc.record({
    topologyKey: fc.constantFrom(zone, capacityType),
    others: fc.integer({ min: 3, max: 8 }),
    count: fc.integer({ min: 1, max: 6 }),
    cpuMillis: fc.constantFrom(300, 900),
    maxSkew: fc.constantFrom(1, 2),
  });
  fc.assert(
    fc.property(groups, ({ topologyKey, others, count, cpuMillis, maxSkew }) => {
      const evenly = spreadOver({ ...ofWeb, topologyKey, maxSkew, whenUnsatisfiable: 'DoNotSchedule' });
      const pending = [
        ...pods(others, web, requesting({ cpuMillis: 700 })),
        ...pods(count, web, nextTo({ ...ofWeb, topologyKey }), evenly, requesting({ cpuMillis })),
      ];
      expect(validatedPlan(aSnapshot({ pending }), defaultSchedulingPolicy).rejections).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
