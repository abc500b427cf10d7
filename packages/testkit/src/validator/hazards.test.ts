import { defaultSchedulingPolicy, explain, type Pod, simulate } from '@karpenter/core';
import { hashAnnotations } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import {
  aDaemonSet,
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  inZone,
  named,
  ownedBy,
  pods,
  preferring,
  requesting,
  requiringAnyOf,
  runningOn,
  tolerating,
  withNodeSelector,
} from '../builders/index.ts';
import { validatedPlan } from './testing/validated-plan.ts';
import { frozen } from './testing/frozen.ts';

const GIB = 1024 ** 3;
const zoneKey = 'topology.kubernetes.io/zone';
const termOfZones = (...values: readonly string[]) => ({ matchExpressions: [{ key: zoneKey, operator: 'In' as const, values }] });

describe('hazards of the original that are not copied', () => {
  test('limits.nodes counts down within one batch', () => {
    const snapshot = aSnapshot({
      pending: pods(5, requesting({ cpuMillis: 1500 })),
      nodePools: [aNodePool({ limits: { nodes: '2' } })],
      instanceTypes: [anInstanceType({ cpus: 2 })],
    });
    const plan = validatedPlan(snapshot);
    expect(plan.plannedNodes).toHaveLength(2);
    expect(plan.rejections).toHaveLength(3);
    expect(plan.rejections.map(explain)[0]).toContain('its limit of 2 nodes is reached');
  });

  test('a daemon pod that is checked for one template is the same for the next', () => {
    const daemon = frozen(
      aDaemonSet('logs', requesting({ cpuMillis: 500 }), requiringAnyOf(termOfZones('elsewhere'), termOfZones('test-zone-1'))),
    );
    const dedicated = { key: 'dedicated', effect: 'NoSchedule' } as const;
    const snapshot = aSnapshot({
      pending: [aPod(requesting({ cpuMillis: 1600 }))],
      nodePools: [aNodePool({ name: 'a', weight: 50, taints: [dedicated] }), aNodePool({ name: 'b' })],
      instanceTypes: [anInstanceType({ cpus: 2, zones: ['test-zone-1'] }), anInstanceType({ cpus: 4, zones: ['test-zone-1'] })],
      daemonSets: [daemon],
    });
    const [planned] = validatedPlan(snapshot).plannedNodes;
    expect(planned?.cheapest.instanceType.name).toBe('type-4');
    expect(planned?.requests['cpu']).toBe(2100);
  });

  test('on an existing node every required term of a DaemonSet is tried, not only the first', () => {
    const node = aNode({ name: 'n', allocatable: { cpu: 2000, memory: 8 * GIB, pods: 110 }, zone: 'test-zone-1' });
    const daemon = aDaemonSet('logs', requesting({ cpuMillis: 500 }), requiringAnyOf(termOfZones('elsewhere'), termOfZones('test-zone-1')));
    const plan = validatedPlan(aSnapshot({ pending: [aPod(requesting({ cpuMillis: 1600 }))], nodes: [node], daemonSets: [daemon] }));
    expect(plan.placements.size).toBe(0);
    expect(plan.plannedNodes).toHaveLength(1);
  });

  test('daemon overhead is the least over the groups that are left, whichever comes first', () => {
    const types = [anInstanceType({ name: 'bare', cpus: 4, arch: 'arm64' }), anInstanceType({ name: 'loaded', cpus: 4 })];
    const daemonSets = [
      aDaemonSet(
        'amd64-only',
        requesting({ cpuMillis: 500 }),
        requiringAnyOf({ matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] }),
      ),
    ];
    for (const instanceTypes of [types, types.toReversed()]) {
      const [planned] = validatedPlan(
        aSnapshot({ pending: [aPod(requesting({ cpuMillis: 1000 }))], instanceTypes, daemonSets }),
      ).plannedNodes;
      expect(planned?.requests['cpu']).toBe(1000);
    }
  });

  test('groups of types with the same daemons do not decide the order of the types', () => {
    const onArm = requiringAnyOf({ matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] });
    const types = ['c', 'a', 'd', 'b'].map((name, index) =>
      anInstanceType({ name, cpus: 4, pricePerHour: 0.2, arch: index % 2 === 0 ? 'arm64' : 'amd64' }),
    );
    const daemonSets = [aDaemonSet('arm-only', requesting({ cpuMillis: 100 }), onArm), aDaemonSet('logs', requesting({ cpuMillis: 50 }))];
    for (const instanceTypes of [types, types.toReversed()]) {
      const [planned] = validatedPlan(
        aSnapshot({ pending: [aPod(requesting({ cpuMillis: 1000 }))], instanceTypes, daemonSets }),
      ).plannedNodes;
      expect(planned?.instanceTypes.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    }
  });

  test('a pod without a phase, as the virtual pods of a buffer have none, goes where any other pending pod goes', () => {
    const bare: Pod = { metadata: aPod(named('virtual')).metadata, spec: aPod().spec };
    expect([...validatedPlan(aSnapshot({ pending: [frozen(bare)], nodes: [aNode({ name: 'free' })] })).placements.keys()]).toEqual([
      'free',
    ]);
  });

  test('equal prices are decided by name, not by the order of a map', () => {
    const types = ['c', 'a', 'b'].map((name) => anInstanceType({ name, cpus: 4, pricePerHour: 0.2 }));
    const [planned] = validatedPlan(aSnapshot({ pending: [aPod(requesting({ cpuMillis: 1000 }))], instanceTypes: types })).plannedNodes;
    expect(planned?.instanceTypes.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('preferred terms are not sorted in place, nor anything else of the snapshot changed', () => {
    const pod = aPod(requesting({ cpuMillis: 500 }), preferring(1, termOfZones('test-zone-1')), preferring(50, termOfZones('test-zone-2')));
    const snapshot = aSnapshot({ pending: [frozen(pod)], nodes: [frozen(aNode({ taints: [{ key: 'x', effect: 'NoSchedule' }] }))] });
    const [planned] = validatedPlan(snapshot).plannedNodes;
    expect(planned?.cheapest.offering.zone).toBe('test-zone-2');
  });
});

describe('what a plan keeps', () => {
  test('a preference is tried with every required alternative before it is relaxed', () => {
    const pod = aPod(requiringAnyOf(termOfZones('test-zone-1'), termOfZones('test-zone-2')), preferring(1, termOfZones('test-zone-2')));
    expect(validatedPlan(aSnapshot({ pending: [pod] })).plannedNodes[0]?.cheapest.offering.zone).toBe('test-zone-2');
  });

  test('zone and capacity type must be on sale together, not each somewhere', () => {
    const type = anInstanceType({
      offerings: [
        { zone: 'test-zone-1', capacityType: 'spot', pricePerHour: 1 },
        { zone: 'test-zone-2', capacityType: 'on-demand', pricePerHour: 2 },
      ],
    });
    const nodePools = [aNodePool({ requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }] })];
    const plan = validatedPlan(aSnapshot({ pending: [aPod(inZone('test-zone-2'))], instanceTypes: [type], nodePools }));
    expect(plan.plannedNodes).toEqual([]);
    expect(plan.rejections.map(explain)[0]).toContain('not available in the zones and capacity types');
  });

  test('the heavier pool comes first, and the lighter one helps where it cannot', () => {
    const heavy = aNodePool({ name: 'heavy', weight: 10, requirements: [{ key: zoneKey, operator: 'In', values: ['test-zone-1'] }] });
    const snapshot = aSnapshot({
      pending: [aPod(named('any')), aPod(named('two'), inZone('test-zone-2'))],
      nodePools: [aNodePool({ name: 'light' }), heavy],
    });
    const pools = validatedPlan(snapshot).plannedNodes.map(({ nodePoolName, pods: own }) => [
      nodePoolName,
      own.map(({ metadata }) => metadata.name),
    ]);
    expect(pools).toContainEqual(['heavy', ['any']]);
    expect(pools).toContainEqual(['light', ['two']]);
  });

  test('minValues are met by what a claim names, or the pool cannot help', () => {
    const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'Exists' as const, minValues: 3 }];
    const pending = [aPod(requesting({ cpuMillis: 5000 }))];
    const strict = aSnapshot({ pending, nodePools: [aNodePool({ requirements })] });
    expect(validatedPlan(strict).rejections.map(explain)[0]).toContain(
      'want 3 values of node.kubernetes.io/instance-type among the instance types, 2 are left',
    );
    expect(validatedPlan(strict, { ...defaultSchedulingPolicy, minValues: 'BestEffort' }).plannedNodes).toHaveLength(1);
    const many = validatedPlan(
      { ...strict, pendingPods: [aPod(requesting({ cpuMillis: 3000 }))] },
      { ...defaultSchedulingPolicy, maxInstanceTypes: 1 },
    );
    expect(many.plannedNodes[0]?.instanceTypes).toHaveLength(3);
  });

  test('pods of a node marked for deletion are placed again, DaemonSet pods and pods that ask to be left alone are not', () => {
    const load = [
      aPod(named('web'), runningOn('old'), requesting({ cpuMillis: 500 })),
      aPod(named('logs'), runningOn('old'), ownedBy('DaemonSet')),
    ];
    const plan = validatedPlan(
      aSnapshot({ nodes: [aNode({ name: 'old', isMarkedForDeletion: true, pods: load }), aNode({ name: 'new' })] }),
    );
    expect([...plan.placements].map(([node, own]) => [node, own.map(({ metadata }) => metadata.name)])).toEqual([['new', ['web']]]);
  });

  test('an initialized node is filled before one that is still on its way', () => {
    const nodes = [aNode({ name: 'a-coming', isInitialized: false }), aNode({ name: 'b-ready' })];
    expect([...validatedPlan(aSnapshot({ pending: [aPod()], nodes })).placements.keys()]).toEqual(['b-ready']);
  });

  test('soft taints are respected while there is another way, and borne when there is none', () => {
    const soft = { key: 'reluctant', effect: 'PreferNoSchedule' } as const;
    const reluctant = aNodePool({ name: 'reluctant', weight: 90, taints: [soft] });
    const both = validatedPlan(aSnapshot({ pending: [aPod()], nodePools: [reluctant, aNodePool({ name: 'willing' })] }));
    expect(both.plannedNodes[0]?.nodePoolName).toBe('willing');
    expect(validatedPlan(aSnapshot({ pending: [aPod()], nodePools: [reluctant] })).plannedNodes[0]?.nodePoolName).toBe('reluctant');
  });
});

test('a pod that claims a device is refused, with the field: it is never placed as if it had not asked', () => {
  const bare = aPod();
  const pod: Pod = { ...bare, spec: { ...bare.spec, resourceClaims: [{ name: 'gpu' }] } };
  const [rejection] = validatedPlan(aSnapshot({ pending: [pod] })).rejections;
  expect(rejection?.reason).toMatchObject({ kind: 'invalid-pod', field: 'spec.resourceClaims', value: 'gpu' });
});

test('a malformed quantity is named, and the other pods still get a place', () => {
  const broken: Pod = { ...aPod(named('broken')), spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1x' } } }] } };
  const plan = simulate(aSnapshot({ pending: [broken, aPod(named('fine'))] }), defaultSchedulingPolicy, () => false);
  expect(plan.plannedNodes.flatMap(({ pods: placed }) => placed.map(({ metadata }) => metadata.name))).toEqual(['fine']);
  expect(plan.rejections.map(explain)[0]).toContain('resources.requests.cpu is "1x": is no quantity');
});

describe('a rejection can be read', () => {
  test.each([
    [
      'a taint',
      aNodePool({ taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] }),
      aPod(tolerating({ key: 'other', operator: 'Exists' })),
      'its taint dedicated=gpu:NoSchedule is not tolerated',
    ],
    [
      'a label that the pool does not have',
      aNodePool(),
      aPod(requiringAnyOf({ matchExpressions: [{ key: 'team', operator: 'In', values: ['red'] }] })),
      'the pod wants team In [red], the pool offers no such label',
    ],
    ['a pod that is too large', aNodePool(), aPod(requesting({ cpuMillis: 500_000 })), 'none of 4 instance types fit the cpu'],
    [
      'a resource that nothing has',
      aNodePool(),
      aPod(requesting({ 'example.com/unicorn': 1 })),
      'none of 4 instance types fit the example.com/unicorn',
    ],
  ])('%s', (...[, nodePool, pod, sentence]) => {
    const [rejection] = validatedPlan(aSnapshot({ pending: [pod], nodePools: [nodePool] })).rejections;
    expect(rejection && explain(rejection)).toContain(sentence);
  });
});

test('one node that might become large does not use up a limit that two small ones keep', () => {
  const snapshot = aSnapshot({
    pending: [aPod(inZone('test-zone-1'), requesting({ cpuMillis: 1500 })), aPod(inZone('test-zone-2'), requesting({ cpuMillis: 1500 }))],
    nodePools: [aNodePool({ limits: { cpu: '16' } })],
  });
  const plan = validatedPlan(snapshot);
  expect(plan.rejections).toEqual([]);
  expect(plan.plannedNodes).toHaveLength(2);
});

test('a planned node says by which template it was planned, so that an edit before it is created makes it drift', () => {
  const pool = aNodePool();
  const [planned] = validatedPlan(aSnapshot({ pending: [aPod()], nodePools: [pool] })).plannedNodes;
  expect(planned?.claim.annotations).toMatchObject(hashAnnotations(pool));
});

test('a pod that will not have a label does not make the label for one that insists on it', () => {
  const notRed = aPod(
    requesting({ memoryBytes: 4 * 1024 ** 3 }),
    requiringAnyOf({ matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['red'] }] }),
  );
  const blue = aPod(requiringAnyOf({ matchExpressions: [{ key: 'team', operator: 'In', values: ['blue'] }] }));
  expect(validatedPlan(aSnapshot({ pending: [notRed, blue] })).rejections.map(({ pod }) => pod)).toEqual([blue]);
});

test('one pod that insists on on-demand does not make the nodes of the others dear', () => {
  const onDemand = aPod(requesting({ cpuMillis: 100 }), withNodeSelector({ 'karpenter.sh/capacity-type': 'on-demand' }));
  const anywhere = aPod(requesting({ cpuMillis: 1900 }));
  const inZoneOne = (capacityType: string, pricePerHour: number) => ({ zone: 'test-zone-1', capacityType, pricePerHour });
  const instanceTypes = [
    anInstanceType({ name: 'small', cpus: 1, offerings: [inZoneOne('on-demand', 0.125)] }),
    anInstanceType({ name: 'large', cpus: 8, offerings: [inZoneOne('spot', 0.125), inZoneOne('on-demand', 0.875)] }),
  ];
  expect(validatedPlan(aSnapshot({ pending: [onDemand, anywhere], instanceTypes })).pricePerHour).toBe(0.25);
});
