import { expect, test } from '@jest/globals';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import type { Plan, SchedulingPolicy } from '../../scheduling/index.ts';
import type { Pod } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { pureDecisions } from '../shell.ts';
import { provisioning } from './provisioning.ts';
import { aPendingPod } from '../../testing/objects.ts';

/** What each of two plans in a row begins with, where every plan ends so. */
const postponedInTwoPlans = async (pods: readonly Pod[], ending: Partial<Plan>): Promise<readonly SchedulingPolicy['postponed'][]> => {
  const cluster = new FakeCluster();
  for (const pod of pods) cluster.seed('Pod', pod);
  const asked: SchedulingPolicy[] = [];
  const planning: typeof pureDecisions.planning = function* (snapshot, policy, shouldStop) {
    asked.push(policy);
    const plan: Plan = yield* pureDecisions.planning(snapshot, policy, shouldStop);
    return { ...plan, ...ending };
  };
  const options = { policy: defaultSchedulingPolicy, batchIdleMs: 1000, batchMaxMs: 10_000, solveMs: 60_000 };
  const controller = provisioning(fakeShell(cluster), { ...pureDecisions, planning }, options);
  const end = new AbortController();
  const context = { signal: end.signal, foundBug: () => undefined };
  await controller.reconcile(context);
  await controller.reconcile(context);
  end.abort();
  return asked.map(({ postponed }) => postponed);
};

test('when a plan postpones pods › the next plan begins with them', async () => {
  const [web, costly] = [aPendingPod('web'), aPendingPod('costly')];
  expect(await postponedInTwoPlans([web, costly], { postponed: [costly] })).toEqual([[], [costly]]);
});

test('when time runs out before a pod has its turn › the next plan begins with it', async () => {
  const web = aPendingPod('web');
  expect(await postponedInTwoPlans([web], { rejections: [{ pod: web, reason: { kind: 'stopped' } }] })).toEqual([[], [web]]);
});
