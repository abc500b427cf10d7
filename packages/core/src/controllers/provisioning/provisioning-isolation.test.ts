import { expect, test } from '@jest/globals';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { pureDecisions } from '../pure-decisions.ts';
import { provisioning } from './provisioning.ts';

const pending = (name: string, annotations: Readonly<Record<string, string>> = {}): Pod => ({
  metadata: { name, namespace: 'default', uid: name, annotations },
  spec: { containers: [] },
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
});

/** A plan that trips over one pod, as a bug does. */
const tripping: typeof pureDecisions.planning = function* (snapshot: ClusterSnapshot, policy, shouldStop) {
  for (const { metadata } of snapshot.pendingPods)
    if (metadata.annotations?.['odd'] !== undefined) throw new RangeError('Invalid time value');
  return yield* pureDecisions.planning(snapshot, policy, shouldStop);
};

test('when one pod triggers a bug in the plan › the others are planned in the same pass, and an event names the pod', async () => {
  const cluster = new FakeCluster();
  for (const pod of [pending('web-1'), pending('odd', { odd: 'yes' }), pending('web-2')]) cluster.seed('Pod', pod);
  const shell = fakeShell(cluster);
  const options = { policy: defaultSchedulingPolicy, batchIdleMs: 1000, batchMaxMs: 10_000, solveMs: 60_000 };
  const bugs: unknown[] = [];
  const end = new AbortController();
  const controller = provisioning(shell, { ...pureDecisions, planning: tripping }, options);
  const outcome = await controller.reconcile({ signal: end.signal, foundBug: (error) => void bugs.push(error) });
  end.abort();
  expect(outcome.kind).toBe('requeue');
  expect(bugs).toEqual([new RangeError('Invalid time value')]);
  expect(shell.told).toContainEqual(
    expect.objectContaining({ kind: 'quarantined', subjects: [expect.objectContaining({ kind: 'Pod', name: 'odd' })] }),
  );
  expect(shell.told).toContainEqual(expect.objectContaining({ kind: 'plan-computed', pods: 2 }));
});
