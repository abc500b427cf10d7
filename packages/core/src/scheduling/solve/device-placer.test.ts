import { describe, expect, test } from '@jest/globals';
import type { Affinity } from '../../kube/index.ts';
import { nodePool } from '../devices/testing/a-gpu-claim.ts';
import { awayFromWeb, besideWeb, claiming, outcomeIn, planIn, poolSelling } from '../devices/testing/a-gpu-cluster.ts';

const zone = 'topology.kubernetes.io/zone';
const type = 'node.kubernetes.io/instance-type';
const ofType = (name: string) => ({ nodeSelector: { [type]: name } });
const overZones = (app: string) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: { matchLabels: { app } } },
  ],
});
const oneNode = [{ ...nodePool, spec: { ...nodePool.spec, limits: { nodes: '1' } } }];
const sized = { packing: 'cheapest' } as const;

describe('pods with devices on nodes that are there', () => {
  test('when the first node has devices and is not selected › they go to the one that is', () => {
    const nodes = ['a', 'b'].map((name) => ({ name, gpus: 4 }));
    expect(outcomeIn({ pods: claiming('web', 1, { nodeSelector: { disk: 'b' } }), nodes })).toEqual([['b', 1]]);
  });

  test('when they spread over zones › they go to a node of each', () => {
    const nodes = ['a', 'b', 'c'].map((name) => ({ name, gpus: 4, zone: name === 'c' ? 'z2' : 'z1' }));
    expect(outcomeIn({ pods: claiming('web', 2, overZones('web')), nodes })).toEqual([
      ['a', 1],
      ['c', 1],
    ]);
  });
});

describe('pods with devices on planned nodes', () => {
  const four = { name: 'four', gpus: 4 };

  test('they join the node with the fewest pods, of these the oldest', () => {
    const apart = claiming('web', 2, { cpu: '8', affinity: awayFromWeb });
    const sold = [four];
    const joined = ['6', '4', '2'].map((cpu) => claiming(`job-${cpu}`, 1, { cpu }));
    const { plannedNodes } = planIn({ pods: [...apart, ...joined.flat()], sold });
    expect(plannedNodes.map(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual([
      ['web-0', 'job-6-0', 'job-2-0'],
      ['web-1', 'job-4-0'],
    ]);
  });

  test('when the node with the fewest pods has no device left › they join the next', () => {
    const sold = [{ name: 'one', gpus: 1 }, four];
    const pods = [
      ...claiming('web', 1, { cpu: '8', ...ofType('one') }),
      ...claiming('db', 2, { cpu: '4', ...ofType('four') }),
      ...claiming('job', 1),
    ];
    expect(outcomeIn({ pods, sold })).toEqual([
      ['one', 1],
      ['four', 3],
    ]);
  });

  test('when they must share no host with a pod there › they get a node of their own', () => {
    const pods = [...claiming('web', 1, { cpu: '8' }), ...claiming('job', 1, { affinity: awayFromWeb })];
    expect(outcomeIn({ pods, sold: [four] })).toEqual([
      ['four', 1],
      ['four', 1],
    ]);
  });

  test('when they must share a host that has no device left › they have no place, on a new node neither', () => {
    const pods = [...claiming('web', 1, { cpu: '8', ...ofType('one') }), ...claiming('job', 1, { affinity: besideWeb })];
    expect(outcomeIn({ pods, sold: [{ name: 'one', gpus: 1 }, four] })).toEqual([['one', 1]]);
  });

  test('when a planned node lacks devices on the type that a pod prefers › the pod may still have it grow to another', () => {
    const preferred = [{ weight: 100, preference: { matchExpressions: [{ key: type, operator: 'In' as const, values: ['one'] }] } }];
    const affinity: Affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } };
    const pods = [...claiming('web', 1, { cpu: '8' }), ...claiming('job', 1, { affinity })];
    expect(outcomeIn({ pods, sold: [{ name: 'one', gpus: 1 }, four], nodePools: oneNode })).toEqual([['four', 2]]);
  });
});

describe('pods with devices on new nodes', () => {
  test('when the first zone of a spread sells no devices › the node is in the next', () => {
    const sold = [
      { name: 'plain', gpus: 0, pricePerHour: 1, zone: 'z1' },
      { name: 'gpu', gpus: 1, pricePerHour: 5, zone: 'z2' },
    ];
    expect(outcomeIn({ pods: claiming('web', 1, overZones('web')), sold })).toEqual([['gpu', 1]]);
  });

  test('when the cheapest machine with devices is too small › its zone does not decide where the node is', () => {
    const sold = [
      { name: 'small', gpus: 1, cpus: 1, zone: 'z1', pricePerHour: 1 },
      { name: 'large', gpus: 1, cpus: 8, zone: 'z2', pricePerHour: 5 },
    ];
    expect(outcomeIn({ pods: claiming('web', 1, { cpu: '4' }), sold })).toEqual([['large', 1]]);
  });
});

describe('new nodes of the sizes that cost least', () => {
  const [one, four] = [
    { name: 'one', gpus: 1, pricePerHour: 4 },
    { name: 'four', gpus: 4, pricePerHour: 18 },
  ];
  const pods = claiming('web', 5);
  const each = (name: string, ...counts: readonly number[]) => counts.map((count) => [name, count] as const);

  test('when a machine has cores for fewer pods than devices › it counts as one for those', () => {
    const sold = [
      { ...one, cpus: 2, pricePerHour: 1.5 },
      { ...four, cpus: 2, pricePerHour: 4 },
    ];
    expect(outcomeIn({ pods: claiming('web', 4), sold, policy: sized })).toEqual(each('one', 1, 1, 1, 1));
  });

  test('when one larger machine costs the same as two › it is chosen: each node costs something', () => {
    const sold = [
      { ...one, pricePerHour: 1 },
      { name: 'two', gpus: 2, pricePerHour: 2 },
    ];
    expect(outcomeIn({ pods: claiming('web', 2), sold, policy: sized })).toEqual(each('two', 2));
  });

  test('when each node has a price of its own › fewer nodes are chosen where that saves more than they cost', () => {
    const sold = [
      { ...one, pricePerHour: 1 },
      { name: 'two', gpus: 2, pricePerHour: 2.1 },
    ];
    expect(outcomeIn({ pods: claiming('web', 2), sold, policy: sized })).toEqual(each('one', 1, 1));
    expect(outcomeIn({ pods: claiming('web', 2), sold, policy: { ...sized, nodePricePerHour: 0.2 } })).toEqual(each('two', 2));
  });

  test('when a heavier pool sells devices › nodes have the sizes of that pool', () => {
    const nodePools = [poolSelling('heavy', 10, ['four']), poolSelling('light', 1, ['one'])];
    expect(outcomeIn({ pods, sold: [one, four], nodePools, policy: sized })).toEqual(each('four', 4, 1));
  });

  test('when a heavier pool sells none, or refuses the pods › nodes have the sizes of the next', () => {
    const heavy = poolSelling('heavy', 10, ['plain']);
    const taints = [{ key: 'dedicated', effect: 'NoSchedule' as const }];
    const template = { ...heavy.spec.template, spec: { ...heavy.spec.template.spec, taints } };
    for (const first of [heavy, { ...heavy, spec: { ...heavy.spec, template } }]) {
      const nodePools = [first, poolSelling('light', 1, ['one', 'four'])];
      expect(outcomeIn({ pods, sold: [{ name: 'plain', gpus: 0, pricePerHour: 1 }, one, four], nodePools, policy: sized })).toEqual(
        each('one', 1, 1, 1, 1, 1),
      );
    }
  });

  test('when a node that was opened for others would grow by more than a node of their own › they get that', () => {
    const both = [...claiming('db', 1, { cpu: '8', nodeSelector: { 'kubernetes.io/os': 'linux' } }), ...claiming('web', 1)];
    expect(outcomeIn({ pods: both, sold: [one, four], policy: sized })).toEqual(each('one', 1, 1));
    expect(outcomeIn({ pods: both, sold: [one, four], policy: sized, nodePools: oneNode })).toEqual(each('four', 2));
    expect(outcomeIn({ pods: both, sold: [four], policy: sized })).toEqual(each('four', 2));
  });

  test('when that is refused, and the pool allows no node more › a node grows after all', () => {
    const limited = [{ ...nodePool, spec: { ...nodePool.spec, limits: { nodes: '2' } } }];
    const three = [...claiming('db', 1, { cpu: '8', nodeSelector: { 'kubernetes.io/os': 'linux' } }), ...claiming('web', 2)];
    expect(outcomeIn({ pods: three, sold: [one, four], policy: sized, nodePools: limited })).toEqual([
      ['four', 2],
      ['one', 1],
    ]);
  });
});
