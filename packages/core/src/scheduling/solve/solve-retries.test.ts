import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import type { Pod, PodSpec } from '../../kube/index.ts';
import { aPodRequesting } from '../../testing/objects.ts';
import type { PodClass, PodSet } from '../pod-classes/pod-class.ts';
import { aNamedPod } from '../testing/a-class.ts';
import { aQuestion, aRoomyNode } from '../testing/a-solution.ts';
import type { SolveOptions } from '../testing/a-solution.ts';
import { leavesFewer, mergedUnplaced, ofPods, solvingAfresh, solvingByPriority } from './solve-retries.ts';
import type { Places, Question, Solution, UnplacedPods } from './solve.ts';

const aClassOfItsOwn = (): PodClass => ({}) as Partial<PodClass> as PodClass;
const podOfPriority = (name: string, priority?: number): Pod => ({
  ...aNamedPod(name),
  spec: { containers: [], ...(priority === undefined ? {} : { priority }) },
});
/** Pods with these priorities. */
const podSetOfPriorities = (podClass: PodClass, ...priorities: readonly (number | undefined)[]): PodSet => ({
  podClass,
  pods: priorities.map((priority, index) => podOfPriority(`pod-${index}`, priority)),
});
const asBuffer = (podSet: PodSet): PodSet => ({ ...podSet, isBuffer: true });
const left = (podSet: PodSet, count: number, wasStopped = false): UnplacedPods => ({ podSet, count, wasStopped });

describe('the unplaced pods of each pod group together', () => {
  const [web, job] = [podSetOfPriorities(aClassOfItsOwn(), 0, 0, 0), podSetOfPriorities(aClassOfItsOwn(), 0)];
  const part = (podSet: PodSet): PodSet => ({ ...podSet, pods: podSet.pods.slice(0, 1) });

  test('when a group was placed in parts › they are counted together, as the question has the group and in its order', () => {
    const spare = podSetOfPriorities(aClassOfItsOwn(), 0);
    expect(mergedUnplaced([left(part(web), 1), left(job, 1), left(part(web), 2)], [spare, web, job])).toEqual([
      { podSet: web, count: 3, wasStopped: false, shortage: undefined },
      { podSet: job, count: 1, wasStopped: false, shortage: undefined },
    ]);
  });

  test('when one part was stopped › the group was, and its shortage is that of the last part', () => {
    const [first, last] = [{ of: 'first' }, { of: 'last' }] as unknown as readonly (UnplacedPods['shortage'] & object)[];
    const parts = [
      { ...left(web, 1, true), shortage: first },
      { ...left(web, 1), shortage: last },
    ];
    expect(mergedUnplaced(parts, [web])).toEqual([{ podSet: web, count: 2, wasStopped: true, shortage: last }]);
  });

  test('when virtual pods are of the same class › they are counted apart', () => {
    const spare = asBuffer(web);
    const counts = mergedUnplaced([left(spare, 2), left(web, 1)], [web, spare]).map(({ podSet, count }) => [podSet.isBuffer, count]);
    expect(counts).toEqual([
      [undefined, 1],
      [true, 2],
    ]);
    expect(ofPods([left(spare, 2), left(web, 1)])).toEqual([left(web, 1)]);
  });
});

describe('which of two solutions leaves fewer pods unplaced', () => {
  const [high, low] = [podSetOfPriorities(aClassOfItsOwn(), 10, 10), podSetOfPriorities(aClassOfItsOwn(), undefined, 0)];
  const mixed = podSetOfPriorities(aClassOfItsOwn(), 10, 0, 0);

  test.each<[string, readonly (readonly UnplacedPods[])[], boolean]>([
    ['fewer of one priority', [[left(low, 1)], [left(low, 2)]], true],
    ['more of one priority', [[left(low, 2)], [left(low, 1)]], false],
    ['as many', [[left(low, 1)], [left(low, 1)]], false],
    ['none, where the other leaves some', [[], [left(low, 1)]], true],
    [
      'fewer of a high priority and more of a low one',
      [
        [left(high, 1), left(low, 2)],
        [left(high, 2), left(low, 1)],
      ],
      true,
    ],
    ['more of a high priority and fewer of a low one', [[left(high, 2)], [left(high, 1), left(low, 2)]], false],
    [
      'as many of a high priority and fewer of a low one',
      [
        [left(high, 1), left(low, 1)],
        [left(high, 1), left(low, 2)],
      ],
      true,
    ],
    ['pods of a low priority, the last of a group that has others too', [[left(mixed, 2)], [left(high, 1)]], true],
    ['as many of a group that has others too', [[left(mixed, 2)], [left(low, 2)]], false],
    ['fewer virtual pods', [[], [left(asBuffer(low), 2)]], false],
  ])('leaves %s', (_, [unplaced = [], than = []], isFewer) => {
    expect(leavesFewer(unplaced, than)).toBe(isFewer);
  });
});

/** Pod group, by its first pod → the nodes or machines that its pods are on. */
const placesIn = ({ existing }: Places, { newNodes }: Solution, { podSets }: Question): Readonly<Record<string, readonly string[]>> => {
  const machineOf = ({ fit: { state, cheapest } }: Solution['newNodes'][number]): string =>
    state.template.catalog.types[cheapest.type]?.name ?? '';
  const runs = [
    ...existing.log.map((run) => ({ ...run, where: existing.nodes[run.node]?.name ?? '' })),
    ...newNodes.flatMap((newNode) => newNode.runs.map((run) => ({ ...run, where: machineOf(newNode) }))),
  ];
  const entries = podSets.map(({ podClass, pods: [first] }) => {
    const own = runs.filter((run) => run.podClass === podClass);
    return [first?.metadata.name ?? '', own.flatMap(({ where, count }) => Array.from({ length: count }, () => where))] as const;
  });
  return Object.fromEntries(entries.filter(([, where]) => where.length > 0));
};

interface Asked extends SolveOptions {
  /** The names of pods that are virtual ones of a CapacityBuffer. */
  readonly buffers?: readonly string[];
}

/** Where the pods go in the end, who is left over, and after how many solves. */
const solvedWithRetries = (pods: readonly Pod[], { buffers = [], ...options }: Asked) => {
  const { places, question } = aQuestion(pods, options);
  const isBuffer = ({ pods: [first] }: PodSet): boolean => buffers.includes(first?.metadata.name ?? '');
  const { podSets } = question;
  const asked = { ...question, podSets: [...podSets.filter((each) => !isBuffer(each)), ...podSets.filter(isBuffer).map(asBuffer)] };
  let solves = 0;
  const rollBack = places.existing.rollBack.bind(places.existing);
  places.existing.rollBack = () => {
    solves++;
    rollBack();
  };
  const solution = finish(solvingByPriority(places, asked));
  const unplaced = solution.unplaced.flatMap(({ podSet, count }) => podSet.pods.slice(podSet.pods.length - count));
  return { at: placesIn(places, solution, asked), left: unplaced.map(({ metadata }) => metadata.name), solves, solution };
};

const anyPod = (name: string, cpu: string, spec: Partial<PodSpec> = {}): Pod => aPodRequesting({ cpu }, name, { spec });
const specInZone = (zone: string): Partial<PodSpec> => ({ nodeSelector: { [labels.zone]: zone } });
const nearTo = (app: string, topologyKey: string): Partial<PodSpec> => ({
  affinity: {
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }] },
  },
});
const memoryBytes = 2 ** 34;
const [two, four] = [2, 4].map((cpus) => ({ cpus, memoryBytes, pricePerHour: cpus }));
const machines = [two, four].flatMap((machine) => machine ?? []);

describe('pods that are left over once others have come', () => {
  const nodes = [aRoomyNode('a', 2, 'z1'), aRoomyNode('b', 2, 'z2')];
  const large = anyPod('large', '1500m');
  const small = anyPod('small', '1', specInZone('z1'));

  test('when a large pod took the only room that suits a small one › the small one goes first, and both have a place', () => {
    const { at, left: over, solves, solution } = solvedWithRetries([large, small], { nodes });
    expect([at, over, solves, solution.isOutOfOrder]).toEqual([{ small: ['a'], large: ['b'] }, [], 3, true]);
  });

  test('when there is room for one of two only › the larger one keeps it', () => {
    const { at, left: over, solves, solution } = solvedWithRetries([large, small], { nodes: nodes.slice(0, 1) });
    expect([at, over, solves, solution.isOutOfOrder ?? false]).toEqual([{ large: ['a'] }, ['small'], 4, false]);
  });

  test.each<[string, Parameters<typeof solvedWithRetries>]>([
    ['its nodes have no other pods', [[large, anyPod('small', '1', specInZone('z9'))], { nodes }]],
    ['all pods are left over for want of room', [[anyPod('job-0', '1500m'), anyPod('job-1', '1500m')], { nodes: nodes.slice(0, 1) }]],
    ['it is a virtual pod', [[large, small], { nodes, buffers: ['small'] }]],
    ['it cannot be read', [[large, anyPod('small', 'a core', specInZone('z1'))], { nodes }]],
    [
      'a limit is near',
      [[large, small], { nodes, machines: machines.map((each) => ({ ...each, zones: ['z3'] })), pool: { limits: { cpu: '2' } } }],
    ],
  ])('when %s › no other order is tried', (_, asked) => {
    const { left: over, solves } = solvedWithRetries(...asked);
    expect([over.length, solves]).toEqual([1, 1]);
  });

  test('when the time was up before its turn › no other order is tried', () => {
    let calls = 0;
    const { left: over, solves } = solvedWithRetries([large, small], { nodes, shouldStop: () => ++calls === 2 });
    expect([over, solves]).toEqual([['small'], 1]);
  });

  test('when the time is up after the first order › no other is tried', () => {
    let calls = 0;
    const { left: over, solves } = solvedWithRetries([large, small], { nodes, shouldStop: () => ++calls > 2 });
    expect([over, solves]).toEqual([['small'], 1]);
  });
});

describe('pods that must be near to others', () => {
  const nodes = [aRoomyNode('a', 8, 'z1'), aRoomyNode('b', 8, 'z2')];
  const follower = (app: string) => anyPod(`after-${app}`, '500m', { ...specInZone('z2'), ...nearTo(app, labels.zone) });
  const leader = (app: string, cpu = '2') => aPodRequesting({ cpu }, app, { metadata: { labels: { app } } });

  test('when the others went elsewhere first › one of them leads the way, and the rest stays in order', () => {
    const { at, left: over, solves } = solvedWithRetries([leader('db'), follower('db'), anyPod('job', '1')], { nodes });
    expect([at, over, solves]).toEqual([{ db: ['b'], job: ['a'], 'after-db': ['b'] }, [], 5]);
  });

  test('when two groups of pods lack the others › each is led', () => {
    const { at, left: over } = solvedWithRetries([leader('db'), follower('db'), leader('mq', '1'), follower('mq')], { nodes });
    expect([at, over]).toEqual([{ db: ['b'], mq: ['b'], 'after-db': ['b'], 'after-mq': ['b'] }, []]);
  });

  test('when only a virtual pod could lead the way › none does', () => {
    const { left: over, solves } = solvedWithRetries([leader('db'), follower('db')], { nodes, buffers: ['db'] });
    expect([over, solves]).toEqual([['after-db'], 3]);
  });
});

describe('pods of several priorities', () => {
  const large = anyPod('large', '1700m');
  const ofPriority = (priority: number, name: string, cpu: string): Pod => anyPod(name, cpu, { priority });
  const small = ofPriority(10, 'small', '500m');
  const limited = { machines, pool: { limits: { cpu: '2' } } };
  const summary = (...asked: Parameters<typeof solvedWithRetries>) => {
    const { left: over, solves, solution } = solvedWithRetries(...asked);
    return [over, solves, solution.isOutOfOrder ?? false];
  };

  test('when a limit leaves room for one › it is for the pod of higher priority, although it is smaller', () =>
    expect(summary([large, small], limited)).toEqual([['large'], 2, true]));

  test('when nodes have room for one › it is for the pod of higher priority', () => {
    expect(summary([large, small], { nodes: [aRoomyNode('a', 2)] })).toEqual([['large'], 5, true]);
  });

  test('when equal pods have several priorities › those of each priority come in turn', () => {
    const web = [10, 0, 0].map((priority, index) => ofPriority(priority, `web-${index}`, '1'));
    expect(summary([...web, ofPriority(5, 'job', '900m')], limited)).toEqual([['web-1', 'web-2'], 2, true]);
    const more = [ofPriority(-5, 'late', '800m'), ofPriority(20, 'first', '100m'), ofPriority(7, 'job', '900m')];
    expect(summary([...web, ...more], limited)).toEqual([['web-1', 'web-2', 'late'], 2, true]);
  });

  test('when virtual pods have a higher priority › they come last all the same', () => {
    const spare = ofPriority(100, 'spare', '1600m');
    expect(summary([large, small, spare], { ...limited, buffers: ['spare'] })).toEqual([['large', 'spare'], 2, true]);
  });

  test('when another order gives no more pods of the higher priority a place › the first order stays', () => {
    const { at, left: over, solves, solution } = solvedWithRetries([ofPriority(10, 'huge', '3500m'), anyPod('job', '500m')], limited);
    expect([at, over, solves, solution.isOutOfOrder]).toEqual([{ job: ['machine-00'] }, ['huge'], 3, false]);
  });

  test.each<[string, Parameters<typeof solvedWithRetries>]>([
    ['only virtual pods of lower priority have a place', [[ofPriority(10, 'huge', '3500m'), large], { ...limited, buffers: ['large'] }]],
    ['the pod of higher priority fits no machine', [[ofPriority(10, 'monster', '100'), large], { machines }]],
    [
      'its nodes do not suit the pod',
      [[anyPod('huge', '4', { priority: 10, ...specInZone('z9') }), large], { nodes: [aRoomyNode('a', 2)] }],
    ],
    ['the pod cannot be read', [[ofPriority(10, 'small', 'a core'), large], { machines }]],
    ['all pods with a place are of as high a priority', [[ofPriority(10, 'web-0', '1500m'), small], limited]],
    ['the time is up', [[large, small], { ...limited, shouldStop: () => true }]],
  ])('when %s › no other order is tried', (_, asked) => expect(solvedWithRetries(...asked).solves).toBe(1));

  test('when a resource that nothing has is requested › the order of priority is not tried', () => {
    const pod = aPodRequesting({ 'example.com/gpu': '1' }, 'gpu', { spec: { priority: 10 } });
    expect(summary([large, pod], { nodes: [aRoomyNode('a', 2)] })).toEqual([['gpu'], 3, false]);
  });

  test('when the time is up once some pods have a place › they keep it', () => {
    let calls = 0;
    const { at, left: over } = solvedWithRetries([large, small], { ...limited, shouldStop: () => ++calls > 1 });
    expect([at, over]).toEqual([{ large: ['machine-00'] }, ['small']]);
  });
});

describe('time that is up at any moment', () => {
  const large = anyPod('large', '1500m');
  const job = anyPod('job', '500m');
  const huge = anyPod('huge', '3500m', { priority: 10 });
  const urgent = anyPod('urgent', '400m', { priority: 10 });
  const small = anyPod('small', '1', specInZone('z1'));
  const limited = { machines, pool: { limits: { cpu: '2' } } };
  /** How many pods are left over if the time is up after 0, 1, 2 … questions whether it is. */
  const leftAtEachEnd = ([pods, options]: Parameters<typeof solvedWithRetries>): readonly number[] => {
    let most = 0;
    solvedWithRetries(pods, { ...options, shouldStop: () => ++most < 0 });
    return Array.from({ length: most + 1 }, (_, end) => {
      let calls = 0;
      return solvedWithRetries(pods, { ...options, shouldStop: () => ++calls > end }).left.length;
    });
  };

  test.each<[string, Parameters<typeof solvedWithRetries>]>([
    [
      'an order that places the pods which were left over',
      [[large, small], { nodes: [aRoomyNode('a', 2, 'z1'), aRoomyNode('b', 2, 'z2')] }],
    ],
    ['an order that serves nobody better', [[large, small], { nodes: [aRoomyNode('a', 2, 'z1')] }]],
    ['the order of priority, which serves nobody better', [[huge, job], limited]],
    ['the order of priority, which serves the higher one', [[large, job, anyPod('late', '300m'), urgent], limited]],
  ])('when it ends a try of %s › no pod loses a place that it had', (_, asked) => {
    const counts = leftAtEachEnd(asked);
    expect(counts.length).toBeGreaterThan(asked[0].length + 1);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });
});

describe('first-fit from scratch', () => {
  const nodes = [aRoomyNode('a', 4), aRoomyNode('b', 4)];
  const solveWith = (pods: readonly Pod[], options: SolveOptions, changed: Partial<Question>) => {
    const { places, question } = aQuestion(pods, options);
    const asked = { ...question, ...changed };
    return [finish(solvingAfresh(places, asked)), finish(solvingAfresh(places, asked))].map((each) => placesIn(places, each, asked))[1];
  };

  test('when a node is closed or gone › it takes no pods, as often as the question is put', () => {
    const job = anyPod('job', '3');
    expect(solveWith([job], { nodes }, {})).toEqual({ job: ['a'] });
    expect(solveWith([job], { nodes }, { closed: ['a'] })).toEqual({ job: ['b'] });
    expect(solveWith([job], { nodes }, { gone: nodes.slice(0, 1) })).toEqual({ job: ['b'] });
  });

  test('when only some types may be planned › there are more nodes, of those types', () => {
    const pair = [anyPod('job-0', '1500m'), anyPod('job-1', '1500m')];
    expect(solveWith(pair, { machines }, {})).toEqual({ 'job-0': ['machine-01', 'machine-01'] });
    const types = { text: 'up to 2', keeps: ({ name }: { readonly name: string }) => name === 'machine-00' };
    expect(solveWith(pair, { machines }, { types })).toEqual({ 'job-0': ['machine-00', 'machine-00'] });
  });
});
