import { describe, expect, test } from '@jest/globals';
import type { DeleteOptions, Deletion, ObjectKey } from '@karpenter/runtime';
import type { NodePool } from '../../apis/index.ts';
import type { CloudProvider } from '../../cloudprovider/index.ts';
import type { Command, DisruptionContext } from '../../disruption/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { generalPool } from '../fixtures/general-pool.ts';
import { pureDecisions } from '../shell.ts';
import { aNodeClaim } from '../../testing/objects.ts';
import { commandQueue } from './command-queue.ts';
import { CommandRuns } from './command-runs.ts';
import { aRun, viewOf } from './testing/a-run.ts';

const labels = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };

const aReadyPool = (name: string): NodePool => ({
  ...generalPool,
  metadata: { name },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});

/** Does not let go of what is named `bad`. */
class RefusingCluster extends FakeCluster {
  override delete(kind: string, key: ObjectKey, options?: DeleteOptions): Promise<Deletion> {
    return key.name === 'bad' ? Promise.reject(new Error('refused')) : super.delete(kind, key, options);
  }
}

const aQueueWithARefusedCommand = () => {
  const cluster = new RefusingCluster();
  const shell = fakeShell(cluster);
  for (const name of ['bad', 'good', 'later']) cluster.seed('NodeClaim', aNodeClaim(name));
  const runs = new CommandRuns(shell.state);
  const begin = (name: string) => runs.set({ ...aRun(name, { kind: 'replacing', claimNames: [] }), startedMs: Date.UTC(2026, 0, 1) });
  for (const name of ['bad', 'good']) begin(name);
  const options = { policy: defaultSchedulingPolicy, spotToSpot: false, passMs: 1000, validationMs: 1000 };
  const queue = commandQueue({ shell, decisions: pureDecisions, options, runs });
  return { cluster, shell, runs, begin, lead: () => queue.reconcile({ signal: new AbortController().signal }) };
};

test('a command whose write the API server refuses holds up no other command', async () => {
  const { cluster, runs, lead } = aQueueWithARefusedCommand();
  await expect(lead()).rejects.toThrow('refused');
  expect(cluster.writes).toEqual(['delete NodeClaim good']);
  expect(runs.list().map(({ summary }) => summary.id)).toEqual(['bad']);
});

test('a command whose write the API server refuses is tried less often each time, and the queue goes on each second', async () => {
  const { cluster, shell, begin, lead } = aQueueWithARefusedCommand();
  const failedAfterS: number[] = [];
  for (let second = 0; second < 20; second++) {
    if (second === 5) begin('later');
    await lead().catch(() => failedAfterS.push(second));
    if (second === 5) expect(cluster.writes).toContain('delete NodeClaim later');
    await shell.clock.advance(1000);
  }
  expect(failedAfterS).toEqual([0, 1, 3, 7, 15]);
});

describe('while a command waits for its validation', () => {
  const anEmptyNode = { node: viewOf('old'), nodePool: { nodePool: aReadyPool('general'), instanceTypes: [], usage: {} } };
  const command: Command = {
    ...{ method: 'emptiness', reason: 'Empty', decision: 'delete', replacements: [], savingsPerHour: 1 },
    candidates: [{ ...anEmptyNode, reschedulablePods: [], pricePerHour: 1, disruptionCost: 1 }],
  };
  /** `mark`: what the process before left; the cluster has the node of the command and another. */
  const waiting = ({ provider = {}, mark }: { provider?: Partial<CloudProvider>; mark?: string } = {}) => {
    const cluster = new FakeCluster();
    for (const name of ['general', 'broken']) cluster.seed('NodePool', aReadyPool(name));
    for (const name of ['old', 'other']) {
      cluster.seed('NodeClaim', { ...aNodeClaim(name), status: { providerID: name } });
      cluster.seed('Node', { metadata: { name: `node-${name}`, labels }, spec: { providerID: name } });
    }
    const shell = fakeShell(cluster, provider, mark);
    const runs = new CommandRuns(shell.state);
    const judged: DisruptionContext[] = [];
    const decisions = {
      ...pureDecisions,
      *validating(proposed: Command, context: DisruptionContext) {
        judged.push(context);
        yield;
        return { valid: true as const, command: proposed };
      },
    };
    runs.set({ ...aRun('old'), startedMs: Date.UTC(2026, 0, 1), stage: { kind: 'validating', untilMs: 0, command } });
    const options = { policy: defaultSchedulingPolicy, spotToSpot: false, passMs: 1000, validationMs: 1000 };
    const queue = commandQueue({ shell, decisions, options, runs });
    return { shell, judged, lead: () => queue.reconcile({ signal: new AbortController().signal }) };
  };

  test('and the provider throws at one NodePool › the command is judged all the same', async () => {
    const broken = new TypeError('no such field');
    const getInstanceTypes: CloudProvider['getInstanceTypes'] = ({ metadata }) =>
      metadata.name === 'broken' ? Promise.reject(broken) : Promise.resolve([]);
    const { shell, judged, lead } = waiting({ provider: { getInstanceTypes } });
    await lead();
    expect(judged).toHaveLength(1);
    expect(shell.reported).toContainEqual({ kind: 'catalog-failed', nodePoolName: 'broken', error: broken });
  });

  test('and another node ended disruption plans › the command is judged without that node', async () => {
    const untilMs = Date.UTC(2026, 0, 1) + 60_000;
    const { judged, lead } = waiting({ mark: JSON.stringify({ blamed: [{ scope: 'Node node-other', untilMs, of: 'disruption' }] }) });
    await lead();
    const seen = judged[0]?.snapshot.nodes.map(({ name, isMarkedForDeletion }) => [name, isMarkedForDeletion]);
    expect(seen).toEqual([
      ['node-old', false],
      ['node-other', true],
    ]);
  });
});
