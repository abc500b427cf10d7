import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { CacheChange } from '@karpenter/runtime';
import type { NodePool } from '../../apis/index.ts';
import type { Pod } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { aKubeNode, aNodeClaim, aNodePool, aPod } from '../../testing/objects.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { Batcher, allowsMore, planningTriggers } from './batcher.ts';

const aListenedBatcher = () => {
  const clock = fakeClock();
  const batcher = new Batcher({ clock, idleMs: 1000, maxMs: 10_000 });
  let closed = 0;
  const listen = (signal = new AbortController().signal) => batcher.wait(signal).then(() => void (closed += 1));
  return { clock, batcher, listen, closed: () => closed };
};

/** One window has closed, and soon after a pod opened the next. */
const aStream = async () => {
  const scene = aListenedBatcher();
  void scene.listen();
  scene.batcher.trigger('a');
  await scene.clock.advance(5000);
  void scene.listen();
  scene.batcher.trigger('b');
  return scene;
};

describe('a batch', () => {
  test('waits for a first reason as long as it takes', async () => {
    const { clock, listen, closed } = aListenedBatcher();
    void listen();
    await clock.advance(3_600_000);
    expect(closed()).toBe(0);
  });

  test('of a lone pod on a quiet cluster closes at once', async () => {
    const { clock, batcher, listen, closed } = aListenedBatcher();
    void listen();
    batcher.trigger('a');
    await clock.advance(74);
    expect(closed()).toBe(0);
    await clock.advance(1);
    expect(closed()).toBe(1);
  });

  test('of a second pod soon after stays open for a second, so that a stream is planned together', async () => {
    const { clock, closed } = await aStream();
    await clock.advance(999);
    expect(closed()).toBe(1);
    await clock.advance(1);
    expect(closed()).toBe(2);
  });

  test('closes in time when the clock is set back by an hour meanwhile', async () => {
    const steady = fakeClock();
    let setBackMs = 0;
    const clock = { ...steady, now: () => steady.now() - setBackMs, elapsed: () => steady.now() };
    const batcher = new Batcher({ clock, idleMs: 1000, maxMs: 10_000 });
    const closed = batcher.wait(new AbortController().signal).then(() => steady.now());
    batcher.trigger('a');
    const openedMs = steady.now();
    setBackMs = 3_600_000;
    await steady.advance(7_200_000);
    expect((await closed) - openedMs).toBeLessThanOrEqual(1000);
  });

  test('of a lone pod is planned at once although a reminder came before', async () => {
    const { clock, batcher, listen, closed } = aListenedBatcher();
    void listen();
    batcher.trigger('a');
    await clock.advance(8000);
    void listen();
    batcher.remind();
    await clock.advance(4000);
    void listen();
    batcher.trigger('b');
    await clock.advance(75);
    expect(closed()).toBe(3);
  });

  test('on a quiet cluster waits longer the more pods come together, and never longer than a second', async () => {
    const { clock, batcher, listen, closed } = aListenedBatcher();
    void listen();
    for (let each = 0; each < 50; each += 1) batcher.trigger(String(each));
    await clock.advance(999);
    expect(closed()).toBe(0);
    await clock.advance(1);
    expect(closed()).toBe(1);
  });

  test('closes one second after the last new reason', async () => {
    const { clock, batcher, listen, closed } = aListenedBatcher();
    void listen();
    for (let each = 0; each < 20; each += 1) batcher.trigger(String(each));
    await clock.advance(900);
    batcher.trigger('b');
    await clock.advance(999);
    expect(closed()).toBe(0);
    await clock.advance(1);
    expect(closed()).toBe(1);
  });

  test('is not kept open by the same reason again', async () => {
    const { clock, batcher, listen, closed } = aListenedBatcher();
    void listen();
    for (let each = 0; each < 4; each += 1) {
      batcher.trigger('a');
      await clock.advance(300);
    }
    expect(closed()).toBe(1);
  });

  test('closes after ten seconds whatever comes', async () => {
    const { clock, batcher, listen, closed } = aListenedBatcher();
    void listen();
    for (let each = 0; each < 20; each += 1) batcher.trigger(`first ${each}`);
    for (let each = 0; each < 20; each += 1) {
      batcher.trigger(String(each));
      await clock.advance(500);
    }
    expect(closed()).toBe(1);
  });

  test.each([
    ['waits while kube-scheduler binds pods and has others in its queue, and never longer than ten seconds', true, [1, 1, 2]],
    ['closes one second after the last new pod where the queue is empty', false, [2, 2, 2]],
  ])('in a stream %s', async (_, hasQueuedPods, expected) => {
    const { clock, batcher, closed } = await aStream();
    const seen: number[] = [];
    for (let each = 1; each <= 25; each += 1) {
      await clock.advance(400);
      batcher.extend(hasQueuedPods);
      if ([3, 24, 25].includes(each)) seen.push(closed());
    }
    expect(seen).toEqual(expected);
  });

  test('of a pod that lost its place waits until kube-scheduler has bound no pod for a second', async () => {
    const { clock, batcher, listen, closed } = aListenedBatcher();
    void listen();
    batcher.triggerByLoss('a');
    for (let each = 0; each < 5; each += 1) {
      await clock.advance(900);
      batcher.extend(false);
    }
    await clock.advance(999);
    expect(closed()).toBe(0);
    await clock.advance(1);
    expect(closed()).toBe(1);
  });

  test('of a lone pod on a quiet cluster closes at once although kube-scheduler binds others', async () => {
    const { clock, batcher, listen, closed } = aListenedBatcher();
    void listen();
    batcher.trigger('a');
    await clock.advance(50);
    batcher.extend(true);
    await clock.advance(25);
    expect(closed()).toBe(1);
  });

  test('is not opened by pods that are bound', async () => {
    const { clock, batcher, listen, closed } = aListenedBatcher();
    void listen();
    batcher.extend(true);
    await clock.advance(20_000);
    expect(closed()).toBe(0);
  });

  test('takes in triggers that came while nobody was waiting', async () => {
    const { clock, batcher, listen, closed } = aListenedBatcher();
    batcher.trigger('a');
    await clock.advance(60_000);
    await listen();
    expect(closed()).toBe(1);
  });

  test('ends with its signal', async () => {
    const { listen } = aListenedBatcher();
    const end = new AbortController();
    const waiting = listen(end.signal);
    end.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });
});

describe('arrivals', () => {
  const closing = async ({ clock, listen }: Pick<ReturnType<typeof aListenedBatcher>, 'clock' | 'listen'>, ms: number) => {
    const closed = listen();
    await clock.advance(ms);
    await closed;
  };

  test('are quiet where a lone pod comes', async () => {
    const { batcher, ...scene } = aListenedBatcher();
    batcher.trigger('a');
    await closing(scene, 75);
    expect(batcher.arrivals).toBe('quiet');
  });

  test('are steady where a window opens soon after another, recurring within a minute, and quiet after that', async () => {
    const { batcher, ...scene } = aListenedBatcher();
    batcher.trigger('a');
    await closing(scene, 75);
    await scene.clock.advance(5000);
    batcher.trigger('b');
    await closing(scene, 1000);
    expect(batcher.arrivals).toBe('steady');
    await scene.clock.advance(20_000);
    batcher.trigger('c');
    await closing(scene, 75);
    expect(batcher.arrivals).toBe('recurring');
    await scene.clock.advance(60_000);
    batcher.trigger('d');
    await closing(scene, 75);
    expect(batcher.arrivals).toBe('quiet');
  });

  test('are steady in a first window that pods kept open to its end', async () => {
    const { batcher, clock, listen } = aListenedBatcher();
    const closed = listen();
    for (let each = 0; each < 210; each += 1) {
      batcher.trigger(`pod ${each}`);
      await clock.advance(50);
    }
    await closed;
    expect(batcher.arrivals).toBe('steady');
  });
});

const poolThatIs = (ready: 'True' | 'False', generation = 1): NodePool =>
  aNodePool('general', { metadata: { generation }, status: { conditions: [{ type: 'Ready', status: ready }] } });
const key = { name: 'general' };
const updated = (previous: NodePool, object: NodePool): CacheChange<NodePool> => ({ type: 'updated', key, previous, object });

const triggersOfACluster = () => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster);
  const batcher = new Batcher({ clock: shell.clock, idleMs: 1000, maxMs: 10_000 });
  const triggers = planningTriggers(shell, batcher);
  return { cluster, shell, batcher, triggers, signal: new AbortController().signal };
};

test('when the check of nominations triggers a bug › it is reported, and the process goes on', async () => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster);
  shell.state.views = () => {
    throw new TypeError('x is undefined');
  };
  planningTriggers(shell, new Batcher({ clock: shell.clock, idleMs: 1000, maxMs: 10_000 }));
  const claim = aNodeClaim('a');
  cluster.seed('NodeClaim', claim);
  cluster.seed('NodeClaim', { ...claim, status: { conditions: [{ type: 'Initialized', status: 'True' }] } });
  await shell.clock.advance(2000);
  expect(shell.reported).toEqual([{ kind: 'report-failed', about: 'nominations', error: new TypeError('x is undefined') }]);
});

test('when a pool became ready a moment before › a lone pod is planned at once all the same', async () => {
  const { cluster, shell, batcher, signal } = triggersOfACluster();
  cluster.seed('NodePool', poolThatIs('True'));
  const afterPool = batcher.wait(signal);
  await shell.clock.advance(1000);
  await afterPool;
  const startMs = shell.clock.now();
  cluster.seed('Pod', aPod('lone', { status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] } }));
  const afterPod = batcher.wait(signal).then(() => shell.clock.now() - startMs);
  await shell.clock.advance(2000);
  expect(await afterPod).toBe(75);
});

const waitingPod = (name: string, namespace = 'default') =>
  aPod(name, { metadata: { namespace }, status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] } });

describe('while kube-scheduler binds the pods of a machine that joined, five of them 600 ms apart', () => {
  /** Milliseconds from the first pod that is bound until the window closes. `queued`: pods that kube-scheduler has not tried. */
  const closedAfterMs = async (queued: readonly Pod[]): Promise<number> => {
    const { cluster, shell, batcher, signal } = triggersOfACluster();
    const size = { cpu: '4', memory: '16Gi', pods: '110' };
    cluster.seed('Node', aKubeNode('joined', { spec: { providerID: 'test:///joined' }, status: { capacity: size, allocatable: size } }));
    const planned = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => waitingPod(name));
    for (const pod of planned) cluster.seed('Pod', pod);
    const ofPlanned = batcher.wait(signal);
    await shell.clock.advance(1000);
    await ofPlanned;
    const [view] = shell.state.views(shell.clock.now());
    if (view === undefined) throw new Error('the node is not known');
    shell.state.nominate(view, planned);
    for (const pod of queued) cluster.seed('Pod', pod);
    cluster.seed('Pod', waitingPod('late'));
    const startMs = shell.clock.now();
    const closed = batcher.wait(signal).then(() => shell.clock.now() - startMs);
    for (const pod of planned.slice(0, 5)) {
      cluster.seed('Pod', { ...pod, spec: { ...pod.spec, nodeName: 'joined' }, status: { phase: 'Running' } });
      await shell.clock.advance(600);
    }
    await shell.clock.advance(10_000);
    return await closed;
  };

  test.each<[string, number, readonly Pod[]]>([
    ['it has not tried all pods yet: the window waits for them', 3400, [aPod('queued')]],
    ['none is in its queue: the window closes a second after the last', 1000, []],
    ['the only one in a queue is in that of another scheduler: likewise', 1000, [aPod('queued', { spec: { schedulerName: 'volcano' } })]],
  ])('%s', async (_, expected, queued) => {
    expect(await closedAfterMs(queued)).toBe(expected);
  });
});

/** What waits is planned whenever a window closes; `onPlan` sees it. */
const aPlanner = (onPlan: (planner: ReturnType<typeof planningTriggers>) => void = () => undefined) => {
  const { cluster, shell, batcher, triggers, signal } = triggersOfACluster();
  const closedAtMs: number[] = [];
  const startMs = shell.clock.now();
  const plan = async (): Promise<void> => {
    for (;;) {
      await batcher.wait(signal);
      closedAtMs.push(shell.clock.now() - startMs);
      onPlan(triggers);
    }
  };
  void plan();
  return { cluster, shell, batcher, closedAtMs, sinceStartMs: () => shell.clock.now() - startMs };
};

describe('when pods of a namespace that fit nowhere are made again twice a second', () => {
  const aChurn = () => {
    let pod = 0;
    const rejected = () => [{ pod: waitingPod(`h${pod}`, 'hostile'), reason: { kind: 'no-node-pools' } as const }];
    const planner = aPlanner(({ note }) => note({ plannedNodes: [], placements: new Map(), rejections: rejected() }));
    const churn = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) {
        planner.cluster.seed('Pod', waitingPod(`h${++pod}`, 'hostile'));
        await planner.shell.clock.advance(500);
      }
    };
    return { ...planner, churn };
  };

  test('after one plan › they keep no window open for more than two seconds', async () => {
    const { closedAtMs, churn } = aChurn();
    await churn(36);
    const waits = closedAtMs.slice(1).map((closedMs, index) => closedMs - (closedAtMs[index] ?? 0));
    expect(closedAtMs[0]).toBeLessThanOrEqual(10_000);
    expect(waits.length).toBeGreaterThan(3);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2500);
  });

  test('after one plan › those that come together are still planned together', async () => {
    const { cluster, shell, closedAtMs, churn } = aChurn();
    await churn(1);
    await shell.clock.advance(15_000);
    const before = closedAtMs.length;
    for (let pod = 0; pod < 20; pod++) {
      cluster.seed('Pod', waitingPod(`together-${pod}`, 'hostile'));
      await shell.clock.advance(40);
    }
    await shell.clock.advance(3000);
    expect(closedAtMs.length - before).toBe(1);
  });

  test('after five plans › a lone pod of another namespace is planned as if none were', async () => {
    const { cluster, shell, batcher, closedAtMs, churn, sinceStartMs } = aChurn();
    await churn(240);
    const createdMs = sinceStartMs();
    cluster.seed('Pod', waitingPod('lone'));
    await shell.clock.advance(400);
    expect((closedAtMs.at(-1) ?? 0) - createdMs).toBeGreaterThanOrEqual(0);
    expect((closedAtMs.at(-1) ?? 0) - createdMs).toBeLessThanOrEqual(150);
    expect(batcher.arrivals).toBe('quiet');
  });

  test('after five plans › they are planned once a second', async () => {
    const { closedAtMs, churn } = aChurn();
    await churn(240);
    const before = closedAtMs.length;
    await churn(20);
    expect(closedAtMs.length - before).toBeGreaterThanOrEqual(9);
    expect(closedAtMs.length - before).toBeLessThanOrEqual(11);
  });
});

test('when a kubelet writes its draining node twice a second › a lone pod is planned as if it did not', async () => {
  const { cluster, shell, batcher, closedAtMs, sinceStartMs } = aPlanner();
  const node = aKubeNode('n', { spec: { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] } });
  for (let time = 0; time < 60; time++) {
    cluster.seed('Node', { ...node, metadata: { ...node.metadata, annotations: { time: String(time) } } });
    await shell.clock.advance(500);
  }
  const createdMs = sinceStartMs();
  cluster.seed('Pod', waitingPod('lone'));
  await shell.clock.advance(400);
  expect((closedAtMs.at(-1) ?? 0) - createdMs).toBeGreaterThanOrEqual(75);
  expect((closedAtMs.at(-1) ?? 0) - createdMs).toBeLessThanOrEqual(150);
  expect(batcher.arrivals).not.toBe('steady');
});

describe('when claims change several times a second', () => {
  const aStream = () => {
    const { cluster, shell, batcher, closedAtMs } = aPlanner();
    let version = 0;
    const change = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) {
        const annotations = { version: String(version++) };
        for (const name of ['a', 'b', 'c']) cluster.seed('PersistentVolumeClaim', { metadata: { name, namespace: 'shop', annotations } });
        await shell.clock.advance(100);
      }
    };
    return { cluster, shell, batcher, closedAtMs, change };
  };

  test('a plan is made at once, and again each second', async () => {
    const { shell, closedAtMs, change } = aStream();
    await change(1);
    expect(closedAtMs).toEqual([75]);
    await change(39);
    await shell.clock.advance(3000);
    expect(closedAtMs).toEqual([75, 1075, 2075, 3075, 4075]);
  });

  test('a lone pod is planned as if none did', async () => {
    const { cluster, batcher, closedAtMs, change } = aStream();
    await change(25);
    cluster.seed('Pod', aPod('lone', { status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] } }));
    await change(5);
    expect(closedAtMs).toEqual([75, 1075, 2075, 2575]);
    expect(batcher.arrivals).toBe('quiet');
  });
});

describe('pods that found no place are checked again', () => {
  test.each<[string, CacheChange<NodePool>, boolean]>([
    ['when a pool becomes ready', updated(poolThatIs('False'), poolThatIs('True')), true],
    ['when a person edits a ready pool, say its limit', updated(poolThatIs('True', 1), poolThatIs('True', 2)), true],
    ['not when only the status of a ready pool changes', updated(poolThatIs('True'), poolThatIs('True')), false],
    ['not when a pool that is not ready is edited', updated(poolThatIs('False', 1), poolThatIs('False', 2)), false],
    ['not when a pool stops being ready', updated(poolThatIs('True'), poolThatIs('False')), false],
    ['when a ready pool appears', { type: 'added', key, object: poolThatIs('True') }, true],
    ['not when a pool goes', { type: 'deleted', key, object: poolThatIs('True') }, false],
  ])('%s', (_name, change, expected) => {
    expect(allowsMore(change)).toBe(expected);
  });
});
