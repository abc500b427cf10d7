import type { ClusterSnapshot, InstanceType, NodePool, Taint } from '@karpenter/core';
import type { DaemonSet, NodeView, StorageView } from '@karpenter/core/internal';
import fc from 'fast-check';
import {
  aDaemonSet,
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  requesting,
  runningOn,
  tolerating,
  withHostPort,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { aPoolRequirement, someNodeLabels, somePods } from './pods.ts';
import { everyStorage, someHoldings, someVolumeLimits } from './storage.ts';
import type { Holdings } from './storage.ts';
import { someTopology } from './topology.ts';

const MiB = 1024 ** 2;
const dedicated: Taint = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' };
const reluctant: Taint = { key: 'reluctant', effect: 'PreferNoSchedule' };
const zones = ['test-zone-1', 'test-zone-2', 'test-zone-3'];

const someTaints: fc.Arbitrary<readonly Taint[]> = fc.constantFrom([], [], [], [dedicated], [reluctant]);

const someOfferingOptions = fc.record({
  zone: fc.constantFrom(...zones),
  capacityType: fc.constantFrom('spot', 'on-demand'),
  pricePerHour: fc.integer({ min: 1, max: 40 }).map((n) => n / 8),
  isAvailable: fc.constantFrom(true, true, true, false),
});

/** Up to `maxLength` instance types with different sizes, prices, architectures and holes in what is offered. */
export const someInstanceTypes = (maxLength: number): fc.Arbitrary<readonly InstanceType[]> =>
  fc
    .array(
      fc.record({
        cpus: fc.constantFrom(1, 2, 4, 8),
        memoryBytes: fc.constantFrom(1024, 4096, 16384, 32768).map((m) => m * MiB),
        arch: fc.constantFrom('amd64', 'amd64', 'arm64'),
        pods: fc.constantFrom(3, 110),
        limits: someVolumeLimits,
        offerings: fc.uniqueArray(someOfferingOptions, { minLength: 1, maxLength: 4, selector: (o) => `${o.zone} ${o.capacityType}` }),
      }),
      { minLength: 1, maxLength },
    )
    .map((options) =>
      options.map(({ limits, ...options }, index) =>
        anInstanceType({ ...options, name: `type-${index}`, ...(limits === undefined ? {} : { volumeLimits: limits }) }),
      ),
    );

const somePools: fc.Arbitrary<readonly NodePool[]> = fc
  .array(
    fc.record({
      taints: someTaints,
      weight: fc.constantFrom(1, 10, 10),
      requirements: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(aPoolRequirement, { maxLength: 2 }) },
      ),
      labels: someNodeLabels,
      limits: fc.constantFrom({}, {}, {}, { cpu: '12' }, { nodes: '2' }, { memory: '48Gi', nodes: '3' }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((options) => options.map((options, index) => aNodePool({ ...options, name: `pool-${index}` })));

/** What pods ask of each other, and what they hold of their node. */
const someCompany = (someHeld: fc.Arbitrary<PodTrait>): fc.Arbitrary<PodTrait> =>
  fc.tuple(someTopology, someHeld).map(
    ([among, holding]): PodTrait =>
      (pod) =>
        holding(among(pod)),
  );

const someNodes = (held: fc.Arbitrary<PodTrait>): fc.Arbitrary<readonly NodeView[]> =>
  fc
    .array(
      fc.record({
        zone: fc.constantFrom(...zones),
        labels: someNodeLabels,
        taints: someTaints,
        isInitialized: fc.boolean(),
        isMarkedForDeletion: fc.constantFrom(false, false, false, true),
        nodePoolName: fc.constantFrom('pool-0', 'pool-1'),
        load: fc.array(fc.tuple(fc.constantFrom(100, 700, 1500), someCompany(held)), { maxLength: 3 }),
        limits: someVolumeLimits,
      }),
      { maxLength: 4 },
    )
    .map((options) =>
      options.map(({ load, limits, ...options }, index) => {
        const name = `node-${index}`;
        const pods = load.map(([cpuMillis, company]) => aPod(requesting({ cpuMillis }), company, runningOn(name)));
        return aNode({ ...options, name, pods, ...(limits === undefined ? {} : { volumeLimits: limits }) });
      }),
    );

const someDaemonSets: fc.Arbitrary<readonly DaemonSet[]> = fc.constantFrom(
  [],
  [],
  [aDaemonSet('logs', requesting({ cpuMillis: 100, memoryBytes: 64 * MiB }), tolerating({ operator: 'Exists' }))],
  [aDaemonSet('gpu', requesting({ cpuMillis: 300 }))],
  [aDaemonSet('ingress', requesting({ cpuMillis: 100 }), withHostPort(443), tolerating({ operator: 'Exists' }))],
);

/** How large a random snapshot may be, and what its pods hold of their nodes. */
export interface SnapshotBounds {
  /** That are pending. */
  readonly pods: number;
  /** Of machines. */
  readonly types: number;
  /** Default `someHoldings`. */
  readonly holdings?: Holdings;
}

/** Snapshots within bounds, with pools, nodes and DaemonSets of all sorts. */
export const aSnapshotOf = ({ pods, types, holdings = someHoldings }: SnapshotBounds): fc.Arbitrary<ClusterSnapshot> =>
  fc
    .record({
      pending: somePods(pods, someCompany(holdings.pending)),
      instanceTypes: someInstanceTypes(types),
      nodePools: somePools,
      nodes: someNodes(holdings.running),
      daemonSets: someDaemonSets,
    })
    .map((options) => aSnapshot({ ...options, storage: everyStorage, namespaceLabels: new Map([['shop', { tier: 'front' }]]) }));

/** The same content in another order: nothing that is decided may depend on it. */
export const reorder = (snapshot: ClusterSnapshot, seed: number): ClusterSnapshot => {
  const turn = <T>(list: readonly T[]): readonly T[] => {
    const cut = list.length === 0 ? 0 : seed % list.length;
    const rotated = [...list.slice(cut), ...list.slice(0, cut)];
    return seed % 2 === 0 ? rotated : rotated.reverse();
  };
  return {
    ...snapshot,
    pendingPods: turn(snapshot.pendingPods),
    nodes: turn(snapshot.nodes),
    daemonSets: turn(snapshot.daemonSets),
    nodePools: turn(snapshot.nodePools.map((pool) => ({ ...pool, instanceTypes: turn(pool.instanceTypes) }))),
  };
};

const turned = <V>(map: ReadonlyMap<string, V>): ReadonlyMap<string, V> => new Map([...map].reverse());

const turnedStorage = ({ claims, volumes, classes }: StorageView): StorageView => ({
  claims: turned(claims),
  volumes: turned(volumes),
  classes: turned(classes),
});

/** `reorder`, with what nodes, instance types and storage list in another order too; these are other objects then. */
export const reorderThroughout = (snapshot: ClusterSnapshot, seed: number): ClusterSnapshot => {
  const { nodes, nodePools, namespaceLabels, storage } = snapshot;
  return reorder(
    {
      ...snapshot,
      nodes: nodes.map((node) => ({ ...node, pods: node.pods.toReversed(), taints: node.taints.toReversed() })),
      nodePools: nodePools.map((pool) => ({
        ...pool,
        instanceTypes: pool.instanceTypes.map((type) => ({ ...type, offerings: type.offerings.toReversed() })),
      })),
      namespaceLabels: turned(namespaceLabels),
      ...(storage === undefined ? {} : { storage: turnedStorage(storage) }),
    },
    seed,
  );
};
