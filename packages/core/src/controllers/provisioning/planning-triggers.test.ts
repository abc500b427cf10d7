import { describe, expect, test } from '@jest/globals';
import type { CacheChange } from '@karpenter/runtime';
import type { NodePool } from '../../apis/index.ts';
import type { Pod } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { aKubeNode, aNodeClaim, aNodePool, aPod } from '../../testing/objects.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { Batcher } from './batcher.ts';
import { allowsMore, planningTriggers } from './planning-triggers.ts';

const poolThatIs = (ready: 'True' | 'False', generation = 1): NodePool =>
  aNodePool('general', { metadata: { generation }, status: { conditions: [{ type: 'Ready', status: ready }] } });
const key = { name: 'general' };
const updated = (previous: NodePool, object: NodePool): CacheChange<NodePool> => ({ type: 'updated', key, previous, object });

const aScene = () => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster);
  const batcher = new Batcher({ clock: shell.clock, idleMs: 1000, maxMs: 10_000 });
  planningTriggers(shell, batcher);
  return { cluster, shell, batcher, signal: new AbortController().signal };
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
  expect(shell.told).toEqual([{ kind: 'report-failed', about: 'nominations', error: new TypeError('x is undefined') }]);
});

test('when a pool became ready a moment before › a lone pod is planned at once all the same', async () => {
  const { cluster, shell, batcher, signal } = aScene();
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

describe('while kube-scheduler binds the pods of a machine that joined, five of them 600 ms apart', () => {
  const unschedulable = (name: string): Pod =>
    aPod(name, { status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] } });

  /** Milliseconds from the first pod that is bound until the window closes. `queued`: pods that kube-scheduler has not tried. */
  const closedAfterMs = async (queued: readonly Pod[]): Promise<number> => {
    const { cluster, shell, batcher, signal } = aScene();
    const size = { cpu: '4', memory: '16Gi', pods: '110' };
    cluster.seed('Node', aKubeNode('joined', { spec: { providerID: 'test:///joined' }, status: { capacity: size, allocatable: size } }));
    const planned = ['a', 'b', 'c', 'd', 'e', 'f'].map(unschedulable);
    for (const pod of planned) cluster.seed('Pod', pod);
    const ofPlanned = batcher.wait(signal);
    await shell.clock.advance(1000);
    await ofPlanned;
    const [view] = shell.state.views(shell.clock.now());
    if (view === undefined) throw new Error('the node is not known');
    shell.state.nominate(view, planned);
    for (const pod of queued) cluster.seed('Pod', pod);
    cluster.seed('Pod', unschedulable('late'));
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

describe('when claims change several times a second', () => {
  const aStream = () => {
    const { cluster, shell, batcher, signal } = aScene();
    const closedAtMs: number[] = [];
    const startMs = shell.clock.now();
    const plan = async (): Promise<void> => {
      for (;;) {
        await batcher.wait(signal);
        closedAtMs.push(shell.clock.now() - startMs);
      }
    };
    void plan();
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
