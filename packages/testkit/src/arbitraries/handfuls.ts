import type { ClusterSnapshot, InstanceType, NodePool, Taint } from '@karpenter/core';
import type { DaemonSet, NodeView } from '@karpenter/core/internal';
import fc from 'fast-check';
import {
  aDaemonSet,
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  inZone,
  requesting,
  runningOn,
  tolerating,
  withNodeSelector,
} from '../builders/index.ts';
import type { OfferingOptions, PodTrait } from '../builders/index.ts';
import { someNodeAffinity, someNodeLabels } from './pods.ts';
import { everyStorage, someHoldings, someVolumeLimits } from './storage.ts';
import { someTopology } from './topology.ts';

const zones = ['test-zone-1', 'test-zone-2', 'test-zone-3'];
const onDemand = (pricePerHour: number, sold: readonly string[]): readonly OfferingOptions[] =>
  sold.map((zone) => ({ zone, capacityType: 'on-demand', pricePerHour }));

/** At most three machines, so that every choice of them can be tried. */
const fewTypes: fc.Arbitrary<readonly InstanceType[]> = fc.constantFrom(
  [anInstanceType({ name: 'small', cpus: 2, offerings: onDemand(1, zones) })],
  [
    anInstanceType({ name: 'small', cpus: 2, offerings: onDemand(1, zones.slice(0, 2)) }),
    anInstanceType({ name: 'large', cpus: 8, offerings: onDemand(3, zones.slice(2)) }),
  ],
  [
    anInstanceType({ name: 'tiny', cpus: 1, offerings: onDemand(0.5, zones.slice(0, 1)) }),
    anInstanceType({ name: 'medium', cpus: 4, arch: 'arm64', offerings: onDemand(1.5, zones.slice(1, 2)) }),
  ],
);

const dedicated: Taint = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' };

const pools: fc.Arbitrary<NodePool> = fc.constantFrom(
  aNodePool(),
  aNodePool({ labels: { team: 'red', 'example.com/generation': '2' } }),
  aNodePool({ labels: { team: 'blue' }, taints: [dedicated] }),
  aNodePool({ requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: zones.slice(0, 2) }] }),
  aNodePool({
    requirements: [
      { key: 'example.com/generation', operator: 'Gte', values: ['2'] },
      { key: 'example.com/generation', operator: 'Lte', values: ['2'] },
    ],
  }),
);

const nodes: fc.Arbitrary<readonly NodeView[]> = fc
  .array(
    fc.record({
      zone: fc.constantFrom(...zones.slice(0, 2)),
      labels: someNodeLabels,
      taints: fc.constantFrom([], [], [dedicated]),
      load: fc.array(fc.tuple(someTopology, someHoldings.running), { maxLength: 2 }),
      limits: someVolumeLimits,
    }),
    { maxLength: 2 },
  )
  .map((options) =>
    options.map(({ load, limits, ...options }, index) => {
      const name = `node-${index}`;
      const pods = load.map(([among, holding]) => aPod(requesting({ cpuMillis: 300 }), holding, among, runningOn(name)));
      const allocatable = { cpu: 2000, memory: 8 * 1024 ** 3, pods: 10 };
      return aNode({ ...options, name, pods, allocatable, ...(limits === undefined ? {} : { volumeLimits: limits }) });
    }),
  );

const sizes = fc.constantFrom(100, 700, 1500).map((cpuMillis) => requesting({ cpuMillis }));
const anywhere: PodTrait = (pod) => pod;
const places = fc.oneof(
  { weight: 3, arbitrary: fc.constant(anywhere) },
  { weight: 3, arbitrary: fc.constantFrom(inZone('test-zone-1'), inZone('test-zone-2'), withNodeSelector({ team: 'red' })) },
  { weight: 2, arbitrary: someNodeAffinity },
);
const tolerations = fc.constantFrom(
  anywhere,
  anywhere,
  tolerating({ key: 'dedicated', operator: 'Exists' }),
  tolerating({ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }),
);
const daemonSets: fc.Arbitrary<readonly DaemonSet[]> = fc.constantFrom(
  [],
  [],
  [aDaemonSet('logs', requesting({ cpuMillis: 100 }), tolerating({ operator: 'Exists' }))],
  [aDaemonSet('shy', requesting({ cpuMillis: 300 }))],
);

/**
 * Up to four pending pods with many terms about each other, some with a host port or a volume. Up to two nodes and
 * three machines: small enough to try everything.
 */
export const aHandful: fc.Arbitrary<ClusterSnapshot> = fc
  .record({
    kinds: fc.array(fc.tuple(sizes, fc.tuple(places, tolerations, someHoldings.pending), someTopology, fc.integer({ min: 1, max: 3 })), {
      minLength: 1,
      maxLength: 3,
    }),
    instanceTypes: fewTypes,
    nodes,
    nodePool: pools,
    daemonSets,
  })
  .map(({ kinds, nodePool, ...options }) =>
    aSnapshot({
      ...options,
      nodePools: [nodePool],
      namespaceLabels: new Map([['shop', { tier: 'front' }]]),
      storage: everyStorage,
      pending: kinds
        .flatMap(([size, beside, among, count]) => Array.from({ length: count }, () => aPod(size, ...beside, among)))
        .slice(0, 4),
    }),
  );
