import { defaultSchedulingPolicy, explain, type Plan, type Pod, simulate } from '@karpenter/core';
import type { DeviceView } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNode, anInstanceType, aSnapshot, runningOn } from '../../builders/index.ts';
import { validatePlan } from '../validate-plan.ts';
import { allocated, claimOf, devicesOf, DRIVER, gpus, request, sliceOf, typeWith, usingClaims } from './testing/gpu-cluster.ts';
import { validatedPlan } from '../testing/validated-plan.ts';

const RESOURCE = 'example.com/gpu';

/** Type → how many pods each of its nodes takes. */
const nodes = ({ plannedNodes }: Plan): readonly string[] =>
  plannedNodes.map(({ instanceTypes, pods }) => `${instanceTypes.map(({ name }) => name).join(' or ')}: ${pods.length}`).sort();

const zoneSelector = (zone: string): object => ({
  nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }] }] },
});

describe('planned nodes bring the devices that pods claim', () => {
  test('when only some types have enough devices › the node is narrowed to them', () => {
    const claim = claimOf('a', [request('r', { count: 2 })]);
    const instanceTypes = [typeWith('one', gpus(1)), typeWith('two', gpus(2)), typeWith('four', gpus(4)), anInstanceType({ name: 'none' })];
    const plan = validatedPlan(aSnapshot({ instanceTypes, pending: [usingClaims(claim)], devices: devicesOf([claim]) }));
    expect(nodes(plan)).toEqual(['four or two: 1']);
    expect(plan.plannedNodes[0]?.claim.annotations['karpenter.sh/requested-dra-drivers']).toBe(DRIVER);
  });

  test('when a node has devices for several pods › they share it, and the next one gets another', () => {
    const claims = ['a', 'b', 'c'].map((name) => claimOf(name, [request('r')]));
    const plan = validatedPlan(
      aSnapshot({
        instanceTypes: [typeWith('two', gpus(2))],
        pending: claims.map((claim) => usingClaims(claim)),
        devices: devicesOf(claims),
      }),
    );
    expect(nodes(plan)).toEqual(['two: 1', 'two: 2']);
  });

  test('when GPUs come in NVLink pairs › a claim for a pair gets one pair, and four pods fill eight GPUs', () => {
    const pairs = gpus(8, (index) => ({ attributes: { nvlink: { int: Math.floor(index / 2) } } }));
    const claims = ['a', 'b', 'c', 'd', 'e'].map((name) =>
      claimOf(name, [request('r', { count: 2 })], [{ matchAttribute: `${DRIVER}/nvlink` }]),
    );
    const plan = validatedPlan(
      aSnapshot({
        instanceTypes: [typeWith('eight', pairs)],
        pending: claims.map((claim) => usingClaims(claim)),
        devices: devicesOf(claims),
      }),
    );
    expect(nodes(plan)).toEqual(['eight: 1', 'eight: 4']);
  });

  test('when the common attribute is known only on the node › a binding stands for it', () => {
    const claim = claimOf('a', [request('r', { count: 2 })], [{ matchAttribute: 'pci.example.com/root' }]);
    const bound = {
      attribute: 'pci.example.com/root',
      devices: ['gpu-1', 'gpu-2'].map((device) => ({ driver: DRIVER, pool: 'gpus', device })),
    };
    const instanceTypes = [typeWith('bound', gpus(3), { attributeBindings: [bound] }), typeWith('loose', gpus(3))];
    expect(nodes(validatedPlan(aSnapshot({ instanceTypes, pending: [usingClaims(claim)], devices: devicesOf([claim]) })))).toEqual([
      'bound: 1',
    ]);
  });

  test('when a GPU is split into partitions › they take its counters', () => {
    const slots = (amount: number): object => ({ consumesCounters: [{ counterSet: 'gpu-0', counters: { slots: { value: amount } } }] });
    const partitions = [...gpus(4, () => slots(2)), { name: 'whole', ...slots(7) }];
    const counters = { driver: DRIVER, pool: 'gpus', sharedCounters: [{ name: 'gpu-0', counters: { slots: { value: '7' } } }] };
    const type = typeWith('mig', partitions, { resourceSliceTemplates: [counters, { driver: DRIVER, pool: 'gpus', devices: partitions }] });
    const claims = ['a', 'b', 'c', 'd'].map((name) => claimOf(name, [request('r')]));
    const plan = validatedPlan(
      aSnapshot({ instanceTypes: [type], pending: claims.map((claim) => usingClaims(claim)), devices: devicesOf(claims) }),
    );
    expect(nodes(plan)).toEqual(['mig: 1', 'mig: 3']);
  });

  test('when several pods use one claim › they go on the node that has its device', () => {
    const claim = claimOf('a', [request('r')]);
    const pending = [usingClaims(claim), usingClaims(claim), usingClaims(claim)];
    expect(nodes(validatedPlan(aSnapshot({ instanceTypes: [typeWith('one', gpus(1))], pending, devices: devicesOf([claim]) })))).toEqual([
      'one: 3',
    ]);
  });

  test('when a device is reached from one zone only › the node is planned there', () => {
    const claim = claimOf('a', [request('r')]);
    const slices = [sliceOf(gpus(1), zoneSelector('test-zone-2'))];
    const plan = validatedPlan(aSnapshot({ pending: [usingClaims(claim)], devices: devicesOf([claim], slices) }));
    expect(plan.plannedNodes.map(({ cheapest }) => cheapest.offering.zone)).toEqual(['test-zone-2']);
    expect(plan.plannedNodes[0]?.claim.annotations).not.toHaveProperty(['karpenter.sh/requested-dra-drivers']);
  });

  test('when two claims need devices of two zones › the pod has no place', () => {
    const claims = [claimOf('a', [request('r')]), claimOf('b', [request('r')])];
    const slices = ['test-zone-1', 'test-zone-2'].map((zone) => sliceOf(gpus(1), { name: zone, ...zoneSelector(zone) }));
    const { rejections } = validatedPlan(aSnapshot({ pending: [usingClaims(...claims)], devices: devicesOf(claims, slices) }));
    expect(rejections.map(explain)).toEqual([
      expect.stringContaining(
        'of ResourceClaim default/b wants a device of DeviceClass gpu: of 2, 1 is for the requests before it, 1 is out of reach, 0 left',
      ),
    ]);
  });

  test('when a pod without claims comes to such a node › it does not take its types away', () => {
    const claim = claimOf('a', [request('r')]);
    const instanceTypes = [typeWith('gpu', gpus(1), { cpus: 2 }), anInstanceType({ name: 'plain', cpus: 16 })];
    const plain = { ...usingClaims(), spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } };
    const plan = validatedPlan(aSnapshot({ instanceTypes, pending: [usingClaims(claim), plain], devices: devicesOf([claim]) }));
    expect(plan.rejections).toEqual([]);
    expect(nodes(plan)).toContain('gpu: 2');
  });
});

describe('pods with claims that prefer some nodes', () => {
  const preferring = (pod: Pod, ...types: readonly string[]): Pod => {
    const preferredDuringSchedulingIgnoredDuringExecution = types.map((type, index) => ({
      weight: 100 - index,
      preference: { matchExpressions: [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: [type] }] },
    }));
    return { ...pod, spec: { ...pod.spec, affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution } } } };
  };
  const claims = ['a', 'b', 'c'].map((name) => claimOf(name, [request('r')]));
  const instanceTypes = [
    typeWith('small', gpus(1), { cpus: 2 }),
    typeWith('large', gpus(2), { cpus: 16 }),
    anInstanceType({ name: 'none' }),
  ];
  const plan = (preferences: readonly string[], policy = defaultSchedulingPolicy): Plan => {
    const pending = claims.map((claim) => preferring(usingClaims(claim), ...preferences));
    const snapshot = aSnapshot({ instanceTypes, pending, devices: devicesOf(claims) });
    return validatedPlan(snapshot, policy);
  };
  const relaxed = ({ relaxed: all = [] }: Plan): readonly number[] => all.flatMap((each) => each.relaxed.map(({ index }) => index));

  test('when a dearer type is preferred and has the devices › they get it, as many as fit on each', () => {
    expect(nodes(plan(['large']))).toEqual(['large: 1', 'large: 2']);
    expect(relaxed(plan(['large']))).toEqual([]);
  });

  test('when the preferred type has no devices › they go where the devices are, and the plan names the preference', () => {
    expect(nodes(plan(['none']))).toEqual(nodes(plan([])));
    expect(relaxed(plan(['none']))).toEqual([0, 0, 0]);
  });

  test('when only the lighter of two preferences can be met › they get that', () => {
    expect(nodes(plan(['none', 'large']))).toEqual(['large: 1', 'large: 2']);
    expect(relaxed(plan(['none', 'large']))).toEqual([0, 0, 0]);
  });

  test('when two preferences exclude each other › the heavier counts', () => {
    expect(nodes(plan(['large', 'small']))).toEqual(['large: 1', 'large: 2']);
  });

  test('when preferences are ignored › they do not count', () => {
    expect(nodes(plan(['large'], { ...defaultSchedulingPolicy, preferences: 'Ignore' }))).toEqual(nodes(plan([])));
  });

  test('when preferences are weighed › they count as far as they are worth their price, and the plan names the others with what they cost', () => {
    const weighing = { ...defaultSchedulingPolicy, preferences: 'Weigh' } as const;
    const dear = plan(['large'], { ...weighing, preferencePricePerHour: 0.0001 });
    expect(nodes(dear)).toEqual(nodes(plan([])));
    expect(dear.relaxed?.flatMap((each) => each.relaxed.map(({ costPerHour }) => (costPerHour ?? 0) > 0))).toContain(true);
    expect(nodes(plan(['large'], { ...weighing, preferencePricePerHour: 1000 }))).toEqual(nodes(plan(['large'])));
    expect(relaxed(plan(['none'], { ...weighing, preferencePricePerHour: 1000 }))).toEqual([0, 0, 0]);
  });

  test('when pods prefer to be in several zones › planned nodes are', () => {
    const labels = { app: 'trainer' };
    const pending = claims.slice(0, 2).map((claim) => {
      const pod = usingClaims(claim);
      const spread = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' as const };
      return {
        ...pod,
        metadata: { ...pod.metadata, labels },
        spec: { ...pod.spec, topologySpreadConstraints: [{ ...spread, labelSelector: { matchLabels: labels } }] },
      };
    });
    const found = validatedPlan(aSnapshot({ instanceTypes: [typeWith('two', gpus(2))], pending, devices: devicesOf(claims) }));
    expect(new Set(found.plannedNodes.map(({ cheapest }) => cheapest.offering.zone)).size).toBe(2);
  });
});

describe('devices of nodes that exist', () => {
  const claim = claimOf('a', [request('r')]);
  const local = sliceOf(gpus(1), { nodeName: 'here' });

  test('when a node has a free device › the pod goes there', () => {
    const plan = validatedPlan(
      aSnapshot({
        nodes: [aNode({ name: 'here' }), aNode({ name: 'other' })],
        pending: [usingClaims(claim)],
        devices: devicesOf([claim], [local]),
      }),
    );
    expect([...plan.placements.keys()]).toEqual(['here']);
  });

  test('when the device is in use › it does not', () => {
    const user = { ...usingClaims(claimOf('held', [request('r')])) };
    const held = allocated(claimOf('held', [request('r')]), ['gpu-0'], [user]);
    const plan = validatedPlan(
      aSnapshot({
        nodes: [aNode({ name: 'here', pods: [runningOn('here')(user)] })],
        instanceTypes: [typeWith('one', gpus(1))],
        pending: [usingClaims(claim)],
        devices: devicesOf([claim, held], [local]),
      }),
    );
    expect([...plan.placements.keys()]).toEqual([]);
    expect(nodes(plan)).toEqual(['one: 1']);
  });

  test('when the claim has its device already › the pod goes where that is', () => {
    const held = allocated(claim, ['gpu-0'], []);
    const pod = usingClaims(held);
    const plan = validatedPlan(
      aSnapshot({ nodes: [aNode({ name: 'before' }), aNode({ name: 'here' })], pending: [pod], devices: devicesOf([held], [local]) }),
    );
    expect([...plan.placements.keys()]).toEqual(['here']);
  });

  test('when the node that has the device goes › its pod gets a planned node with another', () => {
    const pod = runningOn('here')(usingClaims(claim));
    const held = allocated(claim, ['gpu-0'], [pod]);
    const snapshot = aSnapshot({
      nodes: [aNode({ name: 'here', pods: [pod] })],
      instanceTypes: [typeWith('one', gpus(1)), anInstanceType({ name: 'plain' })],
      devices: devicesOf([held], [local]),
    });
    const plan = simulate(snapshot, { ...defaultSchedulingPolicy, without: new Set(['here']) });
    expect(validatePlan(snapshot, { ...defaultSchedulingPolicy, without: new Set(['here']) }, plan)).toEqual([]);
    expect(nodes(plan)).toEqual(['one: 1']);
  });
});

describe('why a pod with claims has no place', () => {
  const whyNot = (
    claim: ReturnType<typeof claimOf>,
    types = [
      typeWith(
        'gpu',
        gpus(2, () => ({ attributes: { model: { string: 'T4' } } })),
      ),
    ],
  ): string =>
    validatedPlan(aSnapshot({ instanceTypes: types, pending: [usingClaims(claim)], devices: devicesOf([claim]) }))
      .rejections.map(explain)
      .join();

  test.each([
    [
      'more devices than any type has',
      request('r', { count: 3 }),
      'request r of ResourceClaim default/a wants 3 devices of DeviceClass gpu: of 2, 2 left',
    ],
    [
      'another model',
      request('r', { selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].model == "A100"` } }] }),
      `of 2, 2 are not selected by device.attributes["${DRIVER}"].model == "A100", 0 left`,
    ],
    [
      'an attribute that is missing',
      request('r', { selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].serial == 1` } }] }),
      'serial == 1 (no such key: serial)',
    ],
    ['a capacity', request('r', { capacity: { requests: { memory: '1Gi' } } }), '2 are short of the capacity'],
    ['a class that does not exist', request('r', { deviceClassName: 'tpu' }), 'deviceClassName is "tpu": there is no such DeviceClass'],
  ])('when it asks for %s › the request and the check are named', (_, asked, expected) => {
    expect(whyNot(claimOf('a', [asked]))).toContain(expected);
  });

  test('when the claim does not exist › that is named', () => {
    const { rejections } = simulate(aSnapshot({ pending: [usingClaims(claimOf('late', []))], devices: devicesOf([]) }));
    expect(rejections.map(explain)).toEqual([expect.stringContaining('there is no such ResourceClaim yet')]);
  });
});

test('when an instance type describes its devices badly › it is left out, with the field named', () => {
  const broken = typeWith('broken', [{ name: 'gpu-0', capacity: { memory: {} as { value: string } } }]);
  const claim = claimOf('a', [request('r')]);
  const plan = validatedPlan(
    aSnapshot({ instanceTypes: [broken, typeWith('one', gpus(1))], pending: [usingClaims(claim)], devices: devicesOf([claim]) }),
  );
  expect(nodes(plan)).toEqual(['one: 1']);
  expect(plan.leftOut?.map(({ problem }) => problem.field)).toEqual([
    'dynamicResources.resourceSliceTemplates[0].devices[0].capacity.memory.value',
  ]);
});

test('the validator names a plan that places pods without their devices', () => {
  const claims = [claimOf('a', [request('r')]), claimOf('b', [request('r')])];
  const snapshot = aSnapshot({
    instanceTypes: [typeWith('one', gpus(1))],
    pending: claims.map((claim) => usingClaims(claim)),
    devices: devicesOf(claims),
  });
  const plan = simulate(snapshot);
  const [first] = plan.plannedNodes;
  if (first === undefined) throw new Error('A node is planned');
  const crowded = { ...plan, plannedNodes: [{ ...first, pods: snapshot.pendingPods }], pricePerHour: first.cheapest.offering.pricePerHour };
  expect(validatePlan(snapshot, defaultSchedulingPolicy, crowded).map(({ rule }) => rule)).toContain('devices');
});

describe('pods that request the extended resource of a class', () => {
  const requesting = (count: number): Pod => {
    const pod = usingClaims();
    const resources = { requests: { cpu: '100m', [RESOURCE]: String(count) }, limits: { [RESOURCE]: String(count) } };
    return { ...pod, spec: { containers: [{ name: 'main', resources }] } };
  };
  const view = (slices: Parameters<typeof devicesOf>[1] = []): DeviceView => {
    const { classes, ...rest } = devicesOf([], slices);
    const named = [...classes].map(
      ([name, { spec, metadata }]) => [name, { metadata, spec: { ...spec, extendedResourceName: RESOURCE } }] as const,
    );
    return { ...rest, classes: new Map(named) };
  };

  test('get a node with the devices, which need not have the resource', () => {
    const instanceTypes = [typeWith('two', gpus(2)), anInstanceType({ name: 'none' })];
    expect(
      nodes(validatedPlan(aSnapshot({ instanceTypes, pending: [requesting(1), requesting(1), requesting(2)], devices: view() }))),
    ).toEqual(['two: 1', 'two: 2']);
  });

  test('go to the node whose devices are free, and no further', () => {
    const slices = [sliceOf(gpus(2), { name: 'here', nodeName: 'here' })];
    const plan = validatedPlan(
      aSnapshot({ nodes: [aNode({ name: 'here' })], pending: [requesting(2), requesting(1)], devices: view(slices) }),
    );
    expect([...plan.placements.values()].map((pods) => pods.length)).toEqual([1]);
    expect(plan.rejections).toHaveLength(1);
  });

  test('when the plan counts fewer devices than they request › the validator objects', () => {
    const instanceTypes = [typeWith('one', gpus(1))];
    const [modest, greedy] = [requesting(1), requesting(2)];
    const snapshot = aSnapshot({ instanceTypes, pending: [modest], devices: view() });
    const plan = simulate(snapshot);
    const spec = { ...modest.spec, containers: greedy.spec.containers };
    const [node] = plan.plannedNodes;
    if (node === undefined) throw new Error('it has a node');
    const wrong = { ...plan, plannedNodes: [{ ...node, pods: [{ ...modest, spec }] }] };
    expect(
      validatePlan({ ...snapshot, pendingPods: [{ ...modest, spec }] }, defaultSchedulingPolicy, wrong).map(({ rule }) => rule),
    ).toContain('devices');
  });
});
