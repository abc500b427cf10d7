import { describe, expect, test } from '@jest/globals';
import type { Device, DeviceClass, ResourceClaimSpec, ResourceSlice } from '../../kube/index.ts';
import { isFieldProblem } from '../../base/index.ts';
import { allocateDevices } from './claim-allocation.ts';
import type { Allocation, WantedClaim } from './claim-allocation.ts';
import { claimRequests, selectorMemory } from './claim-request.ts';
import { publishedPools } from './device-pools.ts';
import { DeviceUsage } from './device-usage.ts';
import { anywhere } from './whereabouts.ts';
import { gpuRequest, someGpus } from './testing/a-gpu-claim.ts';

const DRIVER = 'gpu.example.com';

const slice = (devices: readonly Device[], spec: Partial<ResourceSlice['spec']> = {}, name = 'slice'): ResourceSlice => ({
  metadata: { name },
  spec: { driver: DRIVER, pool: { name: 'pool', resourceSliceCount: 1 }, allNodes: true, devices, ...spec },
});

const classes = new Map<string, DeviceClass>(
  [
    { name: 'gpu', expression: `device.driver == "${DRIVER}"` },
    { name: 'nic', expression: 'device.driver == "nic.example.com"' },
  ].map(({ name, expression }) => [name, { metadata: { name }, spec: { selectors: [{ cel: { expression } }] } }]),
);

type Requests = NonNullable<NonNullable<ResourceClaimSpec['devices']>['requests']>;
type Exact = NonNullable<Requests[number]['exactly']>;

const claim = (
  key: string,
  requests: Requests,
  constraints: NonNullable<ResourceClaimSpec['devices']>['constraints'] = [],
): WantedClaim => {
  const wanted = claimRequests({ devices: { requests, constraints } }, { classes, selectorOf: selectorMemory() });
  if (isFieldProblem(wanted)) throw new Error(`${wanted.field} ${wanted.problem}`);
  return { key, wanted };
};

const allocate = (slices: readonly ResourceSlice[], claims: readonly WantedClaim[], steps = 20_000): Allocation =>
  allocateDevices(claims, { pools: publishedPools(slices), groups: new Map(), usage: new DeviceUsage(), whereabouts: anywhere }, { steps });

/** `claim request device` of each grant, or why there are none. */
const answer = (allocation: Allocation): readonly string[] | string =>
  allocation.kind === 'allocated'
    ? allocation.grants.map(({ claimKey, request: name, device }) => `${claimKey} ${name} ${device.name}`)
    : allocation.kind;

/** A request for so many GPUs, or else for one. */
const orOne = (name: string, count: number): Requests[number] => ({
  name: 'r',
  firstAvailable: [
    { name, deviceClassName: 'gpu', count },
    { name: 'one', deviceClassName: 'gpu' },
  ],
});

const memoryWithPolicy = (value: string, requestPolicy = {}): Partial<Device> => ({
  capacity: { memory: { value, ...(Object.keys(requestPolicy).length > 0 && { requestPolicy }) } },
});
const shared = (value: string, requestPolicy = {}): Partial<Device> => ({
  ...memoryWithPolicy(value, requestPolicy),
  allowMultipleAllocations: true,
});
const asks = (amount: string): Partial<Exact> => ({ capacity: { requests: { memory: amount } } });
const takes = (amount: string): Partial<Device> => ({
  consumesCounters: [{ counterSet: 'gpu', counters: { memory: { value: amount } } }],
});
const counters = (amount: string): ResourceSlice =>
  slice(
    [],
    { pool: { name: 'pool', resourceSliceCount: 2 }, sharedCounters: [{ name: 'gpu', counters: { memory: { value: amount } } }] },
    'counters',
  );
const partitions = (count: number, amount: string): ResourceSlice =>
  slice(
    someGpus(count, () => takes(amount)),
    { pool: { name: 'pool', resourceSliceCount: 2 } },
    'devices',
  );
const attribute =
  (name: string, value: (index: number) => string) =>
  (index: number): Partial<Device> => ({
    attributes: { [name]: { string: value(index) } },
  });
const taint = { key: 'unhealthy', effect: 'NoSchedule' };

interface Case {
  readonly when: string;
  readonly slices: readonly ResourceSlice[];
  readonly claims: readonly WantedClaim[];
  readonly expected: readonly string[] | string;
}

const two = slice(someGpus(2));

const cases: readonly Case[] = [
  { when: 'one device is requested', slices: [two], claims: [claim('a', [gpuRequest('r')])], expected: ['a r gpu-0'] },
  {
    when: 'as many as there are',
    slices: [two],
    claims: [claim('a', [gpuRequest('r', { count: 2 })])],
    expected: ['a r gpu-0', 'a r gpu-1'],
  },
  { when: 'more than there are', slices: [two], claims: [claim('a', [gpuRequest('r', { count: 3 })])], expected: 'none' },
  { when: 'of another class', slices: [two], claims: [claim('a', [gpuRequest('r', { deviceClassName: 'nic' })])], expected: 'none' },
  {
    when: 'two claims ask',
    slices: [two],
    claims: [claim('a', [gpuRequest('r')]), claim('b', [gpuRequest('r')])],
    expected: ['a r gpu-0', 'b r gpu-1'],
  },
  {
    when: 'claims ask for more together',
    slices: [two],
    claims: [claim('a', [gpuRequest('r', { count: 2 })]), claim('b', [gpuRequest('r')])],
    expected: 'none',
  },
  {
    when: 'a selector excludes the first',
    slices: [
      slice(
        someGpus(
          2,
          attribute('model', (i) => (i === 0 ? 'T4' : 'A100')),
        ),
      ),
    ],
    claims: [claim('a', [gpuRequest('r', { selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].model == "A100"` } }] })])],
    expected: ['a r gpu-1'],
  },
  {
    when: 'a selector fails',
    slices: [two],
    claims: [claim('a', [gpuRequest('r', { selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].model == "A100"` } }] })])],
    expected: 'selector',
  },
  {
    when: 'the first would take what only the second can have',
    slices: [
      slice(
        someGpus(
          2,
          attribute('model', (i) => `m${i}`),
        ),
      ),
    ],
    claims: [
      claim('a', [
        gpuRequest('any'),
        gpuRequest('m0', { selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].model == "m0"` } }] }),
      ]),
    ],
    expected: ['a any gpu-1', 'a m0 gpu-0'],
  },
  {
    when: 'All',
    slices: [slice(someGpus(3))],
    claims: [claim('a', [gpuRequest('r', { allocationMode: 'All' })])],
    expected: ['a r gpu-0', 'a r gpu-1', 'a r gpu-2'],
  },
  {
    when: 'All, while one of them is in use',
    slices: [two],
    claims: [claim('a', [gpuRequest('r')]), claim('b', [gpuRequest('r', { allocationMode: 'All' })])],
    expected: 'none',
  },
  {
    when: 'All of none',
    slices: [two],
    claims: [claim('a', [gpuRequest('r', { deviceClassName: 'nic', allocationMode: 'All' })])],
    expected: 'none',
  },
  {
    when: 'All of a pool that is incomplete',
    slices: [slice(someGpus(1), { pool: { name: 'pool', resourceSliceCount: 2 } })],
    claims: [claim('a', [gpuRequest('r', { allocationMode: 'All' })])],
    expected: 'none',
  },
  {
    when: 'All beyond 32 devices',
    slices: [slice(someGpus(33))],
    claims: [claim('a', [gpuRequest('r', { allocationMode: 'All' })])],
    expected: 'none',
  },
  {
    when: 'one of an incomplete pool',
    slices: [slice(someGpus(1), { pool: { name: 'pool', resourceSliceCount: 2 } })],
    claims: [claim('a', [gpuRequest('r')])],
    expected: 'none',
  },
  {
    when: 'a newer generation has another device',
    slices: [two, slice([{ name: 'new' }], { pool: { name: 'pool', generation: 2, resourceSliceCount: 1 } }, 'newer')],
    claims: [claim('a', [gpuRequest('r')])],
    expected: ['a r new'],
  },
  {
    when: 'a pool names a device twice',
    slices: [slice([{ name: 'x' }, { name: 'x' }])],
    claims: [claim('a', [gpuRequest('r')])],
    expected: 'none',
  },
  {
    when: 'a device takes counters that do not exist',
    slices: [slice(someGpus(1, () => takes('1Gi')))],
    claims: [claim('a', [gpuRequest('r')])],
    expected: 'none',
  },
  {
    when: 'the first alternative can be had',
    slices: [two],
    claims: [claim('a', [orOne('two', 2)])],
    expected: ['a r/two gpu-0', 'a r/two gpu-1'],
  },
  {
    when: 'only the second alternative can be had',
    slices: [two],
    claims: [claim('a', [orOne('four', 4)])],
    expected: ['a r/one gpu-0'],
  },
  {
    when: 'the first alternative leaves nothing for others',
    slices: [two],
    claims: [claim('a', [orOne('two', 2), gpuRequest('s')])],
    expected: ['a r/one gpu-0', 'a s gpu-1'],
  },
  {
    when: 'devices must match',
    slices: [
      slice(
        someGpus(
          3,
          attribute('root', (i) => (i === 0 ? 'x' : 'y')),
        ),
      ),
    ],
    claims: [claim('a', [gpuRequest('r'), gpuRequest('s')], [{ matchAttribute: `${DRIVER}/root` }])],
    expected: ['a r gpu-1', 'a s gpu-2'],
  },
  {
    when: 'none match',
    slices: [
      slice(
        someGpus(
          2,
          attribute('root', (i) => `${i}`),
        ),
      ),
    ],
    claims: [claim('a', [gpuRequest('r', { count: 2 })], [{ matchAttribute: `${DRIVER}/root` }])],
    expected: 'none',
  },
  {
    when: 'the attribute to match is missing',
    slices: [two],
    claims: [claim('a', [gpuRequest('r')], [{ matchAttribute: `${DRIVER}/root` }])],
    expected: 'none',
  },
  {
    when: 'only some requests must match',
    slices: [
      slice(
        someGpus(
          3,
          attribute('root', (i) => (i === 1 ? 'y' : 'x')),
        ),
      ),
    ],
    claims: [claim('a', [gpuRequest('r'), gpuRequest('s'), gpuRequest('t')], [{ requests: ['r', 't'], matchAttribute: `${DRIVER}/root` }])],
    expected: ['a r gpu-0', 'a s gpu-1', 'a t gpu-2'],
  },
  {
    when: 'devices must differ',
    slices: [
      slice(
        someGpus(
          3,
          attribute('root', (i) => (i < 2 ? 'x' : 'y')),
        ),
      ),
    ],
    claims: [claim('a', [gpuRequest('r', { count: 2 })], [{ distinctAttribute: `${DRIVER}/root` }])],
    expected: ['a r gpu-0', 'a r gpu-2'],
  },
  {
    when: 'not enough differ',
    slices: [
      slice(
        someGpus(
          3,
          attribute('root', () => 'x'),
        ),
      ),
    ],
    claims: [claim('a', [gpuRequest('r', { count: 2 })], [{ distinctAttribute: `${DRIVER}/root` }])],
    expected: 'none',
  },
  {
    when: 'a device is tainted',
    slices: [slice(someGpus(2, (i) => (i === 0 ? { taints: [taint] } : {})))],
    claims: [claim('a', [gpuRequest('r')])],
    expected: ['a r gpu-1'],
  },
  {
    when: 'the taint is tolerated',
    slices: [slice(someGpus(1, () => ({ taints: [taint] })))],
    claims: [claim('a', [gpuRequest('r', { tolerations: [{ key: 'unhealthy', operator: 'Exists' }] })])],
    expected: ['a r gpu-0'],
  },
  {
    when: 'the taint has no effect',
    slices: [slice(someGpus(1, () => ({ taints: [{ key: 'x', effect: 'None' }] })))],
    claims: [claim('a', [gpuRequest('r')])],
    expected: ['a r gpu-0'],
  },
  {
    when: 'All has a tainted one',
    slices: [slice(someGpus(2, (i) => (i === 0 ? { taints: [taint] } : {})))],
    claims: [claim('a', [gpuRequest('r', { allocationMode: 'All' })])],
    expected: 'none',
  },
  {
    when: 'an administrator sees what is used',
    slices: [slice(someGpus(1))],
    claims: [claim('a', [gpuRequest('r')]), claim('b', [gpuRequest('r', { adminAccess: true })])],
    expected: ['a r gpu-0', 'b r gpu-0'],
  },
  {
    when: 'one claim asks for it twice as administrator',
    slices: [slice(someGpus(1))],
    claims: [claim('a', [gpuRequest('r', { adminAccess: true }), gpuRequest('s', { adminAccess: true })])],
    expected: 'none',
  },
  {
    when: 'a device has the capacity',
    slices: [slice(someGpus(2, (i) => memoryWithPolicy(i === 0 ? '8Gi' : '16Gi')))],
    claims: [claim('a', [gpuRequest('r', asks('10Gi'))])],
    expected: ['a r gpu-1'],
  },
  { when: 'a capacity is not known', slices: [two], claims: [claim('a', [gpuRequest('r', asks('1Gi'))])], expected: 'none' },
  {
    when: 'a device is shared',
    slices: [slice(someGpus(1, () => shared('16Gi')))],
    claims: [claim('a', [gpuRequest('r', asks('8Gi'))]), claim('b', [gpuRequest('r', asks('8Gi'))])],
    expected: ['a r gpu-0', 'b r gpu-0'],
  },
  {
    when: 'a shared device is full',
    slices: [slice(someGpus(1, () => shared('16Gi')))],
    claims: [claim('a', [gpuRequest('r', asks('9Gi'))]), claim('b', [gpuRequest('r', asks('8Gi'))])],
    expected: 'none',
  },
  {
    when: 'no capacity of a shared device is requested',
    slices: [slice(someGpus(1, () => shared('16Gi')))],
    claims: [claim('a', [gpuRequest('r')]), claim('b', [gpuRequest('r')])],
    expected: 'none',
  },
  {
    when: 'the default is taken of a shared device',
    slices: [slice(someGpus(1, () => shared('16Gi', { default: '4Gi' })))],
    claims: ['a', 'b', 'c', 'd'].map((key) => claim(key, [gpuRequest('r')])),
    expected: ['a r gpu-0', 'b r gpu-0', 'c r gpu-0', 'd r gpu-0'],
  },
  {
    when: 'a request is rounded up to a valid value',
    slices: [slice(someGpus(1, () => shared('16Gi', { validValues: ['4Gi', '12Gi'] })))],
    claims: [claim('a', [gpuRequest('r', asks('5Gi'))]), claim('b', [gpuRequest('r', asks('5Gi'))])],
    expected: 'none',
  },
  {
    when: 'no valid value is large enough',
    slices: [slice(someGpus(1, () => shared('16Gi', { validValues: ['4Gi'] })))],
    claims: [claim('a', [gpuRequest('r', asks('5Gi'))])],
    expected: 'none',
  },
  {
    when: 'a request is rounded up to a step',
    slices: [slice(someGpus(1, () => shared('16Gi', { validRange: { min: '2Gi', step: '6Gi' } })))],
    claims: [claim('a', [gpuRequest('r', asks('3Gi'))]), claim('b', [gpuRequest('r', asks('1Gi'))])],
    expected: ['a r gpu-0', 'b r gpu-0'],
  },
  {
    when: 'steps leave no room',
    slices: [slice(someGpus(1, () => shared('15Gi', { validRange: { min: '2Gi', step: '6Gi' } })))],
    claims: [claim('a', [gpuRequest('r', asks('3Gi'))]), claim('b', [gpuRequest('r', asks('3Gi'))])],
    expected: 'none',
  },
  {
    when: 'a request is beyond the range',
    slices: [slice(someGpus(1, () => shared('16Gi', { validRange: { min: '1Gi', max: '4Gi' } })))],
    claims: [claim('a', [gpuRequest('r', asks('5Gi'))])],
    expected: 'none',
  },
  {
    when: 'partitions fit their counters',
    slices: [counters('80Gi'), partitions(3, '40Gi')],
    claims: [claim('a', [gpuRequest('r', { count: 2 })])],
    expected: ['a r gpu-0', 'a r gpu-1'],
  },
  {
    when: 'partitions exceed their counters',
    slices: [counters('80Gi'), partitions(3, '40Gi')],
    claims: [claim('a', [gpuRequest('r', { count: 3 })])],
    expected: 'none',
  },
  {
    when: 'a counter set is said twice',
    slices: [
      counters('80Gi'),
      { ...counters('80Gi'), metadata: { name: 'again' } },
      slice(someGpus(1), { pool: { name: 'pool', resourceSliceCount: 3 } }),
    ],
    claims: [claim('a', [gpuRequest('r')])],
    expected: 'none',
  },
  {
    when: 'binding conditions would delay',
    slices: [slice(someGpus(2, (i) => (i === 0 ? { bindingConditions: ['Ready'] } : {})))],
    claims: [claim('a', [gpuRequest('r')])],
    expected: ['a r gpu-1'],
  },
];

describe('devices for claims', () => {
  test.each(cases)('when $when › $expected', ({ slices, claims, expected }) => {
    expect(answer(allocate(slices, claims))).toEqual(expected);
  });

  test('when a claim could try very many combinations › it ends as too complex', () => {
    const many = slice(
      someGpus(
        32,
        attribute('root', (i) => `${i}`),
      ),
    );
    const hostile = claim(
      'a',
      [gpuRequest('r', { count: 16 }), gpuRequest('s', { count: 16 })],
      [{ requests: ['s'], matchAttribute: `${DRIVER}/root` }],
    );
    expect(answer(allocate([many], [hostile]))).toBe('too-complex');
  });

  test('when devices are alike › one refusal stands for all of them', () => {
    const alike = slice(someGpus(64));
    const hostile = claim('a', [gpuRequest('r', { count: 16 }), gpuRequest('s', { deviceClassName: 'nic' })]);
    expect(answer(allocate([alike], [hostile], 2000))).toBe('none');
  });

  describe('when too few devices are for a later request › the search ends, whichever devices the others get', () => {
    const unlike = slice(someGpus(32, attribute('root', String)));
    const selecting = (root: string): Partial<Exact> => ({
      selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].root == "${root}"` } }],
    });
    test.each([
      ['none', gpuRequest('s', { deviceClassName: 'nic' })],
      ['one of two', gpuRequest('s', { count: 2, ...selecting('7') })],
      [
        'none for either alternative',
        { name: 's', firstAvailable: ['40', '41'].map((root) => ({ name: `root-${root}`, deviceClassName: 'gpu', ...selecting(root) })) },
      ],
    ])('%s', (_, later) => {
      expect(answer(allocate([unlike], [claim('a', [gpuRequest('r', { count: 8 }), later])], 200))).toBe('none');
    });
  });

  test.each([
    ['of a class that does not exist', { deviceClassName: 'tpu' }, 'there is no such DeviceClass'],
    ['without a number', { count: 0 }, 'must be a whole number from 1 to 32'],
    ['in a mode that is not known', { allocationMode: 'Most' }, 'must be ExactCount or All'],
    ['of a capacity that is no quantity', asks('much'), 'must be a quantity'],
    ['by a selector that is no CEL', { selectors: [{}] }, 'only CEL selectors are known'],
  ])('when a request is %s › its field is named', (_, exactly, problem) => {
    expect(() => claim('a', [gpuRequest('r', exactly)])).toThrow(problem);
  });
});

test('a search that comes to a request for all devices thousands of times searches for them once', () => {
  let reads = 0;
  const many = someGpus(32, attribute('model', String));
  const everything = { name: 'everything', exactly: { deviceClassName: 'gpu', allocationMode: 'All' as const } };
  const { key, wanted } = claim('a', [gpuRequest('r', { count: 2 }), gpuRequest('s'), everything]);
  const counted = wanted.requests.map((alternatives) =>
    alternatives.map((each) => {
      const counted = { ...each.selectors[0], selects: () => ++reads > 0 } as (typeof each.selectors)[number];
      return each.wantsAll ? { ...each, selectors: [counted] } : each;
    }),
  );
  expect(answer(allocate([slice(many)], [{ key, wanted: { ...wanted, requests: counted } }], 5_000))).toBe('too-complex');
  expect(reads).toBe(32);
});

test.each<[kinds: number, steps: readonly number[]]>([
  [800, [113, 13, 1]],
  [2, [13, 13, 1]],
])('800 devices of %i kinds that a claim can never have cost its searches %j steps: the third checks none of them', (kinds, steps) => {
  const others = someGpus(800, (index) => ({ attributes: { kind: { int: index % kinds } } }));
  const pools = publishedPools([slice(others, { driver: 'a.example.com' }, 'others'), slice(someGpus(1))]);
  const wanted = claim('a', [gpuRequest('r')]);
  const stepsOfSearch = (): number => {
    const effort = { steps: 1000 };
    const offer = { pools, groups: new Map(), usage: new DeviceUsage(), whereabouts: anywhere };
    expect(answer(allocateDevices([wanted], offer, effort))).toEqual(['a r gpu-0']);
    return 1000 - effort.steps;
  };
  expect([stepsOfSearch(), stepsOfSearch(), stepsOfSearch()].map(Math.floor)).toEqual(steps);
});
