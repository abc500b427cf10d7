import { describe, expect, test } from '@jest/globals';
import type { RebalancePlan } from '../../apis/index.ts';
import { timestampOf } from '../../base/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import type { FakeShell } from '../fixtures/fake-shell.ts';
import { pureDecisions } from '../shell.ts';
import { CommandRuns } from './command-runs.ts';
import type { DisruptionDeps } from './command-runs.ts';
import { followRebalances, noteRebalance } from './rebalance-plans.ts';
import { afterWave, standingStatus, withoutNetSavings, withoutWave } from './rebalance-status.ts';
import type { RebalanceOutlook, RebalanceStatus } from './rebalance-status.ts';

const NOW = Date.UTC(2026, 0, 1);
const A_MINUTE_MS = 60_000;

const aPlan = (status: RebalanceStatus = {}, spec: RebalancePlan['spec'] = {}): RebalancePlan => ({
  ...{ apiVersion: 'karpenter.sh/v1alpha1', kind: 'RebalancePlan', metadata: { name: 'now', generation: 1 } },
  ...{ spec, status },
});

const nodes = ['a', 'b'].map((name) => ({ name, nodeClaim: `claim-${name}`, price: '0.4000' }));
const wave = { startTime: timestampOf(NOW), nodes, machines: 1, pods: 6 };

const held: RebalanceOutlook = { savingsPerHour: 0, waves: 0, heldUp: new Map([['n', { kind: 'pdb', pod: 'p', budget: 'b' }]]) };

describe('a wave that is over', () => {
  test('when all its nodes are gone › counts, and its machines lower what it saved', () => {
    const { status } = afterWave(
      aPlan({ wave, waves: 1, nodes: 3, pods: 9, savingsPerHour: '1.0000' }),
      { gone: nodes, machinesPerHour: 0.5 },
      NOW,
    );
    expect(status).toEqual({ waves: 2, nodes: 5, pods: 15, savingsPerHour: '1.3000' });
  });

  test('when a part of its nodes is gone › counts as far as it went', () => {
    const { status } = afterWave(aPlan({ wave }), { gone: nodes.slice(0, 1), machinesPerHour: 0 }, NOW);
    expect(status).toEqual({ waves: 1, nodes: 1, pods: 3, savingsPerHour: '0.4000' });
  });

  test('when none of its nodes is gone › does not count, and the next one waits a minute', () => {
    const { status } = afterWave(aPlan({ wave, waves: 1 }), { gone: [], machinesPerHour: 0 }, NOW);
    expect(status).toEqual({ waves: 1, retryTime: timestampOf(NOW + A_MINUTE_MS) });
  });
});

describe('a plan that can start no wave', () => {
  test('when nothing holds nodes up › is complete', () => {
    expect(withoutWave(aPlan(), { savingsPerHour: 0, waves: 0, heldUp: new Map() }, NOW)).toMatchObject({ phase: 'Completed' });
  });

  test('when nodes are held up › waits ten minutes, says for what, and is complete then', () => {
    const waiting = aPlan(withoutWave(aPlan(), held, NOW));
    expect(waiting.status).toMatchObject({ phase: 'Running', message: 'Waits for nodes that are held up: 1 pdb' });
    expect(withoutWave(waiting, held, NOW + 9 * A_MINUTE_MS).phase).toBe('Running');
    expect(withoutWave(waiting, held, NOW + 10 * A_MINUTE_MS)).toMatchObject({ phase: 'Completed', completionTime: expect.any(String) });
  });

  test('when it was paused meanwhile › the ten minutes begin again', () => {
    const waiting = aPlan(withoutWave(aPlan(), held, NOW), { paused: true });
    const standing = { active: undefined, isUnderWay: false };
    const paused = aPlan(standingStatus(waiting, { ...standing, nowMs: NOW + A_MINUTE_MS }));
    expect(paused.status?.phase).toBe('Paused');
    const resumed = aPlan(standingStatus(paused, { ...standing, active: paused, nowMs: NOW + 20 * A_MINUTE_MS }));
    expect(withoutWave(resumed, held, NOW + 20 * A_MINUTE_MS).phase).toBe('Running');
  });
});

const none: RebalanceOutlook['heldUp'] = new Map();

test.each([
  ['0.6 saved, and 0.5 to come', '0.6000', none, undefined],
  ['0.6 spent, and 0.5 to come', '-0.6000', none, 'Completed'],
  ['0.6 spent, 0.5 to come, and a node held up that may save more', '-0.6000', held.heldUp, 'Running'],
])('a plan with %s an hour › ends only where it loses', (...[, savingsPerHour, heldUp, phase]) => {
  expect(withoutNetSavings(aPlan({ savingsPerHour }), { savingsPerHour: 0.5, waves: 1, heldUp }, NOW)?.phase).toBe(phase);
});

const depsOf = (shell: FakeShell): DisruptionDeps => {
  const options = { policy: defaultSchedulingPolicy, spotToSpot: false, passMs: 1000, validationMs: 1000 };
  return { shell, decisions: pureDecisions, options, runs: new CommandRuns(shell.state) };
};

test('when a RebalancePlan triggers a bug › it is left out by name, and the next one is active', async () => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster);
  const odd = { name: 'first', creationTimestamp: '2026-01-01T00:00:00Z' };
  cluster.kind('RebalancePlan').put({ metadata: odd, spec: {}, status: { wave: {} } } as never);
  cluster.seed('RebalancePlan', { metadata: { name: 'second', creationTimestamp: '2026-01-01T00:01:00Z' }, spec: { maxMoves: 7 } });
  const task = await followRebalances(depsOf(shell), new WeakMap(), new AbortController().signal);
  expect(task).toMatchObject({ plan: { metadata: { name: 'second' } }, rebalance: { mostMoves: 7 } });
  expect(shell.reported).toContainEqual(
    expect.objectContaining({ kind: 'quarantined', subjects: [expect.objectContaining({ kind: 'RebalancePlan', name: 'first' })] }),
  );
});

test('when noting a pass on a RebalancePlan triggers a bug › nothing begins, and the plan is left out until it changes, ten minutes at most', async () => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster);
  const [deps, oddPlans, { signal }] = [depsOf(shell), new WeakMap<RebalancePlan, number>(), new AbortController()];
  const first = { metadata: { name: 'first' }, spec: {} };
  cluster.seed('RebalancePlan', first);
  const active = async () => (await followRebalances(deps, oddPlans, signal))?.plan;
  const note = async () => {
    const proposal = { command: {}, rebalance: { savingsPerHour: 1, waves: 1, heldUp: none } } as never;
    return noteRebalance(deps, { plan: await active(), proposal, oddPlans }, signal);
  };
  expect((await active())?.metadata.name).toBe('first');
  expect(await note()).toBeUndefined();
  const subjects = [expect.objectContaining({ kind: 'RebalancePlan', name: 'first' })];
  expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'quarantined', subjects }));
  expect(await active()).toBeUndefined();
  await shell.clock.advance(600_000);
  expect((await active())?.metadata.name).toBe('first');
  await note();
  cluster.seed('RebalancePlan', { ...first, spec: { maxMoves: 7 } });
  expect((await active())?.spec.maxMoves).toBe(7);
});

test('when a wave is over › what its machines cost is read under a mark', async () => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster);
  cluster.kind('RebalancePlan').put(aPlan({ wave }));
  const marks: (string | undefined)[] = [];
  const snapshot = shell.state.snapshot.bind(shell.state);
  shell.state.snapshot = (nowMs) => {
    marks.push(shell.mark());
    return snapshot(nowMs);
  };
  await followRebalances(depsOf(shell), new WeakMap(), new AbortController().signal);
  expect(marks).toEqual([expect.stringContaining('snapshot')]);
  expect(shell.mark()).toBeUndefined();
});
