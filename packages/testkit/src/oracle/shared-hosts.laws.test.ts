import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, InstanceType, NodePool, Pod, SchedulingPolicy, Taint } from '@karpenter/core';
import type { NodeSelectorRequirement, NodeView } from '@karpenter/core/internal';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  aDaemonSet,
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  labelled,
  nextTo,
  pods,
  preferring,
  ratherAwayFrom,
  ratherNextTo,
  requesting,
  requiringAnyOf,
  runningOn,
  spreadOver,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { floatAmountsOf, overfullResource, plus, reservedAmounts } from '../validator/amounts.ts';
import { daemonsOn } from '../validator/daemons.ts';
import { meetsNodeLabels } from '../validator/node-labels.ts';
import { validatePlan } from '../validator/index.ts';
import { carries, launchableMachinesOf } from './machines.ts';

const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const zones = ['zone-1', 'zone-2', 'zone-3'];
const apps = ['web', 'db'];
const of = (app: string) => ({ labelSelector: { matchLabels: { app } } });

const softTaint: Taint = { key: 'spare', effect: 'PreferNoSchedule' };

/** What a pod prefers about nodes, about pods of these apps, and about how pods are spread. */
const aPreference: fc.Arbitrary<PodTrait> = fc.integer({ min: 1, max: 100 }).chain((weight) =>
  fc.oneof(
    fc
      .constantFrom(...zones, 'nowhere')
      .map((value) => preferring(weight, { matchExpressions: [{ key: zone, operator: 'In', values: [value] }] })),
    fc
      .constantFrom('spot', 'on-demand')
      .map((value) => preferring(weight, { matchExpressions: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: [value] }] })),
    fc
      .tuple(fc.constantFrom(hostname, zone), fc.constantFrom(...apps, 'other'), fc.constantFrom(ratherAwayFrom, ratherNextTo))
      .map(([topologyKey, app, prefer]) => prefer(weight, { topologyKey, ...of(app) })),
    fc
      .tuple(fc.constantFrom(hostname, zone), fc.constantFrom(...apps, 'other'))
      .map(([topologyKey, app]) => spreadOver({ topologyKey, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway', ...of(app) })),
  ),
);
const preferences = fc.array(aPreference, { maxLength: 3 });

/** Where a pod may stand: anywhere, or where one of some alternatives holds. */
const alternatives: fc.Arbitrary<readonly PodTrait[]> = fc
  .subarray<NodeSelectorRequirement>([
    { key: zone, operator: 'In', values: ['zone-1'] },
    { key: zone, operator: 'NotIn', values: ['zone-1', 'zone-2'] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
  ])
  .map((some) => (some.length === 0 ? [] : [requiringAnyOf(...some.map((each) => ({ matchExpressions: [each] })))]));

/** Pods of one app that must share a host, of one size, with the same preferences. */
const groups = fc
  .array(
    fc.record({
      count: fc.integer({ min: 2, max: 5 }),
      cpuMillis: fc.constantFrom(400, 900),
      traits: fc.tuple(alternatives, preferences).map((traits) => traits.flat()),
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((all) =>
    all.map(({ count, cpuMillis, traits }, index) => {
      const app = apps[index] ?? '';
      return pods(count, labelled({ app }), nextTo({ topologyKey: hostname, ...of(app) }), requesting({ cpuMillis }), ...traits);
    }),
  );

/** Pods that may stand anywhere. */
const others = fc.array(
  fc
    .record({ cpuMillis: fc.constantFrom(300, 700, 1500), preferences })
    .map(({ cpuMillis, preferences: preferred }) => [aPod(labelled({ app: 'other' }), requesting({ cpuMillis }), ...preferred)]),
  { maxLength: 3 },
);

const sizes: fc.Arbitrary<readonly InstanceType[]> = fc
  .array(
    fc.record({
      cpus: fc.constantFrom(1, 2, 4, 8),
      zones: fc.subarray(zones, { minLength: 1 }),
      arch: fc.constantFrom('amd64', 'arm64'),
      pricePerHour: fc.integer({ min: 1, max: 40 }).map((eighths) => eighths / 8),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((options) => options.map((each, index) => anInstanceType({ ...each, name: `type-${index}` })));

const pools: fc.Arbitrary<readonly NodePool[]> = fc
  .uniqueArray(fc.record({ arch: fc.constantFrom('amd64', 'arm64'), isSpare: fc.boolean() }), {
    minLength: 1,
    selector: ({ arch }) => arch,
  })
  .map((all) =>
    all.map(({ arch, isSpare }, index) =>
      aNodePool({
        name: arch,
        weight: 10 - index,
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: [arch] }],
        taints: isSpare ? [softTaint] : [],
      }),
    ),
  );

const nodes: fc.Arbitrary<readonly NodeView[]> = fc
  .array(
    fc.record({
      cpus: fc.constantFrom(0.5, 1, 2, 4),
      zone: fc.constantFrom(...zones),
      isSpare: fc.boolean(),
      runs: fc.constantFrom(undefined, undefined, undefined, 'other', 'web'),
    }),
    { maxLength: 3 },
  )
  .map((all) =>
    all.map(({ cpus, isSpare, runs, ...options }, index) => {
      const name = `node-${index}`;
      return aNode({
        ...options,
        name,
        taints: isSpare ? [softTaint] : [],
        allocatable: { cpu: cpus * 1000, memory: 64 * 1024 ** 3, pods: 110 },
        pods: runs === undefined ? [] : [aPod(labelled({ app: runs }), requesting({ cpuMillis: 100 }), runningOn(name))],
      });
    }),
  );

const daemonSets = fc.constantFrom(
  [],
  [aDaemonSet('logs', requesting({ cpuMillis: 200 }))],
  [
    aDaemonSet('logs', requesting({ cpuMillis: 100 })),
    aDaemonSet('disks', requesting({ cpuMillis: 300 }), preferring(1, { matchExpressions: [] })),
  ],
);

const clusters = fc.record({ groups, others, instanceTypes: sizes, nodePools: pools, nodes, daemonSets });

/** Pods that stand on one host together. */
interface Unit {
  readonly pods: readonly Pod[];
  /** The nodes where pods of theirs run, if any do: no other host will do. */
  readonly homes: readonly NodeView[];
}

const runs = (app: string | undefined, { pods: running }: NodeView): boolean =>
  running.some(({ metadata }) => metadata.labels?.['app'] === app);

/** Where pods of the group run on several nodes, each of its pods may join any of them. */
const unitsOf = (group: readonly Pod[], there: readonly NodeView[]): readonly Unit[] => {
  const homes = there.filter((node) => runs(group[0]?.metadata.labels?.['app'], node));
  return homes.length === 0 ? [{ pods: group, homes }] : group.map((pod) => ({ pods: [pod], homes }));
};

const hasRoomFor = (node: NodeView, more: readonly Pod[], snapshot: ClusterSnapshot): boolean => {
  const { allocatable, labels, taints, pods: running } = node;
  const taken = [...running, ...more].map((pod) => reservedAmounts(pod)).reduce(plus, daemonsOn(snapshot, labels, taints));
  return overfullResource(taken, floatAmountsOf(allocatable)) === undefined && more.every(({ spec }) => meetsNodeLabels(spec, labels));
};

/** Whether the units all fit on nodes that there are. `taken`: what was put on each node before. */
const fitOnNodes = (units: readonly Unit[], snapshot: ClusterSnapshot, taken: readonly (readonly Pod[])[] = []): boolean => {
  const [unit, ...rest] = units;
  if (unit === undefined) return true;
  return snapshot.nodes.some((node, index) => {
    if (unit.homes.length > 0 && !unit.homes.includes(node)) return false;
    const own = [...(taken[index] ?? []), ...unit.pods];
    const others = snapshot.nodes.map((_, other) => (other === index ? own : (taken[other] ?? [])));
    return hasRoomFor(node, own, snapshot) && fitOnNodes(rest, snapshot, others);
  });
};

/** Whether there is a plan with a place for all. Machines may be bought without limit, so only what fits none contends for nodes. */
const fitsAll = (units: readonly Unit[], snapshot: ClusterSnapshot): boolean => {
  const machines = launchableMachinesOf(snapshot);
  const fitsNew = ({ pods: own, homes }: Unit): boolean =>
    homes.length === 0 && machines.some((machine) => carries(machine, own, snapshot));
  return fitOnNodes(
    units.filter((unit) => !fitsNew(unit)),
    snapshot,
  );
};

const policies = fc.record({
  preferences: fc.constantFrom('Respect', 'Weigh', 'Ignore'),
  packing: fc.constantFrom('cheapest', 'first-fit'),
});

test('pods that must share a host, beside others with preferences › all pods have a place exactly when each group fits on one node or machine', () => {
  fc.assert(
    fc.property(clusters, policies, ({ groups: together, others: singles, ...options }, how) => {
      const policy: SchedulingPolicy = { ...defaultSchedulingPolicy, ...how };
      const snapshot = aSnapshot({ ...options, pending: [...together, ...singles].flat() });
      const units = [...together.flatMap((group) => unitsOf(group, options.nodes)), ...singles.map((own) => ({ pods: own, homes: [] }))];
      const plan = simulate(snapshot, policy, () => false);
      expect(validatePlan(snapshot, policy, plan)).toEqual([]);
      expect(plan.rejections.length === 0).toBe(fitsAll(units, snapshot));
    }),
    { numRuns: 150 },
  );
});
