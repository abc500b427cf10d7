import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { machineKeyOf } from '../../state/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { aPod } from '../../testing/objects.ts';
import type { CommandRun } from './command-runs.ts';
import { CommandRuns } from './command-runs.ts';
import { aRun, viewOf } from './testing/a-run.ts';

const keys = (...names: readonly string[]) => new Set(names.map((name) => machineKeyOf(viewOf(name))));

const runsOf = (...all: readonly CommandRun[]): CommandRuns => runsIn(new FakeCluster(), ...all);

const runsIn = (cluster: FakeCluster, ...all: readonly CommandRun[]): CommandRuns => {
  const runs = new CommandRuns(fakeShell(cluster).state);
  for (const run of all) runs.set(run);
  return runs;
};

describe('commands that are validated at the same time', () => {
  const runs = runsOf(aRun('first'), aRun('second'), aRun('started', { kind: 'replacing', claimNames: [] }));

  test('the first does not count on a later one, which made both fail: each was planned in another order than it was validated', () =>
    expect(runs.machinesBefore(aRun('first'))).toEqual(keys('started')));

  test('the second counts on the first, as its plan did', () =>
    expect(runs.machinesBefore(aRun('second'))).toEqual(keys('first', 'started')));

  test('a run whose stage changes keeps its place', () => {
    runs.set(aRun('first'));
    expect(runs.machinesBefore(aRun('second'))).toEqual(keys('first', 'started'));
  });
});

test('the nodes for which commands in progress have planned pods are known until these end', () => {
  const [first, second] = [aRun('first'), aRun('second')].map((run, index) => ({ ...run, targets: ['shared', `target-${index + 1}`] }));
  if (first === undefined || second === undefined) throw new Error('there are two');
  const runs = runsOf(first, second, aRun('of another process'));
  expect(runs.targets(0)).toEqual(new Set(['shared', 'target-1', 'target-2']));
  runs.delete(second);
  expect(runs.targets(0)).toEqual(new Set(['shared', 'target-1']));
});

describe('the nodes for which a command has planned pods, once its own nodes are deleted', () => {
  const podOf = (uid: string): Pod => aPod(uid, { metadata: { uid }, spec: { nodeName: 'node-old' }, status: { phase: 'Running' } });
  const finished = () => {
    const cluster = new FakeCluster();
    for (const uid of ['web', 'db']) cluster.seed('Pod', podOf(uid));
    const run = { ...aRun('old', { kind: 'replacing', claimNames: [] }), targets: ['target'] };
    const runs = runsIn(cluster, run);
    runs.finish(run, 0);
    return { cluster, runs };
  };

  test('are kept for its pods until the last of them has left', async () => {
    const { cluster, runs } = finished();
    await cluster.delete('Pod', { name: 'web', namespace: 'default' });
    expect([...runs.targets(5000)]).toEqual(['target']);
    await cluster.delete('Pod', { name: 'db', namespace: 'default' });
    expect([...runs.targets(6000)]).toEqual([]);
  });

  test('are kept for ten minutes at most, where the drain does not end', () => {
    const { runs } = finished();
    expect([...runs.targets(599_999)]).toEqual(['target']);
    expect([...runs.targets(600_000)]).toEqual([]);
  });
});
