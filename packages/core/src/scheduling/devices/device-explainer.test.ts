import { describe, expect, test } from '@jest/globals';
import { snapshotOf } from '../../cluster/index.ts';
import type { PlainCluster } from '../../cluster/index.ts';
import type { Device, ResourceClaim } from '../../kube/index.ts';
import { explain } from '../rejection/rejection-text.ts';
import { simulate } from '../what-if.ts';
import { claimOf, DRIVER, nodePool, gpuRequest, someGpus } from './testing/a-gpu-claim.ts';

const gpuMachine = (name: string, devices: readonly Device[], slots?: number) => ({
  name,
  capacity: { cpu: '64', memory: '256Gi' },
  pricePerHour: { 'on-demand': 1 },
  dynamicResources: {
    resourceSliceTemplates: [
      { driver: DRIVER, pool: 'gpus', devices },
      ...(slots === undefined
        ? []
        : [{ driver: DRIVER, pool: 'gpus', sharedCounters: [{ name: 's', counters: { slots: { value: String(slots) } } }] }]),
    ],
  },
});

/** Why a pod with these claims has no place. */
const whyNot = (claims: readonly ResourceClaim[], cluster: Partial<PlainCluster>): string => {
  const resourceClaims = claims.map(({ metadata }) => ({ name: metadata.name, resourceClaimName: metadata.name }));
  const { rejections } = simulate(
    snapshotOf({
      nodePools: [nodePool],
      deviceClasses: [{ metadata: { name: 'gpu' }, spec: {} }],
      resourceClaims: claims,
      instanceTypes: [],
      pods: [{ metadata: { name: 'pod' }, spec: { containers: [{ name: 'main' }], resourceClaims } }],
      ...cluster,
    }),
  );
  return rejections.map(explain).join();
};

const pairs = someGpus(8, (index) => ({ attributes: { pair: { int: Math.floor(index / 2) } } }));
const pair = `${DRIVER}/pair`;
const board = `${DRIVER}/board`;
const slots = (value: string): Partial<Device> => ({ consumesCounters: [{ counterSet: 's', counters: { slots: { value } } }] });
const memoryOf = (value: string, more: Partial<Device> = {}): Partial<Device> => ({ capacity: { memory: { value } }, ...more });

describe('a rejection of a pod with claims', () => {
  test.each<[when: string, claims: readonly ResourceClaim[], devices: readonly Device[], expected: string]>([
    [
      'matchAttribute leaves too few',
      [claimOf('a', [gpuRequest('r', { count: 3 })], [{ matchAttribute: pair }])],
      pairs,
      `constraint matchAttribute ${pair} of ResourceClaim default/a wants one value for 3 devices: of 8 on one node, 6 have another value, 2 left`,
    ],
    [
      'matchAttribute is about an attribute that no device has',
      [claimOf('a', [gpuRequest('r', { count: 2 })], [{ matchAttribute: board }])],
      pairs,
      `constraint matchAttribute ${board} of ResourceClaim default/a wants one value for 2 devices: of 8 on one node, 8 lack it, 0 left`,
    ],
    [
      'matchAttribute is about two of three requests',
      [claimOf('a', [gpuRequest('r', { count: 2 }), gpuRequest('s'), gpuRequest('t')], [{ requests: ['r', 's'], matchAttribute: pair }])],
      pairs,
      'wants one value for 3 devices: of 8 on one node, 6 have another value, 2 left',
    ],
    [
      'distinctAttribute leaves too few',
      [claimOf('a', [gpuRequest('r', { count: 5 })], [{ distinctAttribute: pair }])],
      pairs,
      `constraint distinctAttribute ${pair} of ResourceClaim default/a wants different values for 5 devices: of 8 on one node, 4 have the value of another, 4 left`,
    ],
    [
      'only two constraints together leave too few',
      [claimOf('a', [gpuRequest('r', { count: 2 })], [{ matchAttribute: pair }, { distinctAttribute: pair }])],
      pairs,
      `constraint distinctAttribute ${pair} of ResourceClaim default/a, beside matchAttribute ${pair}, wants different values for 2 devices`,
    ],
    [
      'two requests want more than there are',
      [claimOf('a', [gpuRequest('r', { count: 2 }), gpuRequest('s', { count: 2 })])],
      someGpus(3),
      'request s of ResourceClaim default/a wants 2 devices of DeviceClass gpu: of 3, 2 are for the requests before it, 1 left',
    ],
    [
      'two claims want more than there are',
      [claimOf('a', [gpuRequest('r', { count: 2 })]), claimOf('b', [gpuRequest('r', { count: 2 })])],
      someGpus(3),
      'request r of ResourceClaim default/b wants 2 devices of DeviceClass gpu: of 3, 2 are for the requests before it, 1 left',
    ],
    [
      'devices are tainted',
      [claimOf('a', [gpuRequest('r', { count: 2 })])],
      someGpus(3, (index) => (index < 2 ? { taints: [{ key: 'sick', value: 'very', effect: 'NoExecute' }] } : {})),
      'of 3, 2 are tainted with sick=very:NoExecute, 1 left',
    ],
    [
      'devices lack a capacity',
      [claimOf('a', [gpuRequest('r', { count: 2, capacity: { requests: { memory: '8Gi' } } })])],
      someGpus(3, (index) => memoryOf(index === 0 ? '8Gi' : '4Gi')),
      'of 3, 2 are short of the capacity memory, 1 left',
    ],
    [
      'a shared device is full',
      ['a', 'b'].map((name) => claimOf(name, [gpuRequest('r', { capacity: { requests: { memory: '5Gi' } } })])),
      someGpus(1, () => memoryOf('8Gi', { allowMultipleAllocations: true })),
      'request r of ResourceClaim default/b wants a device of DeviceClass gpu: of 1, 1 is full, 0 left',
    ],
    [
      'a selector cannot judge a device',
      [claimOf('a', [gpuRequest('r', { selectors: [{ cel: { expression: 'device.attributes["x"].y == 1' } }] })])],
      someGpus(2),
      '2 are not judged by device.attributes["x"].y == 1 (',
    ],
    [
      'every alternative wants too many',
      [
        claimOf('a', [
          {
            name: 'r',
            firstAvailable: [
              { name: 'four', deviceClassName: 'gpu', count: 4 },
              { name: 'three', deviceClassName: 'gpu', count: 3 },
            ],
          },
        ]),
      ],
      someGpus(2),
      'request r/four of ResourceClaim default/a wants 4 devices of DeviceClass gpu: of 2, 2 left; request r/three of ResourceClaim default/a wants 3',
    ],
    [
      'all devices are more than a claim may have',
      [claimOf('a', [gpuRequest('r', { allocationMode: 'All' })])],
      someGpus(33),
      'wants all devices of DeviceClass gpu: of 33, 33 left, and a ResourceClaim has 32 at most',
    ],
  ])('when %s › names it, and how many devices are left', (...[, claims, devices, expected]) => {
    expect(whyNot(claims, { instanceTypes: [gpuMachine('gpu', devices)] })).toContain(expected);
  });

  test('when counters are short › counts the partitions', () => {
    const instanceTypes = [
      gpuMachine(
        'mig',
        someGpus(4, () => slots('2')),
        5,
      ),
    ];
    expect(whyNot([claimOf('a', [gpuRequest('r', { count: 2 }), gpuRequest('s')])], { instanceTypes })).toContain(
      'request s of ResourceClaim default/a wants a device of DeviceClass gpu: of 4, 2 are for the requests before it, 2 are short of shared counters, 0 left',
    );
  });

  test('when two types have enough together › says how many one node has at most', () => {
    const instanceTypes = [gpuMachine('four', someGpus(4)), gpuMachine('three', someGpus(3))];
    expect(whyNot([claimOf('a', [gpuRequest('r', { count: 5 })])], { instanceTypes })).toContain('of 7, 7 left, at most 4 on one node');
  });

  test('when a pool is incomplete that several nodes reach › says so', () => {
    const spec = { driver: DRIVER, pool: { name: 'fabric', resourceSliceCount: 2 }, allNodes: true, devices: someGpus(2) };
    const cluster = { instanceTypes: [gpuMachine('none', [])], resourceSlices: [{ metadata: { name: 'slice' }, spec }] };
    expect(whyNot([claimOf('a', [gpuRequest('r')])], cluster)).toContain('of 2, 2 are of a pool that is incomplete, 0 left');
  });

  test('when attribute bindings join devices in pairs › two match, and three do not', () => {
    const deviceOf = (index: number) => ({ driver: DRIVER, pool: 'gpus', device: `gpu-${index}` });
    const type = gpuMachine('gpu', someGpus(4));
    const attributeBindings = [0, 2].map((first) => ({ attribute: pair, devices: [deviceOf(first), deviceOf(first + 1)] }));
    const instanceTypes = [{ ...type, dynamicResources: { ...type.dynamicResources, attributeBindings } }];
    const asking = (count: number) => [claimOf('a', [gpuRequest('r', { count })], [{ matchAttribute: pair }])];
    expect(whyNot(asking(2), { instanceTypes })).toBe('');
    expect(whyNot(asking(3), { instanceTypes })).toContain('one value for 3 devices: of 4 on one node, 2 have another value, 2 left');
  });

  test('when the search is cut › says so', () => {
    const attributes = (index: number): Partial<Device> => ({ attributes: { root: { int: index } } });
    const claims = [
      claimOf(
        'a',
        [gpuRequest('r', { count: 16 }), gpuRequest('s', { count: 16 })],
        [{ requests: ['s'], matchAttribute: `${DRIVER}/root` }],
      ),
    ];
    expect(whyNot(claims, { instanceTypes: [gpuMachine('gpu', someGpus(32, attributes))] })).toContain(
      'the search for devices was cut short',
    );
  });

  test('when the claim has devices on a node that is full › names them', () => {
    const results = [{ request: 'r', driver: DRIVER, pool: 'here', device: 'gpu-0' }];
    const claims = [{ ...claimOf('a', [gpuRequest('r')]), status: { allocation: { devices: { results } } } }];
    const cluster = {
      instanceTypes: [gpuMachine('gpu', someGpus(1))],
      nodes: [{ metadata: { name: 'here' }, status: { allocatable: { cpu: '0', pods: '0' } } }],
      resourceSlices: [
        {
          metadata: { name: 'slice' },
          spec: { driver: DRIVER, pool: { name: 'here', resourceSliceCount: 1 }, nodeName: 'here', devices: someGpus(1) },
        },
      ],
    };
    expect(whyNot(claims, cluster)).toContain('ResourceClaim default/a has its devices already: gpu-0 of pool here');
  });
});
