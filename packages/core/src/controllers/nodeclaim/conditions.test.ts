import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog } from '../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import type { InstanceType, Offering } from '../../catalog/index.ts';
import { aNodeClaim, aNodePool } from '../../testing/objects.ts';
import { consolidatableOf } from './conditions.ts';
import { driftOf } from './drift-of.ts';

const MINUTE = 60_000;
const startMs = Date.parse('2026-01-01T00:00:00Z');
const HASH = 'karpenter.sh/nodepool-hash';
const VERSION = 'karpenter.sh/nodepool-hash-version';

const checkedPool = (
  parts: { consolidateAfter?: string; replicas?: number; hash?: string; version?: string; zones?: readonly string[] } = {},
): NodePool =>
  aNodePool('general', {
    metadata: { annotations: { [HASH]: parts.hash ?? '1', [VERSION]: parts.version ?? 'v' } },
    nodes: { requirements: parts.zones === undefined ? [] : [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: parts.zones }] },
    spec: {
      disruption: { consolidateAfter: parts.consolidateAfter ?? '5m' },
      ...(parts.replicas === undefined ? {} : { replicas: parts.replicas }),
    },
  });

const initializedClaim = (status: NodeClaim['status'] = {}, initialized: 'True' | 'Unknown' = 'True'): NodeClaim =>
  aNodeClaim('a', {
    metadata: {
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: { [HASH]: '1', [VERSION]: 'v' },
      labels: { 'topology.kubernetes.io/zone': 'z1', 'node.kubernetes.io/instance-type': 'm4' },
    },
    status: { ...status, conditions: [{ type: 'Initialized', status: initialized, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
  });

describe('a node may be consolidated', () => {
  test.each([
    [
      'when it has been quiet since initialization for as long as the pool says',
      initializedClaim(),
      checkedPool(),
      5 * MINUTE,
      { kind: 'yes' },
    ],
    ['not before', initializedClaim(), checkedPool(), 2 * MINUTE, { kind: 'later', inMs: 3 * MINUTE }],
    [
      'not so soon after a pod came or went',
      initializedClaim({ lastPodEventTime: '2026-01-01T00:04:00Z' }),
      checkedPool(),
      5 * MINUTE,
      { kind: 'later', inMs: 4 * MINUTE },
    ],
    ['never when the pool says so', initializedClaim(), checkedPool({ consolidateAfter: 'Never' }), 900 * MINUTE, { kind: 'no' }],
    ['never in a static pool', initializedClaim(), checkedPool({ replicas: 1 }), 900 * MINUTE, { kind: 'no' }],
    ['not before it is initialized', initializedClaim({}, 'Unknown'), checkedPool(), 900 * MINUTE, { kind: 'no' }],
  ])('%s', (...[, claim, pool, afterMs, expected]) => {
    expect(consolidatableOf({ claim }, pool, startMs + afterMs)).toEqual(expected);
  });
});

test('a node may not be consolidated so soon after a pod that its claim does not show yet', () => {
  const claim = initializedClaim({ lastPodEventTime: '2026-01-01T00:00:00Z' });
  const after = (seenAfterMs: number) =>
    consolidatableOf({ claim, lastPodEventMs: startMs + seenAfterMs }, checkedPool({ consolidateAfter: '5s' }), startMs + 5000);
  expect([after(4000), after(-4000)]).toEqual([{ kind: 'later', inMs: 4000 }, { kind: 'yes' }]);
});

describe('a claim has drifted', () => {
  const offered = (zone: string, capacityType: string, isAvailable = true): Offering => ({
    ...{ zone, capacityType, isAvailable },
    pricePerHour: 1,
    requirements: new Map(),
  });
  const m4: InstanceType = {
    name: 'm4',
    requirements: new Map(),
    offerings: [offered('z1', 'on-demand')],
    capacity: {},
    overhead: {},
  };
  const facts = (pool: NodePool, instanceTypes: readonly InstanceType[] = [m4], afterMs = 0) => ({
    ...{ pool, instanceTypes, labelCatalog: defaultLabelCatalog },
    nowMs: startMs + afterMs,
  });
  const drift = (...about: Parameters<typeof facts>) => driftOf(initializedClaim(), facts(...about));

  test.each([
    ['not while all is as it was', checkedPool(), undefined],
    ['when the template says something else', checkedPool({ hash: '2' }), 'NodePoolDrifted'],
    ['not by a hash of another kind', checkedPool({ hash: '2', version: 'w' }), undefined],
    ['when its labels no longer meet the requirements', checkedPool({ zones: ['z2'] }), 'RequirementsDrifted'],
    ['not when the requirements were widened', checkedPool({ zones: ['z1', 'z2'] }), undefined],
  ])('%s', (_, pool, expected) => {
    expect(drift(pool)).toBe(expected);
  });

  test('when its type is no longer sold, but not within its first hour, and not when the catalog is empty', () => {
    const others = [{ ...m4, name: 'm8' }];
    expect(drift(checkedPool(), others, 59 * MINUTE)).toBeUndefined();
    expect(drift(checkedPool(), others, 61 * MINUTE)).toBe('InstanceTypeNotFound');
    expect(drift(checkedPool(), [], 61 * MINUTE)).toBeUndefined();
  });

  const boughtAs = (capacityType: string): NodeClaim => {
    const claim = initializedClaim();
    return { ...claim, metadata: { ...claim.metadata, labels: { ...claim.metadata.labels, 'karpenter.sh/capacity-type': capacityType } } };
  };

  test.each([
    ['when its type is sold in its zone no longer', 'on-demand', [offered('z2', 'on-demand')], 'InstanceTypeNotFound'],
    ['when it is sold no longer as it was bought', 'spot', [offered('z1', 'on-demand')], 'InstanceTypeNotFound'],
    ['not when it is out of stock', 'spot', [offered('z1', 'spot', false)], undefined],
    ['not when its reservation has ended, and it runs on demand', 'reserved', [offered('z1', 'on-demand')], undefined],
    ['when neither reserved nor on demand is left', 'reserved', [offered('z1', 'spot')], 'InstanceTypeNotFound'],
  ])('%s', (...[, capacityType, offerings, expected]) => {
    expect(driftOf(boughtAs(capacityType), facts(checkedPool(), [{ ...m4, offerings }], 61 * MINUTE))).toBe(expected);
  });
});
