import { defaultSchedulingPolicy, explain, type Plan, type Pod } from '@karpenter/core';
import { createWhatIf, type NodeView, type PersistentVolumeClaim, type StorageView } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import {
  aClaim,
  aDaemonSet,
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  aStorage,
  aStorageClass,
  aVolume,
  DISK_DRIVER,
  inZone,
  named,
  pods,
  requesting,
  runningOn,
  withClaims,
  withEphemeralVolume,
  withHostPort,
  withSidecarPort,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { validatedPlan, zonesOfPlan } from './testing/validated-plan.ts';

describe('two pods share a node only while their host ports do not conflict', () => {
  test.each<[string, PodTrait, PodTrait, number]>([
    ['the same port', withHostPort(80), withHostPort(80), 2],
    ['another port', withHostPort(80), withHostPort(81), 1],
    ['another protocol', withHostPort(80), withHostPort(80, { protocol: 'UDP' }), 1],
    ['the same address', withHostPort(80, { hostIP: '10.0.0.1' }), withHostPort(80, { hostIP: '10.0.0.1' }), 2],
    ['another address', withHostPort(80, { hostIP: '10.0.0.1' }), withHostPort(80, { hostIP: '10.0.0.2' }), 1],
    ['one of them on every address', withHostPort(80, { hostIP: '10.0.0.1' }), withHostPort(80, { hostIP: '0.0.0.0' }), 2],
    ['a sidecar, which the original forgets', withHostPort(80), withSidecarPort(80), 2],
  ])('%s', (...[, first, second, nodes]) => {
    expect(validatedPlan(aSnapshot({ pending: [aPod(first), aPod(second)] })).plannedNodes).toHaveLength(nodes);
  });

  test('a port that a pod of an existing node has is taken', () => {
    const node = aNode({ name: 'a', pods: [aPod(withHostPort(80), runningOn('a'))] });
    expect(validatedPlan(aSnapshot({ pending: [aPod(withHostPort(80))], nodes: [node] })).placements.size).toBe(0);
  });

  test('a port that a daemon pod will have is taken on every new node', () => {
    const [rejection] = validatedPlan(
      aSnapshot({ pending: [aPod(withHostPort(80))], daemonSets: [aDaemonSet('ingress', withHostPort(80))] }),
    ).rejections;
    expect(rejection && explain(rejection)).toContain('host port 80/TCP');
  });

  test('a node that is thought away frees the ports of its pods', () => {
    const nodes = ['a', 'b'].map((name) => aNode({ name, pods: name === 'a' ? [aPod(withHostPort(80), runningOn(name))] : [] }));
    const plan = createWhatIf(aSnapshot({ nodes }), defaultSchedulingPolicy).ask(new Set(['a']));
    expect([...plan.placements.keys()]).toEqual(['b']);
  });
});

const volumes = [aVolume('one', { zones: ['test-zone-1'] }), aVolume('two', { zones: ['test-zone-2'] })];
const classes = [aStorageClass('any'), aStorageClass('zone-3', { zones: ['test-zone-3'] })];
const storageOf = (...claims: readonly PersistentVolumeClaim[]): StorageView => aStorage({ claims, volumes, classes });

describe('a pod goes where its volumes are', () => {
  test.each<[string, PersistentVolumeClaim, string]>([
    ['a volume in zone 2', aClaim('data', { volumeName: 'two' }), 'test-zone-2'],
    ['a claim that waits for its first consumer in zone 3', aClaim('data', { storageClassName: 'zone-3' }), 'test-zone-3'],
  ])('%s', (_, claim, zone) => {
    expect(zonesOfPlan(validatedPlan(aSnapshot({ pending: [aPod(withClaims('data'))], storage: storageOf(claim) })))).toEqual([zone]);
  });

  test('an ephemeral volume, before its claim is made', () => {
    expect(
      zonesOfPlan(validatedPlan(aSnapshot({ pending: [aPod(withEphemeralVolume('scratch', 'zone-3'))], storage: storageOf() }))),
    ).toEqual(['test-zone-3']);
  });

  test("a node's own disk does not tie the pod to a node that goes", () => {
    const terms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In' as const, values: ['gone'] }] }];
    const local = { metadata: { name: 'local' }, spec: { local: {}, nodeAffinity: { required: { nodeSelectorTerms: terms } } } };
    const storage = aStorage({ claims: [aClaim('data', { volumeName: 'local' })], volumes: [local] });
    expect(validatedPlan(aSnapshot({ pending: [aPod(withClaims('data'))], storage })).plannedNodes).toHaveLength(1);
  });
});

describe('attach limits', () => {
  const claims = ['a', 'b', 'c', 'd'].map((name) => aClaim(name, { storageClassName: 'any' }));
  const storage = storageOf(...claims);
  const each = claims.map(({ metadata: { name } }) => aPod(requesting({ cpuMillis: 10 }), withClaims(name)));
  const limits = { [DISK_DRIVER]: 2 };

  test('hold on existing nodes', () => {
    const nodes = [aNode({ name: 'a', volumeLimits: limits })];
    const plan = validatedPlan(aSnapshot({ pending: each, nodes, storage }));
    expect(plan.placements.get('a')).toHaveLength(2);
  });

  test('count a volume once that pods of an existing node share, whether it is attached already or comes with the first of them', () => {
    const sharing = (count: number, claim: string): readonly Pod[] => pods(count, requesting({ cpuMillis: 10 }), withClaims(claim));
    const own = [aPod(requesting({ cpuMillis: 10 }), withClaims('a'), runningOn('used'))];
    const used = aNode({ name: 'used', volumeLimits: limits, pods: own });
    const placedOn = (nodes: readonly NodeView[], ...pending: readonly Pod[]): readonly (number | undefined)[] => {
      const plan = validatedPlan(aSnapshot({ pending, nodes, storage, nodePools: [] }));
      return [...nodes.map(({ name }) => plan.placements.get(name)?.length), plan.rejections.length];
    };
    expect(placedOn([used], ...sharing(3, 'a'), ...sharing(2, 'b'))).toEqual([5, 0]);
    expect(placedOn([used], ...sharing(2, 'b'), ...sharing(2, 'c'))).toEqual([2, 2]);
    const full = { ...used, volumeLimits: { [DISK_DRIVER]: 1 } };
    expect(placedOn([full], ...sharing(2, 'b'))).toEqual([undefined, 2]);
    const empty = aNode({ name: 'empty', volumeLimits: limits });
    expect(placedOn([empty], ...sharing(3, 'a'), ...sharing(3, 'b'), ...sharing(1, 'c'))).toEqual([6, 1]);
  });

  test('are as they were once a node was thought away, and the same question has the same answer again', () => {
    const on = (name: string, ...claimNames: readonly string[]) =>
      aNode({
        name,
        volumeLimits: limits,
        pods: claimNames.map((claim) => aPod(requesting({ cpuMillis: 10 }), withClaims(claim), runningOn(name))),
      });
    const whatIf = createWhatIf(
      aSnapshot({ nodes: [on('x', 'a', 'b'), on('y', 'b', 'c')], storage, nodePools: [] }),
      defaultSchedulingPolicy,
    );
    const answers = [['x'], ['y'], ['x'], ['x', 'y'], ['y']].map((gone) => {
      const { placements, rejections } = whatIf.ask(new Set(gone));
      return [[...placements].map(([name, moved]) => `${name} ${moved.length}`).join(), rejections.length];
    });
    expect(answers).toEqual([
      ['y 1', 1],
      ['x 1', 1],
      ['y 1', 1],
      ['', 4],
      ['x 1', 1],
    ]);
  });

  test('hold on planned nodes, where the original knows none', () => {
    const instanceTypes = [anInstanceType({ cpus: 8, volumeLimits: limits })];
    expect(validatedPlan(aSnapshot({ pending: each, instanceTypes, storage })).plannedNodes).toHaveLength(2);
  });

  test('count a volume once that several pods of a node share', () => {
    const instanceTypes = [anInstanceType({ cpus: 8, volumeLimits: { [DISK_DRIVER]: 1 } })];
    const pending = pods(5, requesting({ cpuMillis: 10 }), withClaims('a'));
    expect(validatedPlan(aSnapshot({ pending, instanceTypes, storage })).plannedNodes).toHaveLength(1);
  });

  test('count every volume that pods share, and each once, whoever else is on the node', () => {
    const using = (cpuMillis: number, ...claimNames: readonly string[]) => aPod(requesting({ cpuMillis }), withClaims(...claimNames));
    const nodesFor = (volumeLimit: number, ...pending: readonly Pod[]): number => {
      const instanceTypes = [anInstanceType({ cpus: 8, volumeLimits: { [DISK_DRIVER]: volumeLimit } })];
      return validatedPlan(aSnapshot({ pending, instanceTypes, storage })).plannedNodes.length;
    };
    expect(nodesFor(1, using(400, 'a'), using(300, 'a'), using(200, 'b'), using(100, 'b'))).toBe(2);
    expect(nodesFor(1, using(300, 'a'), aPod(requesting({ cpuMillis: 200 })), using(100, 'a'))).toBe(1);
    expect(nodesFor(1, aPod(requesting({ cpuMillis: 400 })), using(300, 'a'), using(100, 'a'))).toBe(1);
    expect(nodesFor(2, using(300, 'a', 'b'), using(200, 'a'), using(100, 'b'))).toBe(1);
  });

  test('do not keep pods that share a volume on one dear node, where two cheap ones hold them', () => {
    const instanceTypes = [
      anInstanceType({ name: 'small', cpus: 2, volumeLimits: { [DISK_DRIVER]: 1 }, pricePerHour: 0.1 }),
      anInstanceType({ name: 'large', cpus: 8, pricePerHour: 2 }),
    ];
    const pending = pods(2, requesting({ cpuMillis: 1500 }), withClaims('a'));
    const plan = validatedPlan(aSnapshot({ pending, instanceTypes, storage }));
    expect(plan.plannedNodes.map(({ cheapest }) => cheapest.instanceType.name)).toEqual(['small', 'small']);
  });

  test('count in-tree Azure disks, which the original forgets', () => {
    const inTree = [1, 2].map((n) => aVolume(`disk-${n}`, { source: { azureDisk: {} } }));
    const own = inTree.map(({ metadata: { name } }) => aClaim(name, { volumeName: name }));
    const instanceTypes = [anInstanceType({ cpus: 8, volumeLimits: { 'disk.csi.azure.com': 1 } })];
    const pending = own.map(({ metadata: { name } }) => aPod(requesting({ cpuMillis: 10 }), withClaims(name)));
    const plan = validatedPlan(aSnapshot({ pending, instanceTypes, storage: aStorage({ claims: own, volumes: inTree }) }));
    expect(plan.plannedNodes).toHaveLength(2);
  });
});

describe('pods that share a volume which is not made yet go to one zone', () => {
  const zone = 'topology.kubernetes.io/zone';
  const storage = storageOf(
    aClaim('a', { storageClassName: 'any' }),
    aClaim('b', { storageClassName: 'any' }),
    aClaim('three', { storageClassName: 'zone-3' }),
  );
  const zones = ['test-zone-1', 'test-zone-2', 'test-zone-3'];
  const instanceTypes = [anInstanceType({ cpus: 2, zones })];
  const users = (...claimNames: readonly string[]) => pods(3, requesting({ cpuMillis: 1500 }), withClaims(...claimNames));
  const distinct = (plan: Plan): readonly string[] => [...new Set(zonesOfPlan(plan))];

  test('on nodes that come up there, whichever machines they are', () => {
    const plan = validatedPlan(aSnapshot({ pending: users('a'), instanceTypes, storage }));
    expect(plan.plannedNodes).toHaveLength(3);
    for (const { claim } of plan.plannedNodes) {
      expect(claim.spec.requirements.find(({ key }) => key === zone)?.values).toEqual(distinct(plan));
    }
  });

  test('the one that some of them cannot leave, whoever comes first', () => {
    const tied = aPod(requesting({ cpuMillis: 100 }), withClaims('a'), inZone('test-zone-2'));
    const plan = validatedPlan(aSnapshot({ pending: [...users('a'), tied], instanceTypes, storage }));
    expect([distinct(plan), plan.rejections]).toEqual([['test-zone-2'], []]);
  });

  test('along a chain of claims to where the last of them can be made', () => {
    const pending = [
      aPod(requesting({ cpuMillis: 1900 }), withClaims('a')),
      aPod(requesting({ cpuMillis: 1800 }), withClaims('a', 'b')),
      aPod(requesting({ cpuMillis: 1700 }), withClaims('b', 'three')),
    ];
    const plan = validatedPlan(aSnapshot({ pending, instanceTypes, storage }));
    expect([distinct(plan), plan.rejections]).toEqual([['test-zone-3'], []]);
  });

  test('where one of them is expected already', () => {
    const coming = aNode({
      name: 'n',
      zone: 'test-zone-3',
      pods: [aPod(named('before'), requesting({ cpuMillis: 7000 }), withClaims('a'))],
    });
    const plan = validatedPlan(aSnapshot({ pending: users('a'), nodes: [coming], instanceTypes, storage }));
    expect([distinct(plan), plan.rejections]).toEqual([['test-zone-3'], []]);
  });

  test('each claim its own, and a volume that is made binds nobody to the zone of others', () => {
    const bound = storageOf(aClaim('a', { volumeName: 'files' }));
    const files = { ...bound, volumes: new Map([['files', aVolume('files', {})]]) };
    const apart = zones.map((each, index) => aPod(named(`p${index}`), requesting({ cpuMillis: 1500 }), withClaims('a'), inZone(each)));
    expect(validatedPlan(aSnapshot({ pending: apart, instanceTypes, storage: files })).rejections).toEqual([]);
    const two = zones.slice(1).map((each, index) => aPod(named(`q${index}`), withClaims(['a', 'b'][index] ?? ''), inZone(each)));
    expect(validatedPlan(aSnapshot({ pending: two, instanceTypes, storage })).rejections).toEqual([]);
  });

  test('and one that cannot go there waits until the volume is made, and its reason says so', () => {
    const pending = zones.slice(1).map((each, index) => aPod(named(`p${index}`), withClaims('a'), inZone(each)));
    const { rejections, plannedNodes } = validatedPlan(aSnapshot({ pending, instanceTypes, storage }));
    expect([plannedNodes.length, rejections.map(explain)]).toEqual([
      1,
      [expect.stringContaining('sharing a volume that is made where its first pod goes over topology.kubernetes.io/zone')],
    ]);
  });

  test('on different nodes all the same: that one node alone may mount it is not asked by kube-scheduler', () => {
    const once = storageOf(aClaim('a', { storageClassName: 'any', accessModes: ['ReadWriteOnce'] }));
    expect(validatedPlan(aSnapshot({ pending: users('a'), instanceTypes, storage: once })).plannedNodes).toHaveLength(3);
  });
});

describe('volumes that are not made on demand, or only where a label says so', () => {
  const byHand = aStorageClass('by-hand', { provisioner: 'kubernetes.io/no-provisioner' });
  const racks = aStorageClass('racks', { allowedTopologies: [{ matchLabelExpressions: [{ key: 'rack', values: ['1'] }] }] });
  const using = (storageClassName: string): StorageView =>
    aStorage({ claims: [aClaim('data', { storageClassName })], volumes, classes: [byHand, racks] });
  const inRack = (rack: string) => aNodePool({ name: `rack-${rack}`, labels: { rack } });

  test('an unbound claim of kubernetes.io/no-provisioner gets a node, which brings its own disks', () => {
    expect(validatedPlan(aSnapshot({ pending: [aPod(withClaims('data'))], storage: using('by-hand') })).plannedNodes).toHaveLength(1);
  });

  test('an allowed topology of a custom label is met by a NodePool that has the label', () => {
    const nodePools = ['1', '2'].map(inRack);
    const { plannedNodes } = validatedPlan(aSnapshot({ pending: [aPod(withClaims('data'))], nodePools, storage: using('racks') }));
    expect(plannedNodes.map(({ nodePoolName }) => nodePoolName)).toEqual(['rack-1']);
  });

  test('an allowed topology of a custom label is met by a node that has the label', () => {
    const nodes = ['1', '2'].map((rack) => aNode({ name: `node-${rack}`, labels: { rack } }));
    const { placements } = validatedPlan(aSnapshot({ pending: [aPod(withClaims('data'))], nodes, storage: using('racks') }));
    expect([...placements.keys()]).toEqual(['node-1']);
  });
});

describe('a claim that cannot be used is named, with what would help', () => {
  test.each<[string, readonly PersistentVolumeClaim[], string]>([
    ['no claim', [], 'there is no such PersistentVolumeClaim'],
    ['a claim that goes', [aClaim('data', { volumeName: 'one', isDeleting: true })], 'is being deleted'],
    ['a lost claim', [aClaim('data', { volumeName: 'one', phase: 'Lost' })], 'has lost its PersistentVolume'],
    ['no volume', [aClaim('data', { volumeName: 'none' })], 'PersistentVolume none does not exist'],
    ['no class named', [aClaim('data')], 'names no StorageClass'],
    ['no such class', [aClaim('data', { storageClassName: 'gold' })], 'the StorageClass gold does not exist'],
    ['a class that binds at once', [aClaim('data', { storageClassName: 'at-once' })], 'use WaitForFirstConsumer'],
    ['a class with a topology key that no pool has', [aClaim('data', { storageClassName: 'racks' })], 'rack'],
  ])('%s', (_, claims, sentence) => {
    const odd = [
      aStorageClass('at-once', { volumeBindingMode: 'Immediate' }),
      aStorageClass('racks', { allowedTopologies: [{ matchLabelExpressions: [{ key: 'rack', values: ['1'] }] }] }),
    ];
    const storage = aStorage({ claims, volumes, classes: odd });
    const plan = validatedPlan(aSnapshot({ pending: [aPod(withClaims('data')), aPod(named('fine'))], storage }));
    expect(plan.rejections.map(explain)[0]).toContain(sentence);
    expect(plan.plannedNodes).toHaveLength(1);
  });

  test('two volumes in two zones', () => {
    const storage = storageOf(aClaim('x', { volumeName: 'one' }), aClaim('y', { volumeName: 'two' }));
    const [rejection] = validatedPlan(aSnapshot({ pending: [aPod(withClaims('x', 'y'))], storage })).rejections;
    expect(rejection && explain(rejection)).toContain('keep them in one zone');
  });

  test('a ReadWriteOncePod claim that a running pod uses', () => {
    const storage = storageOf(aClaim('x', { volumeName: 'one', accessModes: ['ReadWriteOncePod'] }));
    const nodes = [aNode({ name: 'n', pods: [aPod(named('first'), withClaims('x'), runningOn('n'))] })];
    const [rejection] = validatedPlan(aSnapshot({ pending: [aPod(withClaims('x'))], nodes, storage })).rejections;
    expect(rejection && explain(rejection)).toContain('pod default/first uses it');
  });

  test('a ReadWriteOncePod claim goes to one pod, the oldest', () => {
    const storage = storageOf(aClaim('x', { volumeName: 'one', accessModes: ['ReadWriteOncePod'] }));
    const plan = validatedPlan(aSnapshot({ pending: [aPod(named('b'), withClaims('x')), aPod(named('a'), withClaims('x'))], storage }));
    expect(plan.rejections.map(explain)[0]).toContain('pod default/a uses it');
  });
});
