import { describe, expect, test } from '@jest/globals';
import type { ApiObject } from '@karpenter/api-server';
import { crdServer } from './testing/crd-server.ts';

/*
 * What the original's tests of its API types write, title by title, as values of one field each. Sources: `nodepool_validation_cel_test.go` and
 * `nodeclaim_validation_cel_test.go` in `pkg/apis/v1`, `pkg/apis/v1alpha1/nodeoverlay_validation_test.go`, `pkg/apis/autoscaling/v1beta1/suite_test.go`.
 */

type Spec = Readonly<Record<string, unknown>>;
interface Written extends ApiObject {
  readonly spec: Spec;
}

const server = crdServer();

/** A field of several kinds, what the API server takes there, and what it refuses. */
interface Field {
  readonly field: string;
  readonly of: readonly ((value: unknown) => Written)[];
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
}

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
let count = 0;
const written = (apiVersion: string, kind: string, spec: Spec): Written => {
  count += 1;
  return { apiVersion, kind, metadata: { name: `tried-${count}`, ...(kind === 'CapacityBuffer' && { namespace: 'default' }) }, spec };
};

const pool = (spec: Spec): Written =>
  written('karpenter.sh/v1', 'NodePool', { template: { spec: { requirements: [], nodeClassRef } }, ...spec });
const template = (spec: Spec): Written => pool({ template: { spec: { requirements: [], nodeClassRef, ...spec } } });
const claim = (spec: Spec): Written => written('karpenter.sh/v1', 'NodeClaim', { requirements: [], nodeClassRef, ...spec });
const overlay = (spec: Spec): Written =>
  written('karpenter.sh/v1alpha1', 'NodeOverlay', { requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'Exists' }], ...spec });
const buffer = (spec: unknown): Written => written('autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer', spec as Spec);

const budget = (value: unknown): Written => pool({ disruption: { consolidateAfter: '30s', budgets: value } });
const labelled = (labels: unknown): Written => pool({ template: { metadata: { labels }, spec: { requirements: [], nodeClassRef } } });
const timed = { nodes: '10', schedule: '* * * * *', duration: '20m' };
const malformedDurations = ['-1s', '1hr', 'FooNever'];
const malformedKeys = ['test.com.com}', 'Test.com/test', 'test/test/test', 'test/', '/test'];

const zone = 'topology.kubernetes.io/zone';
const type = 'node.kubernetes.io/instance-type';
const exists = (...keys: readonly string[]) => keys.map((key) => ({ key, operator: 'Exists' }));
const keysIn = (...keys: readonly string[]) => keys.map((key) => ({ key, operator: 'In', values: ['test'] }));
const bounded = (operators: readonly string[]) =>
  operators.flatMap((operator) => [[], ['1', '2'], ['a'], ['-1']].map((values) => [{ key: zone, operator, values }]));
const varied = (minValues: number) => [{ key: type, operator: 'In', values: ['one'], minValues }];
const overlapping = [
  { key: zone, operator: 'In', values: ['test', 'foo'] },
  { key: zone, operator: 'NotIn', values: ['test', 'bar'] },
];
const everyOperator = [
  ...['In', 'Gt', 'Lt', 'Gte', 'Lte', 'NotIn'].map((operator) => ({ key: zone, operator, values: ['1'] })),
  ...exists(zone),
];
const amounts = ['+42', '.5', '42.', '42%', '3,14', '1e10', '0x42', 'forty-two', '42a', '42 ', ' 42', '42.0.0', '-', '.', '-.42', '-129'];

const asRequirements = [
  (requirements: unknown) => template({ requirements }),
  (requirements: unknown) => claim({ requirements }),
  (requirements: unknown) => overlay({ requirements }),
];
const asTaints = [(taints: unknown) => template({ taints }), (taints: unknown) => claim({ taints })];
const asDuration = (field: string) => [(value: unknown) => template({ [field]: value }), (value: unknown) => claim({ [field]: value })];
const replicated = (spec: Spec) => ({ replicas: 5, ...spec });
const templateRef = { podTemplateRef: { name: 'my-template' } };
const scalable = (ref: Spec = {}) => ({ scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'my-deploy', ...ref } });

const fields: readonly Field[] = [
  {
    field: 'requirements',
    of: asRequirements,
    taken: [
      exists('Test', 'test.com/Test', 'test.com.com/test', 'key-only'),
      everyOperator,
      overlapping,
      ...['kubernetes.io/test', 'k8s.io/test', 'subdomain.kubernetes.io/test', 'subdomain.k8s.io/test'].map((key) => keysIn(key)),
      ...[zone, 'topology.kubernetes.io/region', type, 'kubernetes.io/arch', 'kubernetes.io/os'].map((key) => keysIn(key)),
    ],
    refused: [
      [{ key: zone, operator: 'unknown', values: ['test'] }],
      [{ key: zone, operator: 'In' }],
      keysIn('karpenter.sh/test'),
      ...bounded(['Gt', 'Lt', 'Gte', 'Lte']),
      ...malformedKeys.map((key) => exists(key)),
    ],
  },
  {
    field: 'requirements with minValues',
    of: asRequirements.slice(0, 2),
    taken: [
      [],
      [{ key: zone, operator: 'NotIn' }],
      [{ key: type, operator: 'In', values: Array.from({ length: 90 }, (_, each) => `type-${each}`) }],
    ],
    refused: [
      ...[-1, 0, 2].map(varied),
      [{ key: type, operator: 'Exists', minValues: 51 }],
      keysIn('kubernetes.io/hostname/test'),
      Array.from({ length: 101 }, (_, each) => ({ key: `key-${each}`, operator: 'Exists' })),
    ],
  },
  { field: 'requirements of a pool', of: asRequirements.slice(0, 1), taken: [], refused: [keysIn('karpenter.sh/nodepool')] },
  {
    field: 'requirements of an overlay',
    of: asRequirements.slice(2),
    taken: [keysIn('karpenter.sh/nodepool')],
    refused: [[{ key: zone, operator: 'NotIn' }]],
  },
  {
    field: 'taints',
    of: asTaints,
    taken: [
      ['NoSchedule', 'NoExecute', 'PreferNoSchedule'].map((effect) => ({ key: 'test.com.com/Test', value: 'b', effect })),
      [{ key: 'key-only', effect: 'NoExecute' }],
      ['NoSchedule', 'NoExecute'].map((effect) => ({ key: 'a', effect })),
    ],
    refused: [
      ...malformedKeys.map((key) => [{ key, effect: 'NoSchedule' }]),
      [{ effect: 'NoSchedule' }],
      [{ key: 'value', effect: 'NoSchedule', value: '???' }],
      [{ key: 'effect', effect: '???' }],
    ],
  },
  { field: 'expireAfter', of: asDuration('expireAfter'), taken: ['30s', '1h30m5s', 'Never'], refused: malformedDurations },
  {
    field: 'terminationGracePeriod',
    of: asDuration('terminationGracePeriod'),
    taken: ['30s', '1h30m5s'],
    refused: [...malformedDurations, 'Never'],
  },
  {
    field: 'consolidateAfter',
    of: ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'].map(
      (consolidationPolicy) => (consolidateAfter: unknown) => pool({ disruption: { consolidationPolicy, consolidateAfter } }),
    ),
    taken: ['30s', '1h30m5s', 'Never'],
    refused: malformedDurations,
  },
  {
    field: 'consolidationPolicy',
    of: [(consolidationPolicy) => pool({ disruption: { consolidateAfter: '30s', consolidationPolicy } })],
    taken: ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'],
    refused: ['1', '2', '3', '0', '4', '10', 'balanced', 'whenempty', '', 'WhenUnderutilized', 'foo'],
  },
  {
    field: 'budgets',
    of: [budget],
    taken: [
      [timed],
      [{ ...timed, duration: '2h20m' }],
      [{ nodes: '10' }],
      ...['@annually', '@daily', '@hourly'].map((schedule) => [{ ...timed, schedule }]),
      ...['Drifted', 'Underutilized', 'Empty'].map((reason) => [{ ...timed, reasons: [reason] }]),
      [{ ...timed, reasons: ['Drifted', 'Empty'] }],
    ],
    refused: [
      ...['*', '* * * * '].map((schedule) => [{ ...timed, schedule }]),
      ...['-20m', '30s'].map((duration) => [{ ...timed, duration }]),
      ...['-10', '-10%', '1000%'].map((nodes) => [{ nodes }]),
      [{ nodes: '10', schedule: '* * * * *' }],
      [{ nodes: '10', duration: '20m' }],
      [timed, { ...timed, schedule: '*' }],
      [timed, { nodes: '10', schedule: '* * * * *' }],
      ...['invalid', 'expired', ''].map((reason) => [{ ...timed, reasons: [reason] }]),
    ],
  },
  {
    field: 'labels',
    of: [labelled],
    taken: [
      ...['foo', 'kubernetes.io', 'k8s.io', 'kubernetes.io/key', 'k8s.io/key', 'subdomain.k8s.io', 'subdomain.kubernetes.io/key'].map(
        (key) => ({
          [key]: 'test-value',
        }),
      ),
      { 'kops.k8s.io/instancegroup': 'karpenter-nodes', 'kops.k8s.io/gpu': '1' },
    ],
    refused: [{ 'karpenter.sh/nodepool': 'a' }, { 'karpenter.sh/unknown': 'a' }, { a: '/ is not allowed' }],
  },
  {
    field: 'nodeClassRef',
    of: [(ref) => template({ nodeClassRef: ref }), (ref) => claim({ nodeClassRef: ref })],
    taken: [nodeClassRef],
    refused: [
      { ...nodeClassRef, group: 'karpenter.test.sh/v1' },
      ...['group', 'kind', 'name'].map((field) => ({ ...nodeClassRef, [field]: '' })),
    ],
  },
  {
    field: 'spec of a static pool',
    of: [(spec) => pool(replicated(spec as Spec))],
    taken: [
      {},
      { replicas: 0 },
      { replicas: 1000 },
      { limits: { nodes: '10' } },
      { disruption: { budgets: [{ nodes: '10%' }, timed] } },
      { template: { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec: { requirements: keysIn(zone), nodeClassRef } } },
      {
        template: {
          spec: {
            ...{ requirements: [], nodeClassRef, expireAfter: '720h', terminationGracePeriod: '1h' },
            ...{ taints: [{ key: 'a', effect: 'NoSchedule' }], startupTaints: [{ key: 'b', effect: 'NoSchedule' }] },
          },
        },
      },
    ],
    refused: [
      { replicas: -1 },
      { weight: 10 },
      ...['cpu', 'memory', 'pods', 'ephemeral-storage'].map((resource) => ({ limits: { [resource]: '10' } })),
    ],
  },
  {
    field: 'price',
    of: [(price) => overlay({ price })],
    taken: ['43', '34.43'],
    refused: [...amounts, '-100.0%', '-101.1%'],
  },
  {
    field: 'priceAdjustment',
    of: [(priceAdjustment) => overlay({ priceAdjustment })],
    taken: ['+1%', '-1%', '-100%', '+100.102%', '+298%', '+43', '-43', '+34.43', '-34.43'],
    refused: ['1%', '1', '1.3'],
  },
  {
    field: 'spec of an overlay',
    of: [(spec) => overlay(spec as Spec)],
    taken: [{ capacity: { 'smarter-devices/fuse': '1' } }],
    refused: [
      { price: '0.432', priceAdjustment: '+10%' },
      ...['cpu', 'memory', 'pods'].map((resource) => ({ capacity: { [resource]: '1' } })),
    ],
  },
  {
    field: 'spec of a buffer',
    of: [buffer],
    taken: [
      { ...templateRef, replicas: 3 },
      { ...templateRef, replicas: 0 },
      { ...templateRef, limits: { cpu: '4' } },
      { ...scalable(), replicas: 5 },
      { ...scalable(), percentage: 0 },
      { ...scalable(), replicas: 10, percentage: 20 },
      scalable(),
      { scalableRef: { kind: 'ReplicationController', name: 'my-rc' }, replicas: 1 },
    ],
    refused: [
      { ...templateRef, ...scalable(), replicas: 3 },
      templateRef,
      { ...templateRef, replicas: -1 },
      { ...scalable(), percentage: -1 },
      { podTemplateRef: { name: '' }, replicas: 1 },
      { ...scalable({ kind: '' }), replicas: 1 },
      { ...scalable({ name: '' }), replicas: 1 },
    ],
  },
];

const isTaken = (object: Written): boolean => {
  try {
    server().local.create(object);
    return true;
  } catch {
    return false;
  }
};

describe("an API server takes and refuses what the original's does", () => {
  test.each(fields)('as $field', ({ of, taken, refused }) => {
    const answers = (values: readonly unknown[]) =>
      values.flatMap((value) => of.map((make) => `${JSON.stringify(value)}: ${isTaken(make(value)) ? 'taken' : 'refused'}`));
    const all = (values: readonly unknown[], answer: string) =>
      values.flatMap((value) => of.map(() => `${JSON.stringify(value)}: ${answer}`));
    expect([...answers(taken), ...answers(refused)]).toEqual([...all(taken, 'taken'), ...all(refused, 'refused')]);
  });

  test('what is left open gets its default: consolidateAfter, and the strategy of a buffer', () => {
    expect(server().local.create(pool({})).spec).toMatchObject({ disruption: { consolidateAfter: '0s' } });
    expect(server().local.create(buffer({ ...templateRef, replicas: 1 })).spec).toMatchObject({
      provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
    });
  });

  test('a pool may change its replicas and its limit of nodes, not between static and dynamic, nor its class', () => {
    const changed = (before: Spec, after: Spec): boolean => {
      const { metadata, ...rest } = server().local.create(pool(before));
      return isChanged({ ...rest, metadata: { name: metadata.name }, spec: { ...rest.spec, ...after } });
    };
    const isChanged = (object: Written): boolean => {
      try {
        server().local.update(object);
        return true;
      } catch {
        return false;
      }
    };
    const other = (ref: Spec) => ({ template: { spec: { requirements: [], nodeClassRef: { ...nodeClassRef, ...ref } } } });
    expect([
      changed({ replicas: 1 }, { replicas: 5 }),
      changed({ replicas: 1, limits: { nodes: '5' } }, { limits: { nodes: '9' } }),
      changed({ replicas: 1 }, { replicas: undefined }),
      changed({}, { replicas: 1 }),
      changed({}, other({ group: 'other.example.com' })),
      changed({}, other({ kind: 'OtherClass' })),
    ]).toEqual([true, true, false, false, false, false]);
  });
});
