import { expect, test } from '@jest/globals';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import { pureDecisions } from '../shell.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { provisioning } from './provisioning.ts';
import { aPendingPod } from '../../testing/objects.ts';

/** What a node counts for beside its machine, in the first plan with each pod. A pod comes at each of the moments. */
const nodePricesOfWindows = async (arrivalsMs: readonly number[]): Promise<readonly (number | undefined)[]> => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster);
  const prices = new Map<number, number | undefined>();
  const planning: typeof pureDecisions.planning = (snapshot, policy, shouldStop) => {
    const pods = snapshot.pendingPods.length;
    if (!prices.has(pods)) prices.set(pods, policy.nodePricePerHour);
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
    cluster.seed('Pod', aPendingPod(`pod-${index}`));
  }
  await shell.clock.advance(2000);
  end.abort(new Error('the test is over'));
  await running;
  return [...prices.values()];
};

test('when pods come one window after another › their nodes count a dollar more, so that windows share machines', async () => {
  expect(await nodePricesOfWindows([0, 4000, 8000])).toEqual([0.01, 1.01, 1.01]);
});

test('when pods come within a minute › their nodes count a quarter of a dollar more', async () => {
  expect(await nodePricesOfWindows([0, 30_000])).toEqual([0.01, 0.26]);
});

test('when a pod comes after a minute › its node counts as ever', async () => {
  expect(await nodePricesOfWindows([0, 61_000])).toEqual([0.01, 0.01]);
});
