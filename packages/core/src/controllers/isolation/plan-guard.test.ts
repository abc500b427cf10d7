import { fakeClock } from '@karpenter/runtime';
import { describe, expect, test } from '@jest/globals';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { aBareNode } from '../../cluster/testing/a-bare-cluster.ts';
import type { Pod } from '../../kube/index.ts';
import type { Decision } from '../../ports/index.ts';
import { aPod } from '../../testing/objects.ts';
import { PlanGuard } from './plan-guard.ts';
import type { PlanMarks } from './suspects.ts';
import { range } from '../../testing/range.ts';

const replicaOf = (namespace: string, name: string, owner?: string): Pod =>
  aPod(name, {
    metadata: {
      ...{ namespace, uid: `${namespace}/${name}` },
      ...(owner === undefined ? {} : { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner }] }),
    },
  });

const pendingSnapshot = (pendingPods: readonly Pod[]): ClusterSnapshot => ({
  ...{ nodePools: [], nodes: [], daemonSets: [], podDisruptionBudgets: [], namespaceLabels: new Map() },
  pendingPods,
});

const nodeNamed = (name: string): NodeView => aBareNode({ name, allocatable: { cpu: 1000 } });

const snapshotOfNodes = (names: readonly string[]): ClusterSnapshot => ({ ...pendingSnapshot([]), nodes: names.map(nodeNamed) });

const noNodes = pendingSnapshot([]);

const namesIn = ({ pendingPods }: ClusterSnapshot): readonly string[] =>
  pendingPods.map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`);

interface MarkFile extends PlanMarks {
  text: string | undefined;
  isBroken: boolean;
  /** How long each text was that was to be written. */
  readonly lengths: number[];
}

/** The file, over the lives of several processes. */
const memoryFile = (text?: string, mostCharacters = Number.POSITIVE_INFINITY): MarkFile => {
  const file: MarkFile = {
    ...{ text, isBroken: false, lengths: [] },
    read: () => file.text,
    write(fresh) {
      file.lengths.push(fresh.length);
      const isWritten = !file.isBroken && fresh.length <= mostCharacters;
      if (isWritten) file.text = fresh;
      return isWritten;
    },
    clear() {
      if (!file.isBroken) file.text = undefined;
      return !file.isBroken;
    },
  };
  return file;
};

const clock = fakeClock(Date.UTC(2026, 0, 1));

describe('a process that ends during a disruption plan', () => {
  const guardOf = (marks: PlanMarks, reported: Decision[] = []): PlanGuard =>
    new PlanGuard({ clock: disruptionClock, reporter: { report: (decision) => void reported.push(decision) }, marks });
  const disruptionClock = fakeClock(Date.UTC(2026, 0, 1));

  test('once changes nothing: the next one plans disruption, and its end takes the suspicion away', () => {
    const file = memoryFile();
    guardOf(file).beginDisruption(noNodes);
    const next = guardOf(file);
    expect(next.beginDisruption(noNodes)).toEqual({ snapshot: noNodes, isTrial: false });
    next.endDisruption();
    expect(file.text).toBeUndefined();
  });

  test('even where no node is planned: the fourth plans no disruption for ten minutes, says so, and goes on with pods', async () => {
    const file = memoryFile();
    guardOf(file).beginDisruption(noNodes);
    guardOf(file).beginDisruption(noNodes);
    guardOf(file).beginDisruption(noNodes);
    const reported: Decision[] = [];
    const fourth = guardOf(file, reported);
    expect(fourth.beginDisruption(noNodes)).toBeUndefined();
    expect(reported).toMatchObject([{ kind: 'unclean-end', during: ['disruption plan'] }]);
    const pods = [replicaOf('shop', 'web')];
    expect(namesIn(fourth.begin(pendingSnapshot(pods)).snapshot)).toEqual(['shop/web']);
    fourth.end();
    await disruptionClock.advance(600_001);
    expect(fourth.beginDisruption(noNodes)?.isTrial).toBe(false);
    fourth.endDisruption();
    expect(file.text).toBeUndefined();
  });

  test('while pods are planned too: both are suspected', () => {
    const file = memoryFile();
    const first = guardOf(file);
    first.begin(pendingSnapshot([replicaOf('shop', 'web'), replicaOf('bank', 'api')]));
    first.beginDisruption(noNodes);
    const next = guardOf(file);
    expect(namesIn(next.begin(pendingSnapshot([replicaOf('shop', 'web'), replicaOf('else', 'x')])).snapshot)).toEqual(['else/x']);
    expect(next.beginDisruption(noNodes)).toEqual({ snapshot: noNodes, isTrial: false });
  });
});

describe('a node that ends each process that plans to disrupt it', () => {
  const nodes = range(100).map((index) => `node-${index}`);
  /** Processes that plan disruption until a plan that is no trial is made, or until they die. */
  const lives = (deadly: readonly string[]) => {
    const file = memoryFile();
    const own = fakeClock(Date.UTC(2026, 0, 1));
    const reported: Decision[] = [];
    let deaths = 0;
    const newGuard = () => new PlanGuard({ clock: own, reporter: { report: (decision) => void reported.push(decision) }, marks: file });
    const live = (): ClusterSnapshot | 'died' => {
      const guard = newGuard();
      for (const _ of range(40)) {
        const planned = guard.beginDisruption(snapshotOfNodes(nodes));
        if (planned === undefined) return noNodes;
        if (planned.snapshot.nodes.some((node) => deadly.includes(node.name) && isIntact(node))) {
          deaths += 1;
          return 'died';
        }
        guard.endDisruption();
        if (!planned.isTrial) return planned.snapshot;
      }
      throw new Error('the trials never end');
    };
    const liveOn = (): ClusterSnapshot => {
      for (const _ of range(20)) {
        const ending = live();
        if (ending !== 'died') return ending;
      }
      throw new Error('every process dies');
    };
    return { liveOn, reported, clock: own, deaths: () => deaths, guard: newGuard };
  };
  test('is named after four deaths, and disruption goes on with all others', () => {
    const { liveOn, reported, deaths } = lives(['node-37']);
    const planned = liveOn();
    expect(deaths()).toBe(4);
    expect(blamedIn(reported)).toEqual(['Node node-37']);
    expect(planned.nodes.filter(isIntact)).toHaveLength(99);
    expect(planned.nodes).toHaveLength(100);
  });

  test('is left out where a command is validated, too', () => {
    const { liveOn, guard } = lives(['node-37']);
    liveOn();
    const { nodes: seen } = guard().withoutBlamedNodes(snapshotOfNodes(nodes));
    expect(seen.filter((node) => !isIntact(node)).map(({ name }) => name)).toEqual(['node-37']);
  });

  test('is tried alone after ten minutes, which costs one death and no other node its turn', async () => {
    const { liveOn, clock: own, deaths } = lives(['node-37']);
    liveOn();
    await own.advance(600_001);
    expect(liveOn().nodes.filter(isIntact)).toHaveLength(99);
    expect(deaths()).toBe(5);
  });

  test('beside another one: both are named', () => {
    const { liveOn, reported, deaths } = lives(['node-3', 'node-91']);
    expect(liveOn().nodes.filter(isIntact)).toHaveLength(98);
    expect(blamedIn(reported)).toEqual(expect.arrayContaining(['Node node-3', 'Node node-91']));
    expect(deaths()).toBe(7);
  });

  test('with five of them disruption rests for ten minutes', () => {
    const { liveOn, deaths } = lives(['node-1', 'node-2', 'node-3', 'node-4', 'node-5']);
    expect(liveOn()).toBe(noNodes);
    expect(deaths()).toBeLessThan(14);
  });
});

const blamedIn = (reported: readonly Decision[]): readonly string[] =>
  reported.flatMap((each) => (each.kind === 'quarantined' ? each.subjects.map(({ kind, name }) => `${kind} ${name}`) : []));

interface Deadly {
  readonly pods?: (pod: Pod) => boolean;
  readonly nodes?: readonly string[];
  /** Also of the nodes that do no harm. */
  readonly allNodes?: readonly string[];
}

const isIntact = ({ allocatable }: NodeView): boolean => allocatable['cpu'] === 1000;

const processes = (pods: readonly Pod[], { pods: isDeadly = () => false, nodes = [], allNodes = [] }: Deadly, file = memoryFile()) => {
  const reported: Decision[] = [];
  const given = { ...pendingSnapshot(pods), nodes: allNodes.map(nodeNamed) };
  const ends = (snapshot: ClusterSnapshot): boolean =>
    snapshot.pendingPods.some((pod) => isDeadly(pod) || snapshot.nodes.some((node) => nodes.includes(node.name) && isIntact(node)));
  /** One process: plans until nothing is left to plan, or until it dies. Returns what it planned. */
  const live = (): { readonly planned: ReadonlySet<string>; readonly died: boolean; readonly last?: ClusterSnapshot } => {
    const guard = new PlanGuard({ clock, reporter: { report: (decision) => void reported.push(decision) }, marks: file });
    const planned = new Set<string>();
    for (const _ of range(100)) {
      const { snapshot, isTrial } = guard.begin(given);
      if (ends(snapshot)) return { planned, died: true };
      if (!isTrial) for (const name of namesIn(snapshot)) planned.add(name);
      guard.end();
      if (!guard.hasMore) return { planned, died: false, last: snapshot };
    }
    throw new Error('a process never comes to an end with its parts');
  };
  /** Processes until one lives on, and how many died. */
  const liveOn = () => {
    for (const deaths of range(30)) {
      const life = live();
      if (!life.died) return { ...life, deaths };
    }
    throw new Error('every process dies');
  };
  return { live, liveOn, reported, file };
};

describe('when no process has died', () => {
  test('everything is planned at once, and no mark stays', () => {
    const { live, reported, file } = processes([replicaOf('a', 'web'), replicaOf('b', 'web')], {});
    expect(live()).toMatchObject({ planned: new Set(['a/web', 'b/web']), died: false });
    expect([reported, file.text]).toEqual([[], undefined]);
  });
});

describe('when a workload ends every process that plans it', () => {
  const good = range(40).flatMap((index) => [replicaOf(`team-${index}`, 'web'), replicaOf(`team-${index}`, 'db')]);
  const bad = range(5).map((index) => replicaOf('team-7', `bad-${index}`, 'bad'));
  const { live, reported } = processes([...good, ...bad], { pods: ({ metadata }) => metadata.name.startsWith('bad') });
  const lives = range(6).map(live);

  test('the loop ends after four deaths, with all others planned', () => {
    expect(lives.map(({ died }) => died)).toEqual([true, true, true, true, false, false]);
    expect(lives[4]?.planned).toEqual(new Set(good.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)));
  });

  test('the second process already plans nearly all others before it dies', () => {
    expect(lives[1]?.planned.size).toBeGreaterThan(10);
  });

  test('its pods are named, and what was planned when a process died', () => {
    expect(reported.filter(({ kind }) => kind === 'unclean-end')).toHaveLength(4);
    const blamed = reported.flatMap((each) => (each.kind === 'quarantined' ? each.subjects.map(({ name }) => name) : []));
    expect(blamed).toEqual(bad.map(({ metadata }) => metadata.name));
  });
});

describe('two workloads that end every process that plans them are both left out, and all others planned', () => {
  const isBad = ({ metadata }: Pod): boolean => metadata.name.startsWith('bad');
  const good = range(40).map((index) => replicaOf('shop', `web-${index}`));
  const others = range(20).map((index) => replicaOf(`team-${index}`, 'web'));

  test.each([
    ['in one namespace', [replicaOf('shop', 'bad-1'), replicaOf('shop', 'zz'), replicaOf('shop', 'bad-2')]],
    ['at both ends of one namespace', [replicaOf('shop', 'a'), replicaOf('shop', 'bad-1', 'aa'), replicaOf('shop', 'bad-2', 'zz')]],
    ['in two namespaces', [replicaOf('team-1', 'bad-1'), replicaOf('team-19', 'bad-2')]],
  ])('%s', (_, more) => {
    const pods = [...good, ...others, ...more];
    const { liveOn, reported } = processes(pods, { pods: isBad });
    const { planned, deaths } = liveOn();
    expect(planned.size).toBe(pods.length - 2);
    expect(new Set(blamedIn(reported))).toEqual(new Set(['Pod bad-1', 'Pod bad-2']));
    expect(deaths).toBeLessThanOrEqual(11);
  });
});

describe('two workloads among very many of one namespace are found', () => {
  const isBad = ({ metadata }: Pod): boolean => metadata.name.endsWith('bad');
  const pods = ['a-bad', 'z-bad', ...range(68).map((index) => `web-${index}`)].map((name) => replicaOf('shop', name));

  test('also where their owners have kinds of any length: the mark has a digest of them', () => {
    const ofLongKinds = pods.map((pod): Pod => {
      const owner = { apiVersion: 'v1', kind: `${pod.metadata.name}-${'k'.repeat(2000)}`, name: 'owner', uid: 'owner' };
      return { ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } };
    });
    const { liveOn, reported, file } = processes(ofLongKinds, { pods: isBad });
    expect(liveOn().planned.size).toBe(pods.length - 2);
    expect(new Set(blamedIn(reported))).toEqual(new Set(['Pod a-bad', 'Pod z-bad']));
    expect(Math.max(...file.lengths)).toBeLessThan(pods.length * 100);
  });

  test('also where they are thousands: the others are planned two thousand at a time', () => {
    const thousands = [...pods, ...range(4500).map((index) => replicaOf('shop', `x-${index}`))];
    const { liveOn, reported, file } = processes(thousands, { pods: isBad });
    expect(liveOn().planned.size).toBe(thousands.length - 2);
    expect(new Set(blamedIn(reported))).toEqual(new Set(['Pod a-bad', 'Pod z-bad']));
    expect(Math.max(...file.lengths)).toBeLessThan(2 * 2000 * '"shop/x-1234",'.length);
  });

  test('also where the mark is too long: it names the namespace of those that come later', () => {
    const waiting = [range(100).map((index) => `shop/web-${index}`)];
    const mark = { suspects: ['shop/a-bad'], waiting };
    const file = memoryFile(JSON.stringify(mark), 500);
    new PlanGuard({ clock, reporter: { report: () => undefined }, marks: file }).begin(pendingSnapshot(pods));
    expect(JSON.parse(file.text ?? '')).toMatchObject({ suspects: ['shop/a-bad'], waiting: [['shop']], during: ['shop/z-bad'] });
  });
});

describe('a node that ends every process that plans pods beside it', () => {
  const allNodes = range(100).map((index) => `node-${index}`);
  const inMany = range(10).map((index) => replicaOf(`team-${index}`, 'web'));
  const inOne = range(40).map((index) => replicaOf('shop', `web-${index}`));

  test.each([
    ['in ten namespaces', inMany, 5],
    ['in one namespace', inOne, 5],
    ['of one workload', [replicaOf('shop', 'web')], 2],
  ])('is found among 100 and named, and all pods %s are planned without it', async (_, pods, mostDeaths) => {
    const { live, liveOn, reported } = processes(pods, { nodes: ['node-37'], allNodes });
    const first = liveOn();
    expect(first.deaths).toBeLessThanOrEqual(mostDeaths);
    if (pods.length === 1) {
      // Nobody else shows that the workload is not to blame: it is tried again after ten minutes.
      await clock.advance(600_001);
      expect(range(3).map(() => live().died)).toEqual([true, true, true]);
    }
    const { planned, last } = liveOn();
    expect(planned.size).toBe(pods.length);
    expect(last?.nodes.filter((node) => !isIntact(node)).map(({ name }) => name)).toEqual(['node-37']);
    expect(blamedIn(reported)).toContain('Node node-37');
  });

  test('is tried alone after ten minutes, which costs one death', async () => {
    const { live, liveOn } = processes(inMany, { nodes: ['node-37'], allNodes });
    liveOn();
    await clock.advance(600_001);
    expect(live().died).toBe(true);
    expect(live()).toMatchObject({ died: false });
  });

  test('beside another one: both are named', () => {
    const { liveOn, reported } = processes(inMany, { nodes: ['node-3', 'node-91'], allNodes });
    expect(liveOn().planned.size).toBe(10);
    expect(blamedIn(reported)).toEqual(expect.arrayContaining(['Node node-3', 'Node node-91']));
  });
});

describe('plans without pending pods that end processes', () => {
  const names = range(20).map((index) => `node-${index}`);
  const draining = (): ClusterSnapshot => ({
    ...pendingSnapshot([]),
    nodes: names.map((name) => ({ ...nodeNamed(name), isMarkedForDeletion: true })),
  });

  /** Processes that plan until a plan is made that is no trial. */
  const lives = (given: ClusterSnapshot, isDeadly: (snapshot: ClusterSnapshot) => boolean) => {
    const file = memoryFile();
    const reported: Decision[] = [];
    const live = (): ClusterSnapshot | 'died' => {
      const guard = new PlanGuard({ clock, reporter: { report: (decision) => void reported.push(decision) }, marks: file });
      for (const _ of range(40)) {
        const { snapshot, isTrial } = guard.begin(given);
        if (isDeadly(snapshot)) return 'died';
        guard.end();
        if (!isTrial) return snapshot;
      }
      throw new Error('the trials never end');
    };
    const endings = range(8).map(live);
    return { deaths: endings.filter((ending) => ending === 'died').length, last: endings.at(-1), reported, file };
  };

  test('leave a mark', () => {
    const file = memoryFile();
    new PlanGuard({ clock, reporter: { report: () => undefined }, marks: file }).begin(draining());
    expect(file.text).toContain('draining nodes and buffers');
  });

  test('because of a node: it is named after four, and the pods of the others move', () => {
    const { deaths, last, reported } = lives(draining(), ({ nodes }) => nodes.some((node) => node.name === 'node-7' && isIntact(node)));
    expect([deaths, blamedIn(reported)]).toEqual([4, ['Node node-7']]);
    expect(last === 'died' ? [] : last?.nodes.filter(isIntact)).toHaveLength(19);
  });

  test('because of a buffer: after three, plans are for pending pods only', () => {
    const buffers = [{ buffer: { metadata: { name: 'spare' }, spec: {} }, virtualPods: [] }] as never;
    const { deaths, last } = lives({ ...draining(), buffers }, (snapshot) => snapshot.buffers !== undefined);
    expect(deaths).toBe(3);
    expect(last).toMatchObject({ pendingPods: [] });
  });

  test('once change nothing: the next one is whole, and its end takes the suspicion away', () => {
    let isFirst = true;
    const { deaths, last, file } = lives(draining(), () => {
      const dies = isFirst;
      isFirst = false;
      return dies;
    });
    expect([deaths, last, file.text]).toEqual([1, draining(), undefined]);
  });
});

describe('work beside plans that ends a process', () => {
  const guardOf = (marks: PlanMarks) => new PlanGuard({ clock, reporter: { report: () => undefined }, marks });

  const endsDuring = (marks: PlanMarks): void => void guardOf(marks).attempt('minimums of pools', () => new Promise(() => undefined));

  test('once may have any reason: it is done again, and its end takes the suspicion away', async () => {
    const file = memoryFile();
    endsDuring(file);
    expect(await guardOf(file).attempt('minimums of pools', () => Promise.resolve('done'))).toBe('done');
    expect(file.text).toBeUndefined();
  });

  test('twice in a row rests for ten minutes, while other work goes on', async () => {
    const file = memoryFile();
    endsDuring(file);
    endsDuring(file);
    const next = guardOf(file);
    expect(await next.attempt('minimums of pools', () => Promise.resolve('done'))).toBeUndefined();
    expect(await next.attempt('rehearsal', () => Promise.resolve('done'))).toBe('done');
    await clock.advance(600_001);
    expect(await next.attempt('minimums of pools', () => Promise.resolve('done'))).toBe('done');
  });

  test('such as a snapshot is named by the next process, and never rests', () => {
    const file = memoryFile();
    const reported: Decision[] = [];
    for (const _ of range(3)) {
      let left: string | undefined;
      guardOf(file).snapshot(() => {
        left = file.text;
        return noNodes;
      });
      expect(file.text).toBeUndefined();
      file.text = left;
    }
    const next = new PlanGuard({ clock, reporter: { report: (decision) => void reported.push(decision) }, marks: file });
    expect(next.snapshot(() => noNodes)).toBe(noNodes);
    next.begin(pendingSnapshot([replicaOf('shop', 'web')]));
    expect(reported).toMatchObject([{ kind: 'unclean-end', during: ['snapshot'] }]);
  });

  test('such as reading series twice in a row leaves metrics without series for ten minutes', async () => {
    const file = memoryFile();
    const read = () => [{ labels: {}, value: 1 }];
    for (const _ of range(2)) {
      const guard = guardOf(file);
      expect([...guard.series(read)]).toHaveLength(1);
      guard.series(read)[Symbol.iterator]().next();
    }
    const resting = guardOf(file);
    expect([...resting.series(read)]).toEqual([]);
    await clock.advance(600_001);
    expect([...resting.series(read)]).toHaveLength(1);
  });

  test('such as two series that are read at once is written once, and cleared once', () => {
    const writes: (string | undefined)[] = [];
    const write = (text?: string): boolean => writes.push(text) > 0;
    const guard = guardOf({ read: () => undefined, write, clear: write });
    const read = () => range(2).map((value) => ({ labels: {}, value }));
    const open = guard.series(read)[Symbol.iterator]();
    open.next();
    expect([...guard.series(read)]).toHaveLength(2);
    expect(writes).toEqual([expect.stringContaining('metrics')]);
    while (open.next().done !== true);
    expect(writes.slice(1)).toEqual([undefined]);
  });

  test('such as reading one of two series that are read at once stays marked when the other ends', () => {
    const file = memoryFile();
    const guard = guardOf(file);
    const read = () => range(2).map((value) => ({ labels: {}, value }));
    guard.series(read)[Symbol.iterator]().next();
    expect([...guard.series(read)]).toHaveLength(2);
    expect(file.text).toContain('metrics');
  });

  test('is marked again after the mark could not be written', () => {
    const file = memoryFile();
    const guard = guardOf(file);
    const read = () => range(2).map((value) => ({ labels: {}, value }));
    file.isBroken = true;
    guard.series(read)[Symbol.iterator]().next();
    file.isBroken = false;
    guard.series(read)[Symbol.iterator]().next();
    expect(file.text).toContain('metrics');
  });

  test('leaves no mark after the mark could not be cleared', () => {
    const file = memoryFile();
    const guard = guardOf(file);
    guard.begin(pendingSnapshot([replicaOf('shop', 'web')]));
    file.isBroken = true;
    guard.end();
    expect(file.text).toContain('shop');
    file.isBroken = false;
    guard.begin(noNodes);
    expect(file.text).toBeUndefined();
  });

  test('leaves no mark once it has ended or failed', async () => {
    const file = memoryFile();
    const guard = guardOf(file);
    await guard.attempt('rehearsal', () => Promise.resolve());
    await expect(guard.attempt('rehearsal', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(file.text).toBeUndefined();
  });

  test('leaves no mark where it fails before it waits for anything, so that the next process does not count it', async () => {
    const file = memoryFile();
    const broken = (): never => {
      throw new Error('broken');
    };
    await expect(guardOf(file).attempt('validation of a command', broken)).rejects.toThrow('broken');
    await expect(guardOf(file).reporting(broken)).rejects.toThrow('broken');
    expect(file.text).toBeUndefined();
  });

  test('such as the report of a plan counts as that plan', async () => {
    const file = memoryFile();
    const first = guardOf(file);
    first.begin(pendingSnapshot([replicaOf('shop', 'web'), replicaOf('bank', 'api')]));
    first.end();
    void first.reporting(() => new Promise(() => undefined));
    expect(namesIn(guardOf(file).begin(pendingSnapshot([replicaOf('shop', 'web'), replicaOf('else', 'x')])).snapshot)).toEqual(['else/x']);
    const second = guardOf(memoryFile());
    second.begin(pendingSnapshot([replicaOf('shop', 'web')]));
    second.end();
    await second.reporting(() => Promise.resolve());
  });
});

test('after ten minutes a workload that was left out is tried again', async () => {
  const { live, reported } = processes([replicaOf('a', 'web'), replicaOf('b', 'bad')], { pods: ({ metadata }) => metadata.name === 'bad' });
  expect(range(4).map(() => live().died)).toEqual([true, true, true, false]);
  await clock.advance(600_001);
  expect(live().died).toBe(true);
  expect(reported.length).toBeGreaterThan(3);
});

test.each(['', '{', '[]', '{"during":"x","suspects":[1],"blamed":[{"scope":3}]}', 'null'])(
  'a mark that cannot be read (%s) counts as none',
  (text) => {
    const guard = new PlanGuard({ clock, reporter: { report: () => undefined }, marks: memoryFile(text) });
    const snapshot = pendingSnapshot([replicaOf('a', 'web')]);
    expect(guard.begin(snapshot).snapshot).toBe(snapshot);
    guard.end();
    expect(guard.hasMore).toBe(false);
  },
);
