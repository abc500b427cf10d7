import { expect, test } from '@jest/globals';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { pureDecisions } from '../shell.ts';
import { provisioning } from './provisioning.ts';

const annotatedPod = (name: string, annotations: Readonly<Record<string, string>> = {}): Pod => ({
  metadata: { name, namespace: 'default', uid: name, annotations },
  spec: { containers: [] },
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
});

const node = (name: string, annotations: Readonly<Record<string, string>> = {}) => ({ metadata: { name, uid: name, annotations } });

const aType = { name: 'm', requirements: new Map(), offerings: [], capacity: { cpu: 4000, memory: 2 ** 34, pods: 110 }, overhead: {} };

const readyPool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general', uid: 'general' },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } } } },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

/** A plan that trips over one pod or node, as a bug does. */
const tripping: typeof pureDecisions.planning = function* (snapshot: ClusterSnapshot, policy, shouldStop) {
  const all = [...snapshot.pendingPods.map(({ metadata }) => metadata), ...snapshot.nodes];
  for (const { annotations } of all) if (annotations?.['odd'] !== undefined) throw new RangeError('Invalid time value');
  return yield* pureDecisions.planning(snapshot, policy, shouldStop);
};

const planning = (cluster: FakeCluster, mark?: string, decisions: Partial<typeof pureDecisions> = {}) => {
  const shell = fakeShell(cluster, { getInstanceTypes: () => Promise.resolve([aType]) }, mark);
  const options = { policy: defaultSchedulingPolicy, batchIdleMs: 1000, batchMaxMs: 10_000, solveMs: 60_000 };
  const bugs: unknown[] = [];
  const controller = provisioning(shell, { ...pureDecisions, planning: tripping, ...decisions }, options);
  const pass = async () => {
    const end = new AbortController();
    const outcome = await controller.reconcile({ signal: end.signal, foundBug: (error) => void bugs.push(error) });
    end.abort();
    return outcome.kind;
  };
  return { shell, bugs, pass };
};

const quarantined = (kind: string, name: string): unknown =>
  expect.objectContaining({ kind: 'quarantined', subjects: [expect.objectContaining({ kind, name })] });

test('when one pod triggers a bug in the plan › the others are planned in the same pass, and an event names the pod', async () => {
  const cluster = new FakeCluster();
  for (const pod of [annotatedPod('web-1'), annotatedPod('odd', { odd: 'yes' }), annotatedPod('web-2')]) cluster.seed('Pod', pod);
  const { shell, bugs, pass } = planning(cluster);
  expect(await pass()).toBe('requeue');
  expect(bugs).toEqual([new RangeError('Invalid time value')]);
  expect(shell.reported).toContainEqual(quarantined('Pod', 'odd'));
  expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'plan-computed', pods: 2 }));
});

test('when one node triggers a bug in the plan › all pods are planned in the same pass, and an event names the node', async () => {
  const cluster = new FakeCluster();
  for (const pod of [annotatedPod('web-1'), annotatedPod('web-2')]) cluster.seed('Pod', pod);
  for (const each of [node('plain'), node('odd', { odd: 'yes' })]) cluster.seed('Node', each);
  const { shell, bugs, pass } = planning(cluster);
  expect(await pass()).toBe('requeue');
  expect(bugs).toEqual([new RangeError('Invalid time value')]);
  expect(shell.reported).toContainEqual(quarantined('Node', 'odd'));
  expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'plan-computed', pods: 2 }));
});

test('when processes ended whichever pods they planned › nothing of the trials of nodes is carried out, and the whole plan follows', async () => {
  const cluster = new FakeCluster();
  cluster.seed('Pod', annotatedPod('web'));
  for (const name of ['a', 'b']) cluster.seed('Node', node(name));
  const { shell, pass } = planning(cluster, JSON.stringify({ provisioning: { stage: 'suspected', search: { tried: [] } } }));
  const plans = (): number => shell.reported.filter(({ kind }) => kind === 'plan-computed').length;
  const seen: number[] = [];
  for (const _ of ['no node', 'a', 'b', 'all']) {
    await pass();
    seen.push(plans());
  }
  expect(seen).toEqual([0, 0, 0, 1]);
});

test('when a process ends while it explains why a pod has no place › the mark names the namespace of the pod', async () => {
  const cluster = new FakeCluster();
  cluster.seed('Pod', annotatedPod('web'));
  const marks: (string | undefined)[] = [];
  const { shell, pass } = planning(cluster, undefined, {
    explain: () => {
      marks.push(shell.mark());
      return 'no place';
    },
  });
  await pass();
  expect(marks).toEqual([expect.stringContaining('"during":["default"]')]);
  expect(shell.mark()).toBeUndefined();
});

test('when the report of a plan triggers a bug › it is reported, and the provisioner goes on', async () => {
  const cluster = new FakeCluster();
  cluster.seed('Pod', annotatedPod('web'));
  const { shell, pass } = planning(cluster);
  shell.events.record = () => {
    throw new TypeError('no event');
  };
  await pass();
  expect(shell.reported).toContainEqual({ kind: 'report-failed', about: 'outcome of a plan', error: new TypeError('no event') });
});

test('when a process ends while it rehearses › the mark says so', async () => {
  const cluster = new FakeCluster();
  cluster.seed('NodePool', readyPool);
  const marks: (string | undefined)[] = [];
  const { shell, pass } = planning(cluster, undefined, {
    *planning(...args) {
      marks.push(shell.mark());
      return yield* pureDecisions.planning(...args);
    },
  });
  await pass();
  expect([...new Set(marks)]).toEqual([expect.stringContaining('"during":["rehearsal"]')]);
  expect(shell.mark()).toBeUndefined();
});
