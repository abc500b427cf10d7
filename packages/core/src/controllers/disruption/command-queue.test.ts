import { expect, test } from '@jest/globals';
import type { DeleteOptions, Deletion, ObjectKey } from '@karpenter/runtime';
import type { NodeClaim } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { aBareNode } from '../../cluster/testing/a-bare-cluster.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { pureDecisions } from '../shell.ts';
import { commandQueue } from './command-queue.ts';
import type { CommandRun } from './command-runs.ts';
import { CommandRuns } from './command-runs.ts';

const aClaim = (name: string): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name, uid: `uid-of-${name}` },
  spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } },
});

const aView = (name: string): NodeView => aBareNode({ name: `node-${name}`, claim: aClaim(name) });

/** Decided; its node is to be deleted now. */
const aRun = (name: string): CommandRun => ({
  startedMs: Date.UTC(2026, 0, 1),
  stage: { kind: 'replacing', claimNames: [] },
  summary: {
    id: name,
    method: 'emptiness',
    reason: 'Empty',
    decision: 'delete',
    candidates: [aView(name)],
    replacements: [],
    savingsPerHour: 1,
  },
});

/** Does not let go of what is named `bad`. */
class RefusingCluster extends FakeCluster {
  override delete(kind: string, key: ObjectKey, options?: DeleteOptions): Promise<Deletion> {
    return key.name === 'bad' ? Promise.reject(new Error('refused')) : super.delete(kind, key, options);
  }
}

test('a command whose write the API server refuses holds up no other command', async () => {
  const cluster = new RefusingCluster();
  const shell = fakeShell(cluster);
  for (const name of ['bad', 'good']) cluster.seed('NodeClaim', aClaim(name));
  const runs = new CommandRuns(shell.state);
  for (const name of ['bad', 'good']) runs.set(aRun(name));
  const options = { policy: defaultSchedulingPolicy, spotToSpot: false, passMs: 1000, validationMs: 1000 };
  const queue = commandQueue({ shell, decisions: pureDecisions, options, runs });
  await expect(queue.reconcile({ signal: new AbortController().signal })).rejects.toThrow('refused');
  expect(cluster.writes).toEqual(['delete NodeClaim good']);
  expect(runs.list().map(({ summary }) => summary.id)).toEqual(['bad']);
});
