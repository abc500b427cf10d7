import { describe, expect, test } from '@jest/globals';
import { isFieldProblem } from '../../base/index.ts';
import type {
  CapacityRequestPolicy,
  Device,
  DeviceClass,
  DeviceConstraint,
  DeviceRequest,
  DeviceTaint,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceSlice,
} from '../../kube/index.ts';
import { allocateDevices } from './claim-allocation.ts';
import type { WantedClaim } from './claim-allocation.ts';
import { claimRequests, selectorMemory } from './claim-request.ts';
import { publishedPools } from './device-pools.ts';
import { DeviceUsage } from './device-usage.ts';
import { anywhere } from './whereabouts.ts';
import { gpuRequest } from './testing/a-gpu-claim.ts';

const DRIVER = 'd';
const NONE = 'none';

const classes = new Map<string, DeviceClass>([
  ['gpu', { metadata: { name: 'gpu' }, spec: {} }],
  ['nic', { metadata: { name: 'nic' }, spec: { selectors: [{ cel: { expression: 'device.driver == "nic"' } }] } }],
]);

const sliceOf = (devices: readonly Device[], spec: Partial<ResourceSlice['spec']> = {}): ResourceSlice => ({
  metadata: { name: 'slice' },
  spec: { driver: DRIVER, pool: { name: 'p', resourceSliceCount: 1 }, allNodes: true, devices, ...spec },
});

/** Devices named `0`, `1` and so on. */
const devicesOf = (traits: readonly Partial<Device>[]): readonly Device[] =>
  traits.map((each, index) => ({ name: String(index), ...each }));

const wantedClaimOf = (key: string, requests: readonly DeviceRequest[], constraints: readonly DeviceConstraint[] = []): WantedClaim => {
  const wanted = claimRequests({ devices: { requests, constraints } }, { classes, selectorOf: selectorMemory() });
  if (isFieldProblem(wanted)) throw new Error(`${wanted.field} ${wanted.problem}`);
  return { key, wanted };
};

/** Claim by claim the names of its devices (`01|2`), or why there are none. */
const answer = (slices: readonly ResourceSlice[], claims: readonly WantedClaim[]): string => {
  const offer = { pools: publishedPools(slices), groups: new Map(), usage: new DeviceUsage(), whereabouts: anywhere };
  const allocation = allocateDevices(claims, offer, { steps: 20_000 });
  if (allocation.kind !== 'allocated') return allocation.kind;
  const { grants } = allocation;
  return claims.map(({ key }) => grants.flatMap(({ claimKey, device }) => (claimKey === key ? device.name : [])).join('')).join('|');
};

const plain = (count: number): readonly Partial<Device>[] => Array.from({ length: count }, () => ({}));

/** `1,2|A`: two claims; the first asks for one device and for two, the second for all. `N`: one of another class. */
const claimsFrom = (text: string): readonly WantedClaim[] =>
  text.split('|').map((claim, index) =>
    wantedClaimOf(
      `c${index}`,
      claim.split(',').map((count, request) => {
        if (count === 'A') return gpuRequest(`r${request}`, { allocationMode: 'All' });
        return count === 'N' ? gpuRequest(`r${request}`, { deviceClassName: 'nic' }) : gpuRequest(`r${request}`, { count: Number(count) });
      }),
    ),
  );

describe('counts', () => {
  test.each<[devices: number, claims: string, expected: string]>([
    [0, '1', NONE],
    [1, '1', '0'],
    [1, '2', NONE],
    [2, '2', '01'],
    [3, '2', '01'],
    [3, '1,2', '012'],
    [3, '2,2', NONE],
    [3, '1|1', '0|1'],
    [3, '2|1', '01|2'],
    [3, '2|2', NONE],
    [4, '1,1|1,1', '01|23'],
    [4, '1|1|1|1', '0|1|2|3'],
    [4, '1|1|1|2', NONE],
    [2, 'N', NONE],
    [2, '1,N', NONE],
    [2, '1|N', NONE],
    [1, 'A', '0'],
    [4, 'A', '0123'],
    [0, 'A', NONE],
    [2, 'A,1', NONE],
    [2, '1,A', NONE],
    [2, 'A|1', NONE],
    [2, '1|A', NONE],
    [2, 'A|A', NONE],
    [32, '32', Array.from({ length: 32 }, (_, index) => index).join('')],
    [33, 'A', NONE],
    [40, '16,16', Array.from({ length: 32 }, (_, index) => index).join('')],
    [40, '16,17', NONE],
  ])('of %i devices, claims for %s get %s', (devices, claims, expected) => {
    expect(answer([sliceOf(devicesOf(plain(devices)))], claimsFrom(claims))).toBe(expected);
  });
});

describe('constraints', () => {
  /** `-`: the device lacks the attribute. */
  const attributed = (values: string): readonly Device[] =>
    devicesOf(Array.from(values).map((value) => (value === '-' ? {} : { attributes: { a: { string: value } } })));

  test.each<[values: string, kind: 'match' | 'distinct', counts: string, expected: string]>([
    ['xx', 'match', '2', '01'],
    ['xy', 'match', '2', NONE],
    ['xyx', 'match', '2', '02'],
    ['xyy', 'match', '2', '12'],
    ['xyxy', 'match', '2', '02'],
    ['xyzzz', 'match', '3', '234'],
    ['xyzzz', 'match', '4', NONE],
    ['x-x', 'match', '2', '02'],
    ['--', 'match', '1', NONE],
    ['-x', 'match', '1', '1'],
    ['xxyy', 'match', '1,1', '01'],
    ['xyyx', 'match', '1,2', NONE],
    ['xyyy', 'match', '1,2', '123'],
    ['xxyyy', 'match', '2,1', '234'],
    ['xx', 'match', 'A', '01'],
    ['xy', 'match', 'A', NONE],
    ['x-', 'match', 'A', NONE],
    ['xx', 'distinct', '2', NONE],
    ['xy', 'distinct', '2', '01'],
    ['xxy', 'distinct', '2', '02'],
    ['xxyyz', 'distinct', '3', '024'],
    ['xxyyz', 'distinct', '4', NONE],
    ['x-y', 'distinct', '2', '02'],
    ['-', 'distinct', '1', NONE],
    ['xxyy', 'distinct', '1,1', '02'],
    ['xyxy', 'distinct', '1,2', NONE],
    ['xyz', 'distinct', '1,2', '012'],
    ['xyz', 'distinct', 'A', '012'],
    ['xyx', 'distinct', 'A', NONE],
  ])('devices %s, %s, %s › %s', (...[values, kind, counts, expected]) => {
    const constraint = kind === 'match' ? { matchAttribute: 'd/a' } : { distinctAttribute: 'd/a' };
    const requests = counts
      .split(',')
      .map((count, index) => gpuRequest(`r${index}`, count === 'A' ? { allocationMode: 'All' } : { count: Number(count) }));
    expect(answer([sliceOf(attributed(values))], [wantedClaimOf('c', requests, [constraint])])).toBe(expected);
  });

  test.each<[kind: string, one: object, other: object, expected: string]>([
    ['int', { int: 1 }, { int: 1 }, '01'],
    ['int', { int: 1 }, { int: 2 }, NONE],
    ['bool', { bool: true }, { bool: true }, '01'],
    ['bool', { bool: true }, { bool: false }, NONE],
    ['version', { version: '1.0.0' }, { version: '1.0.0' }, '01'],
    ['version', { version: '1.0.0' }, { version: '1.0.1' }, NONE],
    ['string and int', { string: '1' }, { int: 1 }, NONE],
    ['string and version', { string: '1.0.0' }, { version: '1.0.0' }, NONE],
  ])('values of kind %s, %j and %j › %s', (...[, one, other, expected]) => {
    const devices = devicesOf([{ attributes: { a: one } }, { attributes: { a: other } }]);
    expect(answer([sliceOf(devices)], [wantedClaimOf('c', [gpuRequest('r', { count: 2 })], [{ matchAttribute: 'd/a' }])])).toBe(expected);
  });

  test.each<[when: string, constraints: readonly DeviceConstraint[], expected: string]>([
    ['about one request only', [{ requests: ['r0'], matchAttribute: 'd/a' }], '01'],
    ['about both requests', [{ requests: ['r0', 'r1'], matchAttribute: 'd/a' }], '02'],
    ['about no request of the claim', [{ requests: ['other'], matchAttribute: 'd/a' }], '01'],
    ['two that agree', [{ matchAttribute: 'd/a' }, { distinctAttribute: 'd/b' }], '02'],
    ['two that exclude each other', [{ matchAttribute: 'd/a' }, { distinctAttribute: 'd/a' }], NONE],
    ['an attribute of another domain', [{ matchAttribute: 'e/a' }], NONE],
  ])('a constraint %s › %s', (_, constraints, expected) => {
    const devices = devicesOf(['xk', 'yl', 'xm'].map(([a = '', b = '']) => ({ attributes: { a: { string: a }, b: { string: b } } })));
    expect(answer([sliceOf(devices)], [wantedClaimOf('c', [gpuRequest('r0'), gpuRequest('r1')], constraints)])).toBe(expected);
  });
});

describe('a constraint about some requests', () => {
  test('keeps what it holds while requests that it is not about try other devices', () => {
    const devices = devicesOf(Array.from('xyz').map((value) => ({ attributes: { a: { string: value } } })));
    const requests = [gpuRequest('r0'), gpuRequest('r1'), gpuRequest('r2')];
    expect(answer([sliceOf(devices)], [wantedClaimOf('c', requests, [{ requests: ['r0', 'r2'], matchAttribute: 'd/a' }])])).toBe(NONE);
  });
});

describe('firstAvailable', () => {
  /** `4/2|1`: two requests, the first for four devices or else for two. */
  const requestsFrom = (text: string): readonly DeviceRequest[] =>
    text.split('|').map((request, index) => ({
      name: `r${index}`,
      firstAvailable: request.split('/').map((count, alternative) => ({
        name: `a${alternative}`,
        deviceClassName: count === 'N' ? 'nic' : 'gpu',
        ...(count === 'A' ? { allocationMode: 'All' } : count === 'N' ? {} : { count: Number(count) }),
      })),
    }));

  test.each<[devices: number, requests: string, expected: string]>([
    [2, '1', '0'],
    [2, '2/1', '01'],
    [2, '3/1', '0'],
    [2, '4/3/2/1', '01'],
    [2, '4/3', NONE],
    [3, '2/1|2/1', '012'],
    [4, '2/1|2/1', '0123'],
    [2, '2/1|2/1', '01'],
    [1, '2/1|2/1', NONE],
    [3, '3/2|1', '012'],
    [3, '3/2/1|2', '012'],
    [3, 'N/2', '01'],
    [3, 'N/N', NONE],
    [3, 'A/1', '012'],
    [0, 'A/1', NONE],
    [3, 'A/1|1', '01'],
    [33, 'A/2', '01'],
    [3, '1/A', '0'],
    [3, 'N/A', '012'],
    [32, '32/1|1', '01'],
    [3, '4/A', '012'],
    [3, 'N/N/A', '012'],
    [3, '4/A|1', NONE],
    [3, '4/A/1|1', '01'],
    [33, 'N/A/1', '0'],
  ])('of %i devices, requests for %s get %s', (devices, requests, expected) => {
    expect(answer([sliceOf(devicesOf(plain(devices)))], [wantedClaimOf('c', requestsFrom(requests))])).toBe(expected);
  });

  test('a later alternative for all devices is for those that it selects itself, each of them', () => {
    const devices = devicesOf(Array.from('xyxyy').map((value) => ({ attributes: { a: { string: value } } })));
    const all = (name: string, value: string, more: Partial<ExactDeviceRequest> = {}) => ({
      ...{
        name,
        deviceClassName: 'gpu',
        allocationMode: 'All',
        selectors: [{ cel: { expression: `device.attributes["d"].a == "${value}"` } }],
      },
      ...more,
    });
    const firstAvailable = [all('a0', 'x', { capacity: { requests: { m: '1' } } }), all('a1', 'y')];
    expect(answer([sliceOf(devices)], [wantedClaimOf('c', [{ name: 'r0', firstAvailable }])])).toBe('134');
    const constraints = [{ requests: ['r0/a0'], distinctAttribute: 'd/a' }];
    expect(
      answer([sliceOf(devices)], [wantedClaimOf('c', [{ name: 'r0', firstAvailable: [all('a0', 'x'), all('a1', 'y')] }], constraints)]),
    ).toBe('134');
  });

  test.each<[requests: readonly string[], expected: string]>([
    [['r0'], '12'],
    [['r0/a0'], '12'],
    [['r0/a1'], '01'],
  ])('a constraint about %s applies to the alternatives that it names › %s', (requests, expected) => {
    const devices = devicesOf(Array.from('xyy').map((value) => ({ attributes: { a: { string: value } } })));
    expect(answer([sliceOf(devices)], [wantedClaimOf('c', requestsFrom('2/1'), [{ requests, matchAttribute: 'd/a' }])])).toBe(expected);
  });
});

describe('a capacity that several claims share', () => {
  const steps: CapacityRequestPolicy = { default: '2', validRange: { min: '2', max: '8', step: '2' } };
  const values: CapacityRequestPolicy = { default: '1', validValues: ['1', '4', '8'] };

  /** `-`: a claim that names no amount. */
  test.each<[total: number, policy: CapacityRequestPolicy | undefined, asked: string, expected: string]>([
    [8, undefined, '8', '0'],
    [8, undefined, '9', NONE],
    [8, undefined, '4 4', '0|0'],
    [8, undefined, '4 5', NONE],
    [8, undefined, '1 1 1 1', '0|0|0|0'],
    [8, undefined, '-', '0'],
    [8, undefined, '- 1', NONE],
    [8, undefined, '- 0', '0|0'],
    [0, undefined, '0', '0'],
    [0, undefined, '1', NONE],
    [8, { default: '2' }, '- - - -', '0|0|0|0'],
    [8, { default: '2' }, '- - - - -', NONE],
    [8, { default: '2' }, '- 6', '0|0'],
    [8, { default: '2' }, '- 7', NONE],
    [16, steps, '2', '0'],
    [16, steps, '3', '0'],
    [16, steps, '1', '0'],
    [16, steps, '8 8', '0|0'],
    [16, steps, '7 7', '0|0'],
    [16, steps, '9', NONE],
    [14, steps, '7 7', NONE],
    [16, steps, '- - - - - - - -', '0|0|0|0|0|0|0|0'],
    [16, steps, '1 1 1 1 1 1 1 1 1', NONE],
    [16, { default: '1', validRange: { min: '1' } }, '16', '0'],
    [16, { default: '1', validRange: { min: '1', max: '4' } }, '4', '0'],
    [16, { default: '1', validRange: { min: '1', max: '4' } }, '5', NONE],
    [16, values, '1', '0'],
    [16, values, '2', '0'],
    [16, values, '2 2 2 2', '0|0|0|0'],
    [16, values, '2 2 2 2 1', NONE],
    [16, values, '5 5', '0|0'],
    [16, values, '5 5 1', NONE],
    [16, values, '9', NONE],
    [16, values, '- - 8 5', NONE],
    [18, values, '- - 8 5', '0|0|0|0'],
    [8, { default: '1', validValues: ['8', '4'] }, '2 2', '0|0'],
    [8, { default: '9' }, '-', NONE],
    [8, { validValues: ['4', '8'] }, '-', '0'],
    [8, { validValues: ['4', '8'] }, '- 1', NONE],
  ])('of %i under %j, %s get %s', (...[total, requestPolicy, asked, expected]) => {
    const device = { allowMultipleAllocations: true, capacity: { m: { value: total, ...(requestPolicy && { requestPolicy }) } } };
    const claims = asked
      .split(' ')
      .map((amount, index) =>
        wantedClaimOf(`c${index}`, [gpuRequest('r', amount === '-' ? {} : { capacity: { requests: { m: amount } } })]),
      );
    expect(answer([sliceOf(devicesOf([device]))], claims)).toBe(expected);
  });

  test.each<[when: string, devices: readonly Partial<Device>[], asked: readonly Readonly<Record<string, string>>[], expected: string]>([
    ['one amount of two is too large', [{ capacity: { m: { value: 4 }, n: { value: 4 } } }], [{ m: '2', n: '5' }], NONE],
    ['both are there', [{ capacity: { m: { value: 4 }, n: { value: 4 } } }], [{ m: '2', n: '4' }], '0'],
    [
      'the first device lacks one',
      [{ capacity: { m: { value: 4 } } }, { capacity: { m: { value: 4 }, n: { value: 4 } } }],
      [{ n: '1' }],
      '1',
    ],
    ['the first is full', [{ capacity: { m: { value: 4 } } }, { capacity: { m: { value: 4 } } }], [{ m: '3' }, { m: '3' }], '0|1'],
    ['a device of its own has enough', [{ allowMultipleAllocations: false, capacity: { m: { value: 4 } } }], [{ m: '1' }], '0'],
    [
      'a device of its own has a policy for those who share it',
      [{ allowMultipleAllocations: false, capacity: { m: { value: 8, requestPolicy: { default: '4', validValues: ['4'] } } } }],
      [{ m: '5' }],
      '0',
    ],
    ['a device of its own is taken', [{ allowMultipleAllocations: false, capacity: { m: { value: 4 } } }], [{ m: '1' }, { m: '1' }], NONE],
  ])('%s › %4$s', (...[, devices, asked, expected]) => {
    const slices = [sliceOf(devicesOf(devices.map((device) => ({ allowMultipleAllocations: true, ...device }))))];
    const claims = asked.map((requests, index) => wantedClaimOf(`c${index}`, [gpuRequest('r', { capacity: { requests } })]));
    expect(answer(slices, claims)).toBe(expected);
  });
});

describe('shared counters', () => {
  const counterSlice = (sets: Readonly<Record<string, Readonly<Record<string, number>>>>): ResourceSlice => ({
    metadata: { name: 'counters' },
    spec: {
      driver: DRIVER,
      pool: { name: 'p', resourceSliceCount: 2 },
      allNodes: true,
      sharedCounters: Object.entries(sets).map(([name, counters]) => ({ name, counters: amounts(counters) })),
    },
  });
  const amounts = (counters: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(counters).map(([name, value]) => [name, { value: String(value) }]));
  const taking = (counterSet: string, counters: Readonly<Record<string, number>>): Partial<Device> => ({
    consumesCounters: [{ counterSet, counters: amounts(counters) }],
  });

  test.each<[total: number, takes: string, claims: string, expected: string]>([
    [4, '1111', '4', '0123'],
    [3, '1111', '4', NONE],
    [4, '22', '2', '01'],
    [4, '23', '2', NONE],
    [4, '41', '1', '0'],
    [4, '41', '1|1', NONE],
    [4, '411', '2', '12'],
    [4, '412', '1|1', '1|2'],
    [4, '5', '1', NONE],
    [4, '54', '1', '1'],
    [0, '0', '1', '0'],
    [0, '1', '1', NONE],
    [0, '00', '2', '01'],
    [6, '321', 'A', '012'],
    [5, '321', 'A', NONE],
    [7, '3311', '1,1|1', '01|2'],
    [7, '3331', '3', '013'],
    [6, '3331', '3', NONE],
  ])('of %i, where devices take %s, claims for %s get %s', (...[total, takes, claims, expected]) => {
    const devices = devicesOf(Array.from(takes).map((amount) => taking('s', { c: Number(amount) })));
    const slices = [counterSlice({ s: { c: total } }), sliceOf(devices, { pool: { name: 'p', resourceSliceCount: 2 } })];
    expect(answer(slices, claimsFrom(claims))).toBe(expected);
  });

  test.each<
    [
      when: string,
      sets: Readonly<Record<string, Readonly<Record<string, number>>>>,
      devices: readonly Partial<Device>[],
      claims: string,
      expected: string,
    ]
  >([
    ['sets do not share', { s: { c: 1 }, t: { c: 1 } }, [taking('s', { c: 1 }), taking('t', { c: 1 })], '2', '01'],
    ['one of two counters is short', { s: { c: 2, e: 1 } }, [taking('s', { c: 1, e: 1 }), taking('s', { c: 1, e: 1 })], '2', NONE],
    ['devices take different counters', { s: { c: 1, e: 1 } }, [taking('s', { c: 1 }), taking('s', { e: 1 })], '2', '01'],
    [
      'a device takes of two sets',
      { s: { c: 1 }, t: { c: 0 } },
      [{ consumesCounters: [...(taking('s', { c: 1 }).consumesCounters ?? []), ...(taking('t', { c: 1 }).consumesCounters ?? [])] }],
      '1',
      NONE,
    ],
    ['the set is not there', { s: { c: 1 } }, [taking('t', { c: 1 })], '1', NONE],
    ['the counter is not there', { s: { c: 1 } }, [taking('s', { e: 1 })], '1', NONE],
    ['a device takes nothing', { s: { c: 0 } }, [{}], '1', '0'],
  ])('%s › %5$s', (...[, sets, devices, claims, expected]) => {
    const slices = [counterSlice(sets), sliceOf(devicesOf(devices), { pool: { name: 'p', resourceSliceCount: 2 } })];
    expect(answer(slices, claimsFrom(claims))).toBe(expected);
  });

  test('a device that several share takes its counters once', () => {
    const device = {
      ...taking('s', { c: 3 }),
      allowMultipleAllocations: true,
      capacity: { m: { value: 4, requestPolicy: { default: '1' } } },
    };
    const slices = [counterSlice({ s: { c: 3 } }), sliceOf(devicesOf([device]), { pool: { name: 'p', resourceSliceCount: 2 } })];
    expect(answer(slices, claimsFrom('1|1|1'))).toBe('0|0|0');
  });
});

describe('taints', () => {
  const noSchedule: DeviceTaint = { key: 'k', value: 'v', effect: 'NoSchedule' };
  const noExecute: DeviceTaint = { key: 'k', value: 'v', effect: 'NoExecute' };

  test.each<[taint: DeviceTaint, tolerations: readonly DeviceToleration[], isTolerated: boolean]>([
    [noSchedule, [], false],
    [noExecute, [], false],
    [{ key: 'k', effect: 'None' }, [], true],
    [noSchedule, [{ operator: 'Exists' }], true],
    [noSchedule, [{ key: 'k', operator: 'Exists' }], true],
    [noSchedule, [{ key: 'l', operator: 'Exists' }], false],
    [noSchedule, [{ key: 'k', operator: 'Equal', value: 'v' }], true],
    [noSchedule, [{ key: 'k', operator: 'Equal', value: 'w' }], false],
    [noSchedule, [{ key: 'k', value: 'v' }], true],
    [noSchedule, [{ key: 'k' }], false],
    [{ key: 'k', effect: 'NoSchedule' }, [{ key: 'k' }], true],
    [noSchedule, [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }], true],
    [noSchedule, [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }], false],
    [noExecute, [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }], true],
    [noExecute, [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }], false],
    [
      noSchedule,
      [
        { key: 'l', operator: 'Exists' },
        { key: 'k', operator: 'Exists' },
      ],
      true,
    ],
  ])('%j under tolerations %j › %s', (taint, tolerations, isTolerated) => {
    const devices = sliceOf(devicesOf([{ taints: [taint] }]));
    expect(answer([devices], [wantedClaimOf('c', [gpuRequest('r', { tolerations })])])).toBe(isTolerated ? '0' : NONE);
  });

  test.each<[tolerations: readonly DeviceToleration[], expected: string]>([
    [[{ key: 'k', operator: 'Exists' }], NONE],
    [
      [
        { key: 'k', operator: 'Exists' },
        { key: 'l', operator: 'Exists' },
      ],
      '0',
    ],
  ])('of two taints each must be tolerated, by %j › %s', (tolerations, expected) => {
    const devices = sliceOf(devicesOf([{ taints: [noSchedule, { key: 'l', effect: 'NoExecute' }] }]));
    expect(answer([devices], [wantedClaimOf('c', [gpuRequest('r', { tolerations })])])).toBe(expected);
  });
});

describe('admin access', () => {
  const admin = gpuRequest('r', { adminAccess: true });
  test.each<[when: string, claims: readonly WantedClaim[], expected: string]>([
    ['to a free device', [wantedClaimOf('a', [admin])], '0'],
    ['to a device that is used', [wantedClaimOf('a', [gpuRequest('r', { count: 2 })]), wantedClaimOf('b', [admin])], '01|0'],
    ['of two claims to one device', [wantedClaimOf('a', [admin]), wantedClaimOf('b', [admin])], '0|0'],
    [
      'leaves fewer to the other claims of its pod',
      [wantedClaimOf('a', [admin]), wantedClaimOf('b', [gpuRequest('r', { count: 2 })])],
      NONE,
    ],
    [
      'to all devices',
      [wantedClaimOf('a', [gpuRequest('r')]), wantedClaimOf('b', [gpuRequest('r', { adminAccess: true, allocationMode: 'All' })])],
      '0|01',
    ],
    ['to more devices than there are', [wantedClaimOf('a', [gpuRequest('r', { adminAccess: true, count: 3 })])], NONE],
    ['beside an ordinary request of its claim', [wantedClaimOf('a', [gpuRequest('r'), gpuRequest('s', { adminAccess: true })])], '01'],
  ])('%s › %3$s', (_, claims, expected) => {
    expect(answer([sliceOf(devicesOf(plain(2)))], claims)).toBe(expected);
  });
});

describe('pools', () => {
  const part = (pool: Partial<ResourceSlice['spec']['pool']>, names: string, driver = DRIVER): ResourceSlice =>
    sliceOf(
      Array.from(names).map((name) => ({ name })),
      { driver, pool: { name: 'p', resourceSliceCount: 1, ...pool } },
    );

  test.each<[when: string, slices: readonly ResourceSlice[], claims: string, expected: string]>([
    ['two pools add up', [part({}, 'a'), part({ name: 'q' }, 'b')], '2', 'ab'],
    ['two drivers add up', [part({}, 'a'), part({}, 'b', 'e')], '2', 'ab'],
    ['one name in two pools is two devices', [part({}, 'a'), part({ name: 'q' }, 'a')], '2', 'aa'],
    ['slices of one pool add up', [part({ resourceSliceCount: 2 }, 'a'), part({ resourceSliceCount: 2 }, 'b')], '2', 'ab'],
    ['a slice is missing', [part({ resourceSliceCount: 2 }, 'a')], '1', NONE],
    ['a slice is missing of another pool', [part({ resourceSliceCount: 2 }, 'a'), part({ name: 'q' }, 'b')], '1', 'b'],
    ['a slice is missing of another pool, and all are wanted', [part({ resourceSliceCount: 2 }, 'a'), part({ name: 'q' }, 'b')], 'A', NONE],
    ['the higher generation counts', [part({ generation: 1 }, 'a'), part({ generation: 2 }, 'b')], '1', 'b'],
    ['the lower generation adds nothing', [part({ generation: 1 }, 'a'), part({ generation: 2 }, 'b')], '2', NONE],
    ['the higher generation is incomplete', [part({ generation: 1 }, 'a'), part({ generation: 2, resourceSliceCount: 2 }, 'b')], '1', NONE],
    ['a device is named twice', [part({}, 'aa')], '1', NONE],
    ['a device is named twice in two slices', [part({ resourceSliceCount: 2 }, 'a'), part({ resourceSliceCount: 2 }, 'a')], '1', NONE],
    ['a device is named twice in another pool', [part({}, 'aa'), part({ name: 'q' }, 'b')], '1', 'b'],
    ['there are no slices', [], '1', NONE],
    ['all of two pools', [part({}, 'ab'), part({ name: 'q' }, 'c')], 'A', 'abc'],
  ])('%s › %4$s', (...[, slices, claims, expected]) => {
    expect(answer(slices, claimsFrom(claims))).toBe(expected);
  });
});

describe('binding conditions', () => {
  const waiting: Partial<Device> = { bindingConditions: ['Ready'] };
  test.each<[when: string, devices: readonly Partial<Device>[], claims: string, expected: string]>([
    ['a device without them comes first', [waiting, {}], '1', '1'],
    ['one with them is better than none', [waiting], '1', '0'],
    ['both are needed', [waiting, {}], '2', '10'],
    ['all are wanted', [waiting, {}], 'A', '10'],
  ])('%s › %4$s', (...[, devices, claims, expected]) => {
    expect(answer([sliceOf(devicesOf(devices))], claimsFrom(claims))).toBe(expected);
  });
});

describe('of devices that differ', () => {
  test('all with a capacity are those that have as much', () => {
    const slices = [sliceOf(devicesOf([{ capacity: { m: { value: 4 } } }, { capacity: { m: { value: 8 } } }]))];
    expect(answer(slices, [wantedClaimOf('a', [gpuRequest('r', { allocationMode: 'All', capacity: { requests: { m: '5' } } })])])).toBe(
      '1',
    );
  });

  test('one that a later constraint forbids leaves the earlier ones as they were', () => {
    const traits = ['11', '22', '21'].map(([x, y]) => ({ attributes: { x: { string: x ?? '' }, y: { string: y ?? '' } } }));
    const constraints = [{ distinctAttribute: `${DRIVER}/x` }, { matchAttribute: `${DRIVER}/y` }];
    expect(answer([sliceOf(devicesOf(traits))], [wantedClaimOf('a', [gpuRequest('r', { count: 2 })], constraints)])).toBe('02');
  });

  test('one that takes unknown counters makes the others of its pool useless', () => {
    const unknown = { consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } } }] };
    expect(answer([sliceOf(devicesOf([unknown, {}]))], claimsFrom('1'))).toBe(NONE);
  });

  test('one with a least amount gives no less, whatever a claim asks for', () => {
    const requestPolicy = { default: '2', validRange: { min: '2' } };
    const slices = [sliceOf(devicesOf([{ allowMultipleAllocations: true, capacity: { m: { value: 3, requestPolicy } } }]))];
    const claims = ['a', 'b'].map((key) => wantedClaimOf(key, [gpuRequest('r', { capacity: { requests: { m: '1' } } })]));
    expect(answer(slices, claims)).toBe(NONE);
  });

  test('an incomplete pool with counters is seen on every node', () => {
    const pool = { name: 'p', resourceSliceCount: 3 };
    const spec = { driver: DRIVER, pool, nodeName: 'here' };
    const slices: readonly ResourceSlice[] = [
      { metadata: { name: 'devices' }, spec: { ...spec, devices: devicesOf([{}]) } },
      { metadata: { name: 'counters' }, spec: { ...spec, sharedCounters: [{ name: 's', counters: { c: { value: 1 } } }] } },
    ];
    expect(publishedPools(slices).map(({ state, reaches }) => [state, reaches])).toEqual([['incomplete', [{ kind: 'everywhere' }]]]);
    const whole = slices.map(({ metadata, spec: own }) => ({ metadata, spec: { ...own, pool: { ...pool, resourceSliceCount: 2 } } }));
    expect(publishedPools(whole).map(({ state, reaches }) => [state, reaches])).toEqual([['ready', [{ kind: 'node', name: 'here' }]]]);
  });
});
