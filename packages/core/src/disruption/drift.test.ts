import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, hashAnnotations } from '../apis/index.ts';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import type { InstanceType, Offering } from '../catalog/index.ts';
import { aNodeClaim, aNodePool } from '../testing/objects.ts';
import { driftOf } from './drift.ts';

const MINUTE = 60_000;
const startMs = Date.parse('2026-01-01T00:00:00Z');
const HASH = 'karpenter.sh/nodepool-hash';
const VERSION = 'karpenter.sh/nodepool-hash-version';

interface PoolParts {
  /** Of its nodes. */
  readonly team?: string;
  readonly zones?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
}

const hashedPool = ({ team = 'a', zones, annotations }: PoolParts = {}): NodePool =>
  aNodePool('general', {
    metadata: { ...(annotations && { annotations }) },
    labels: { team },
    nodes: { requirements: zones === undefined ? [] : [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: zones }] },
  });

const hashedClaim = (): NodeClaim =>
  aNodeClaim('a', {
    metadata: {
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: hashAnnotations(hashedPool()),
      labels: { 'topology.kubernetes.io/zone': 'z1', 'node.kubernetes.io/instance-type': 'm4' },
    },
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
  const drift = (...about: Parameters<typeof facts>) => driftOf(hashedClaim(), facts(...about));

  test.each([
    ['not while nothing has changed', hashedPool(), undefined],
    ['when the template says something else', hashedPool({ team: 'b' }), 'NodePoolDrifted'],
    [
      'not when somebody writes another hash on the pool',
      hashedPool({ annotations: { ...hashAnnotations(hashedPool()), [HASH]: '2' } }),
      undefined,
    ],
    ['when its labels no longer meet the requirements', hashedPool({ zones: ['z2'] }), 'RequirementsDrifted'],
    ['not when the requirements were widened', hashedPool({ zones: ['z1', 'z2'] }), undefined],
  ])('%s', (_, pool, expected) => {
    expect(drift(pool)).toBe(expected);
  });

  const byHash = (annotations: Readonly<Record<string, string>>, ofPool: Readonly<Record<string, string>> = {}) => {
    const claim = hashedClaim();
    const pool = hashedPool({ annotations: { ...hashAnnotations(hashedPool()), ...ofPool } });
    return driftOf({ ...claim, metadata: { ...claim.metadata, annotations } }, facts(pool));
  };

  test.each([
    ['a hash of another kind', { [HASH]: '1', [VERSION]: 'v3' }],
    ['a hash of no kind', { [HASH]: '1' }],
    ['no hash', {}],
  ])('not by the template where it has %s', (_, annotations) => {
    expect(byHash(annotations)).toBeUndefined();
  });

  test('while both have a hash of the original and these differ', () => {
    expect(byHash({ [HASH]: '1', [VERSION]: 'v3' }, { [HASH]: '2', [VERSION]: 'v3' })).toBe('NodePoolDrifted');
    expect(byHash({ [HASH]: '1', [VERSION]: 'v3' }, { [HASH]: '1', [VERSION]: 'v3' })).toBeUndefined();
  });

  test('when its type is no longer sold, but not within its first hour, and not when the catalog is empty', () => {
    const others = [{ ...m4, name: 'm8' }];
    expect(drift(hashedPool(), others, 59 * MINUTE)).toBeUndefined();
    expect(drift(hashedPool(), others, 61 * MINUTE)).toBe('InstanceTypeNotFound');
    expect(drift(hashedPool(), [], 61 * MINUTE)).toBeUndefined();
  });

  const boughtAs = (capacityType: string): NodeClaim => {
    const claim = hashedClaim();
    return { ...claim, metadata: { ...claim.metadata, labels: { ...claim.metadata.labels, 'karpenter.sh/capacity-type': capacityType } } };
  };

  test.each([
    ['when its type is sold in its zone no longer', 'on-demand', [offered('z2', 'on-demand')], 'InstanceTypeNotFound'],
    ['when it is sold no longer as it was bought', 'spot', [offered('z1', 'on-demand')], 'InstanceTypeNotFound'],
    ['not when it is out of stock', 'spot', [offered('z1', 'spot', false)], undefined],
    ['not when its reservation has ended, and it runs on demand', 'reserved', [offered('z1', 'on-demand')], undefined],
    ['when neither reserved nor on demand is left', 'reserved', [offered('z1', 'spot')], 'InstanceTypeNotFound'],
  ])('%s', (...[, capacityType, offerings, expected]) => {
    expect(driftOf(boughtAs(capacityType), facts(hashedPool(), [{ ...m4, offerings }], 61 * MINUTE))).toBe(expected);
  });
});
