import { defaultSchedulingPolicy, type Plan, simulate } from '@karpenter/core';
import type { Device, ResourceClaim, ResourceSlice } from '@karpenter/core/internal';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DeviceSearch } from '@karpenter/simulator';
import { aNode, anInstanceType, aSnapshot } from '../../builders/index.ts';
import { validatePlan } from '../validate-plan.ts';
import { reachedBy } from './reachable-devices.ts';
import { claimOf, devicesOf, DRIVER, gpus, nodeOnItsWay, request, sliceOf, typeWith, usingClaims } from './testing/gpu-cluster.ts';
import { lawRuns } from '../testing/law-runs.ts';
import { validatedPlan } from '../testing/validated-plan.ts';

const traits = fc.record(
  {
    attributes: fc.record(
      { model: fc.constantFrom('a', 'b').map((string) => ({ string })), root: fc.integer({ min: 0, max: 2 }).map((int) => ({ int })) },
      { requiredKeys: ['model'] },
    ),
    capacity: fc.record({
      memory: fc.record({
        value: fc.constantFrom('4Gi', '8Gi'),
        requestPolicy: fc.constantFrom({}, { default: '2Gi' }, { validValues: ['2Gi', '4Gi'], default: '2Gi' }),
      }),
    }),
    allowMultipleAllocations: fc.boolean(),
    taints: fc.constantFrom([], [{ key: 'sick', effect: 'NoSchedule' }]),
    consumesCounters: fc.constantFrom(
      [],
      [{ counterSet: 'set', counters: { slots: { value: '2' } } }],
      [{ counterSet: 'set', counters: { slots: { value: '3' } } }],
    ),
  },
  { requiredKeys: ['attributes', 'capacity'] },
);

const devices = fc
  .array(traits, { minLength: 1, maxLength: 4 })
  .map((all): readonly Device[] => gpus(all.length, (index) => all[index] ?? {}));

const sharedCounters = [{ name: 'set', counters: { slots: { value: '5' } } }];

const asked = fc.record(
  {
    count: fc.integer({ min: 1, max: 2 }),
    allocationMode: fc.constantFrom('ExactCount', 'ExactCount', 'All'),
    selectors: fc.constantFrom([], [{ cel: { expression: `device.attributes["${DRIVER}"].model == "a"` } }]),
    tolerations: fc.constantFrom([], [{ key: 'sick', operator: 'Exists' }]),
    capacity: fc.constantFrom({}, { requests: { memory: '3Gi' } }),
    adminAccess: fc.constantFrom(false, false, false, true),
  },
  { requiredKeys: [] },
);

const requests = fc
  .array(fc.tuple(asked, fc.option(asked, { nil: undefined })), { minLength: 1, maxLength: 2 })
  .map((all) =>
    all.map(([first, second], index) =>
      second === undefined
        ? request(`r${index}`, first)
        : { name: `r${index}`, firstAvailable: [first, second].map((each, at) => ({ name: `s${at}`, deviceClassName: 'gpu', ...each })) },
    ),
  );

const constraints = fc.constantFrom(
  [],
  [],
  [{ matchAttribute: `${DRIVER}/root` }],
  [{ distinctAttribute: `${DRIVER}/root` }],
  [{ requests: ['r0'], matchAttribute: `${DRIVER}/model` }],
);

const claims = fc
  .array(fc.tuple(requests, constraints), { minLength: 1, maxLength: 3 })
  .map((all): readonly ResourceClaim[] => all.map(([each, bounds], index) => claimOf(`claim-${index}`, each, bounds)));

const withCounters = (own: readonly Device[]): Parameters<typeof typeWith>[2] => ({
  resourceSliceTemplates: [
    { driver: DRIVER, pool: 'gpus', sharedCounters },
    { driver: DRIVER, pool: 'gpus', devices: own },
  ],
});

const ZONE = 'topology.kubernetes.io/zone';
const zones = ['test-zone-1', 'test-zone-2', 'test-zone-3'];

const forLabel = (key: string, value: string): object => ({
  nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
});

/** Where devices of a slice are: `here` is a node. */
const place = fc.constantFrom(
  { allNodes: true },
  { nodeName: 'here' },
  { nodeName: 'elsewhere' },
  forLabel('rack', 'r1'),
  ...zones.slice(0, 2).map((zone) => forLabel(ZONE, zone)),
);

/** Slices of pools of their own, some of them incomplete, some with devices that each say where they are. */
const slices = fc
  .array(fc.record({ devices, place, places: fc.option(fc.tuple(place, place)), parts: fc.constantFrom(1, 1, 1, 2) }), { maxLength: 3 })
  .map((all): readonly ResourceSlice[] =>
    all.map((drawn, index) => {
      const own = drawn.devices.map(({ consumesCounters: _, ...rest }) => rest);
      const [even, odd] = drawn.places ?? [];
      const placed = own.map((device, at) => ({ ...device, ...(at % 2 === 0 ? even : odd) }));
      const where = drawn.places === null ? drawn.place : { perDeviceNodeSelection: true };
      return sliceOf(placed, { ...where, name: `pool-${index}`, pool: { name: `pool-${index}`, resourceSliceCount: drawn.parts } });
    }),
  );

/** Some devices of the type `gpus` will have one value of `root`, unless they say which. */
const bindings = fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 3 }).map((bound) => ({
  attributeBindings: [
    { attribute: `${DRIVER}/root`, devices: bound.map((index) => ({ driver: DRIVER, pool: 'gpus', device: `gpu-${index}` })) },
  ],
}));

/** The pods of every node, those on planned ones with the type, and the pods without a place. */
const contentOf = ({ plannedNodes, placements, rejections }: Plan): readonly string[] => {
  const named = (pods: Plan['plannedNodes'][number]['pods']): string =>
    pods
      .map(({ metadata }) => metadata.name)
      .sort()
      .join();
  return [
    ...plannedNodes.map(({ cheapest, pods }) => `${cheapest.instanceType.name} ${cheapest.offering.zone}: ${named(pods)}`),
    ...[...placements].map(([node, pods]) => `${node}: ${named(pods)}`),
    `none: ${named(rejections.map(({ pod }) => pod))}`,
  ].sort();
};

test('one pod on one node: it is placed exactly when some assignment of devices exists', () => {
  fc.assert(
    fc.property(devices, claims, (own, wanted) => {
      const slices = [
        sliceOf(own, { nodeName: 'here', pool: { name: 'pool', resourceSliceCount: 2 } }),
        {
          ...sliceOf([], { sharedCounters, nodeName: 'here', pool: { name: 'pool', resourceSliceCount: 2 } }),
          metadata: { name: 'counters' },
        },
      ];
      const view = devicesOf(wanted, slices);
      const snapshot = aSnapshot({ nodes: [aNode({ name: 'here' })], instanceTypes: [], pending: [usingClaims(...wanted)], devices: view });
      const { devices: reached, isWhole } = reachedBy({ name: 'here', labels: {} }, snapshot);
      const tasks = wanted.map(({ metadata, spec }) => ({ key: metadata.name, spec, devices: reached, isWhole }));
      const exists = new DeviceSearch(view.classes, new Map(), 1_000_000).finds(tasks);
      expect(simulate(snapshot).placements.size).toBe(Number(exists));
    }),
    lawRuns({ usual: 160, all: 400 }),
  );
});

test('pods over instance types: every plan is sound, and the order of the snapshot does not matter', () => {
  fc.assert(
    fc.property(
      fc.array(devices, { minLength: 1, maxLength: 3 }),
      fc.array(claims, { minLength: 1, maxLength: 4 }),
      devices,
      (types, pods, published) => {
        const named = pods.map((each, pod) =>
          each.map((claim) => ({ ...claim, metadata: { ...claim.metadata, name: `${claim.metadata.name}-${pod}` } })),
        );
        const view = devicesOf(named.flat(), [sliceOf(published.map(({ consumesCounters: _, ...rest }) => rest))]);
        const instanceTypes = types.map((own, index) => typeWith(`type-${index}`, own, { ...withCounters(own), cpus: index + 2 }));
        const pending = named.map((each) => usingClaims(...each));
        const plan = simulate(aSnapshot({ instanceTypes, pending, devices: view }));
        expect(validatePlan(aSnapshot({ instanceTypes, pending, devices: view }), defaultSchedulingPolicy, plan)).toEqual([]);
        const reordered = simulate(
          aSnapshot({ instanceTypes: [...instanceTypes].reverse(), pending: [...pending].reverse(), devices: view }),
        );
        expect(contentOf(reordered)).toEqual(contentOf(plan));
      },
    ),
    lawRuns({ usual: 60, all: 150 }),
  );
});

test('pods that share claims, some for all devices, beside devices of all nodes: every plan is sound', () => {
  const asks = fc.array(fc.tuple(requests, constraints), { minLength: 3, maxLength: 3 });
  const users = fc.array(fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(fc.record({ own: devices, published: devices, asks, users }), (drawn) => {
      const wanted = drawn.asks.map(([each, bounds], index) => claimOf(`claim-${index}`, each, bounds));
      const published = drawn.published.map(({ consumesCounters: _, ...rest }) => rest);
      const slices = [sliceOf(published), sliceOf(published.slice(1), { name: 'local', nodeName: 'here' })];
      const snapshot = aSnapshot({
        nodes: [aNode({ name: 'here' })],
        instanceTypes: [typeWith('type', drawn.own, withCounters(drawn.own))],
        pending: drawn.users.map((each) => usingClaims(...each.flatMap((index) => wanted[index] ?? []))),
        devices: devicesOf(wanted, slices),
      });
      expect(validatePlan(snapshot, defaultSchedulingPolicy, simulate(snapshot))).toEqual([]);
    }),
    lawRuns({ usual: 60, all: 150 }),
  );
});

test('one pod on one planned node: it is placed exactly when in some zone some assignment of devices exists', () => {
  fc.assert(
    fc.property(fc.record({ own: devices, bound: bindings, claims, slices }), (drawn) => {
      const type = typeWith('type', drawn.own, { ...withCounters(drawn.own), ...drawn.bound });
      // Cheaper, with the same devices, and too small for the pod.
      const tiny = { ...type, ...anInstanceType({ name: 'tiny', cpus: 0.1, zones: zones.slice(0, 1) }) };
      const view = devicesOf(drawn.claims, drawn.slices);
      const snapshot = aSnapshot({ instanceTypes: [tiny, type], pending: [usingClaims(...drawn.claims)], devices: view });
      const exists = zones.some((zone) => {
        const { devices: reached, isWhole } = reachedBy({ name: 'planned', labels: { [ZONE]: zone }, type }, snapshot);
        const tasks = drawn.claims.map(({ metadata, spec }) => ({ key: metadata.name, spec, devices: reached, isWhole }));
        return new DeviceSearch(view.classes, new Map(), 1_000_000).finds(tasks);
      });
      expect(simulate(snapshot).plannedNodes.length).toBe(Number(exists));
    }),
    lawRuns({ usual: 80, all: 200 }),
  );
});

test('pods beside slices of racks, zones and devices, and a node on its way: every plan is sound, and the order does not matter', () => {
  fc.assert(
    fc.property(fc.record({ own: devices, bound: bindings, pods: fc.array(claims, { minLength: 1, maxLength: 3 }), slices }), (drawn) => {
      const named = drawn.pods.map((each, pod) =>
        each.map((claim) => ({ ...claim, metadata: { ...claim.metadata, name: `${claim.metadata.name}-${pod}` } })),
      );
      const instanceTypes = [typeWith('type', drawn.own, { ...withCounters(drawn.own), ...drawn.bound })];
      const pending = named.map((each) => usingClaims(...each));
      const nodes = [nodeOnItsWay('type')];
      const snapshot = aSnapshot({ nodes, instanceTypes, pending, devices: devicesOf(named.flat(), drawn.slices) });
      const plan = validatedPlan(snapshot);
      const turned = devicesOf([...named.flat()].reverse(), [...drawn.slices].reverse());
      const reordered = simulate(aSnapshot({ nodes, instanceTypes, pending: [...pending].reverse(), devices: turned }));
      expect(contentOf(reordered)).toEqual(contentOf(plan));
    }),
    lawRuns({ usual: 60, all: 150 }),
  );
});
