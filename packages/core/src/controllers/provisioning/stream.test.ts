import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { aCluster, aNode, aPool, aRunningPod } from '../../disruption/testing/a-cluster.ts';
import { defaultSchedulingPolicy, simulate } from '../../scheduling/index.ts';
import type { SchedulingPolicy } from '../../scheduling/index.ts';
import { aPodRequesting } from '../../testing/objects.ts';
import { pureDecisions } from '../shell.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { provisioning } from './provisioning.ts';

const pending = (name: string): Pod => ({
  metadata: { name, namespace: 'default', uid: name },
  spec: { containers: [] },
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
});

/** The policy of the first plan with each pod. A pod comes at each of the moments. */
const policiesOfWindows = async (arrivalsMs: readonly number[]): Promise<readonly SchedulingPolicy[]> => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster);
  const policies = new Map<number, SchedulingPolicy>();
  const planning: typeof pureDecisions.planning = (snapshot, policy, shouldStop) => {
    const pods = snapshot.pendingPods.length;
    if (!policies.has(pods)) policies.set(pods, policy);
    return pureDecisions.planning(snapshot, policy, shouldStop);
  };
  const policy = { ...defaultSchedulingPolicy, nodePricePerHour: 0.01 };
  const controller = provisioning(
    shell,
    { ...pureDecisions, planning },
    { policy, batchIdleMs: 1000, batchMaxMs: 10_000, solveMs: 60_000 },
  );
  const end = new AbortController();
  const context = { signal: end.signal, foundBug: () => undefined };
  const run = async (): Promise<void> => {
    for (;;) {
      await controller.untilWork?.(context);
      await controller.reconcile(context);
    }
  };
  const running = run().catch(() => undefined);
  for (const [index, atMs] of arrivalsMs.entries()) {
    await shell.clock.advance(atMs - (arrivalsMs[index - 1] ?? 0));
    cluster.seed('Pod', pending(`pod-${index}`));
  }
  await shell.clock.advance(2000);
  end.abort(new Error('the test is over'));
  await running;
  return [...policies.values()];
};

/** What a node counts for beside its machine in these plans. */
const nodePricesOfWindows = async (arrivalsMs: readonly number[]): Promise<readonly (number | undefined)[]> =>
  (await policiesOfWindows(arrivalsMs)).map(({ nodePricePerHour }) => nodePricePerHour);

test('when pods come one window after another › their nodes count a dollar more, so that windows share machines', async () => {
  expect(await nodePricesOfWindows([0, 4000, 8000])).toEqual([0.01, 1.01, 1.01]);
});

test('when pods come within a minute › their nodes count a quarter of a dollar more', async () => {
  expect(await nodePricesOfWindows([0, 30_000])).toEqual([0.01, 0.26]);
});

test('when a pod comes after a minute › its node counts as ever', async () => {
  expect(await nodePricesOfWindows([0, 61_000])).toEqual([0.01, 0.01]);
});

describe('when a pod prefers another host than that of its sibling, which is the only node with room', () => {
  const web = { metadata: { labels: { app: 'web' } } };
  const podAffinityTerm = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
  const affinity = { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] } };
  const pods = [0, 1].map((index) => aPodRequesting({ cpu: '1' }, `web-${index}`, { ...web, spec: { affinity } }));
  const comingUp = aNode('n', { cpus: 4, isInitialized: false, pods: [aRunningPod('sibling', 2, web)] });
  /** Pods on the node, and on each planned node. */
  const planned = (policy: SchedulingPolicy) => {
    const plan = simulate(aCluster([comingUp], { nodePools: [aPool()], pendingPods: pods }), policy, () => false);
    return { onNode: plan.placements.get('n')?.length ?? 0, onNew: plan.plannedNodes.map((node) => node.pods.length) };
  };

  test('a pod is planned for the node, since kube-scheduler will not wait for another one', async () => {
    const [policy = defaultSchedulingPolicy] = await policiesOfWindows([0]);
    expect(planned({ ...defaultSchedulingPolicy, fillsNodesFirst: policy.fillsNodesFirst ?? false })).toEqual({ onNode: 2, onNew: [] });
  });

  test('a policy that does not fill nodes first plans it for a new one', () => {
    expect(planned(defaultSchedulingPolicy)).toEqual({ onNode: 0, onNew: [1, 1] });
  });

  test('of more pods than the node has room for the others get their preference', () => {
    const third = aPodRequesting({ cpu: '1' }, 'web-2', { ...web, spec: { affinity } });
    const snapshot = aCluster([comingUp], { nodePools: [aPool()], pendingPods: [...pods, third] });
    const plan = simulate(snapshot, { ...defaultSchedulingPolicy, fillsNodesFirst: true }, () => false);
    expect([plan.placements.get('n')?.length, ...plan.plannedNodes.map((node) => node.pods.length)]).toEqual([2, 1]);
  });
});
