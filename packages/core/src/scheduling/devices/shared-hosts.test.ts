import { describe, expect, test } from '@jest/globals';
import type { Affinity, Pod } from '../../kube/index.ts';
import { besideWeb, claiming, outcomeIn, poolSelling } from './testing/a-gpu-cluster.ts';
import { claimOf, nodePool } from './testing/a-gpu-claim.ts';

/** So many pods that must share a host, each with a GPU and a core. */
const web = (count: number, affinity: Affinity = besideWeb): readonly Pod[] => claiming('web', count, { affinity });

const [small, large] = [
  { name: 'small', gpus: 1 },
  { name: 'large', gpus: 4 },
];

describe('pods with devices that must share a host', () => {
  test('when the first node has devices for one › they go to the first that has devices for all', () => {
    const nodes = [small, large].map((machine) => ({ ...machine, name: machine === small ? 'a' : 'b' }));
    expect(outcomeIn({ pods: web(3), nodes })).toEqual([['b', 3]]);
  });

  test('when the first node has devices for all, and room for one › they go to the first that has both', () => {
    const nodes = [
      { name: 'a', gpus: 4, cpus: 1 },
      { name: 'b', gpus: 4 },
    ];
    expect(outcomeIn({ pods: web(3), nodes })).toEqual([['b', 3]]);
  });

  test('when the heavier pool sells small machines only › they get a machine of the other', () => {
    const nodePools = [poolSelling('heavy', 10, ['small']), poolSelling('light', 1, ['large'])];
    expect(outcomeIn({ pods: web(3), nodePools, sold: [small, large] })).toEqual([['large', 3]]);
  });

  test('when a planned node has devices left for all of them › they join it', () => {
    const limits = { nodes: '1' };
    const nodePools = [{ ...nodePool, spec: { ...nodePool.spec, limits } }];
    expect(
      outcomeIn({
        pods: [...claiming('job', 1, { cpu: '8' }), ...web(3)],
        nodePools,
        nodes: [{ name: 'a', gpus: 1, cpus: 4 }],
        sold: [large],
      }),
    ).toEqual([['large', 4]]);
  });

  test('when they share one claim, and the first node has room for one › they go to the first that has room for all', () => {
    const pods = web(3).map((pod) => ({ ...pod, spec: { ...pod.spec, resourceClaims: [{ name: 'gpu', resourceClaimName: 'shared' }] } }));
    const nodes = [
      { name: 'a', gpus: 1, cpus: 1 },
      { name: 'b', gpus: 1 },
    ];
    const resourceClaims = [claimOf('shared', [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }])];
    expect(outcomeIn({ pods, nodes, resourceClaims })).toEqual([['b', 3]]);
  });

  test.each(['Respect', 'Weigh', 'Ignore'] as const)(
    'when only a node with soft taints has devices for all, and preferences are under %s › they go there',
    (preferences) => {
      const nodes = [
        { name: 'a', gpus: 1 },
        { name: 'b', gpus: 4 },
      ];
      const preferred = [{ weight: 100, preference: { matchExpressions: [{ key: 'disk', operator: 'In' as const, values: ['a'] }] } }];
      const affinity = { ...besideWeb, nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } };
      expect(outcomeIn({ pods: web(3, affinity), nodes, soft: ['b'], policy: { preferences } })).toEqual([['b', 3]]);
    },
  );

  test('when no place has devices for all › as many get a place as half of the largest holds', () => {
    const nodes = [
      { name: 'a', gpus: 1 },
      { name: 'b', gpus: 2 },
    ];
    expect(outcomeIn({ pods: web(4), nodes })).toEqual([['b', 2]]);
  });
});

test('pods with devices that need not share a host fill the first node, and go on to the next', () => {
  const nodes = [
    { name: 'a', gpus: 1 },
    { name: 'b', gpus: 4 },
  ];
  expect(outcomeIn({ pods: web(3, {}), nodes })).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});
