import { describe, expect, test } from '@jest/globals';
import { deleteNodeClaim } from '../../actions/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { disruptedTaint } from '../../apis/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import { commandRecordText, machineKeyOf, PLANNED_PODS_ANNOTATION, REPLACES_ANNOTATION } from '../../state/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { pureDecisions } from '../shell.ts';
import { abandonCommand, closeCandidates, openCandidates } from './command-steps.ts';
import type { CommandRun } from './command-runs.ts';
import { CommandRuns } from './command-runs.ts';
import { nodeClassRef } from '../../testing/objects.ts';

const { signal } = new AbortController();
const yes = (type: string) => ({ type, status: 'True', reason: type, message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }) as const;
const poolLabels = { 'karpenter.sh/nodepool': 'general' };
const upLabels = { ...poolLabels, 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
const record = { id: 'c', method: 'single-node', reason: 'Underutilized', startedMs: 0, replacements: 1, savingsPerHour: 0.1 };

interface Options {
  readonly cpus?: number;
  readonly replaces?: readonly string[];
  readonly plannedPods?: string;
  readonly isUp?: boolean;
}

/** A claim and, where it is up, its node. */
const seedMachine = (cluster: FakeCluster, name: string, { cpus = 4, replaces, plannedPods = '', isUp = true }: Options = {}): void => {
  const annotations = {
    [PLANNED_PODS_ANNOTATION]: plannedPods,
    ...(replaces === undefined ? {} : { [REPLACES_ANNOTATION]: commandRecordText({ ...record, candidates: replaces }) }),
  };
  const capacity = { cpu: String(cpus) };
  cluster.seed('NodeClaim', {
    metadata: { name, uid: name, annotations, labels: poolLabels, finalizers: ['karpenter.sh/termination'] },
    spec: { requirements: [], nodeClassRef },
    status: { providerID: `test:///${name}`, capacity, conditions: ['Launched', ...(isUp ? ['Registered', 'Initialized'] : [])].map(yes) },
  });
  if (!isUp) return;
  cluster.seed('Node', {
    metadata: { name: `node-${name}`, labels: upLabels },
    spec: { providerID: `test:///${name}` },
    status: { capacity, allocatable: capacity, conditions: [yes('Ready')] },
  });
};

/** A command that waits for its replacements, in a pool of eight cores. */
const aStartedCommand = async (candidates: readonly string[], replacements: readonly (readonly [string, Options])[]) => {
  const cluster = new FakeCluster();
  cluster.seed('NodePool', { metadata: { name: 'general' }, spec: { limits: { cpu: '8' }, template: { spec: { nodeClassRef } } } });
  for (const name of candidates) seedMachine(cluster, name);
  for (const [name, options] of replacements) seedMachine(cluster, name, { replaces: candidates, ...options });
  const shell = fakeShell(cluster);
  const view = (name: string) => shell.state.views(shell.clock.now()).find(({ claim }) => claim?.metadata.name === name);
  const nodes = candidates.flatMap((name) => view(name) ?? []);
  await closeCandidates(shell, { reason: 'Underutilized', candidates: nodes.map((node) => ({ node })) } as never, signal);
  const runs = new CommandRuns(shell.state);
  const run: CommandRun = {
    startedMs: 0,
    stage: { kind: 'replacing', claimNames: replacements.map(([name]) => name) },
    summary: {
      id: 'c',
      method: 'single-node',
      reason: 'Underutilized',
      decision: 'replace',
      candidates: nodes,
      replacements: [],
      savingsPerHour: 0,
    },
  };
  runs.set(run);
  const options = { policy: defaultSchedulingPolicy, spotToSpot: false, passMs: 1000, validationMs: 1000 };
  const callOff = () => abandonCommand({ shell, decisions: pureDecisions, options, runs }, { run, why: 'timeout' }, signal);
  const claim = (name: string): NodeClaim => cluster.kind('NodeClaim').get({ name });
  const isClosed = (name: string) =>
    (cluster.kind('Node').get({ name: `node-${name}` }) as { spec: { taints?: readonly object[] } }).spec.taints?.length === 1;
  return { cluster, shell, view, callOff, claim, isClosed, runs };
};

describe('a command that is called off', () => {
  test('reopens its node and deletes a replacement that no pod runs on or waits for', async () => {
    const { callOff, claim, view, isClosed, runs, shell } = await aStartedCommand(['old'], [['new', { cpus: 2, isUp: false }]]);
    expect([view('old')?.isMarkedForDeletion, isClosed('old')]).toEqual([true, true]);
    await callOff();
    expect(claim('new').metadata.deletionTimestamp).toBeDefined();
    expect([view('old')?.isMarkedForDeletion, isClosed('old'), runs.list()]).toEqual([false, false, []]);
    expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'claim-disrupted', reason: 'called_off' }));
  });

  test.each<[string, Options]>([
    ['that is up', {}],
    ['that a pod waits for', { isUp: false, plannedPods: 'web' }],
  ])('leaves a replacement %s, which says no longer that it is one', async (_, options) => {
    const { cluster, callOff, claim } = await aStartedCommand(['old'], [['new', { cpus: 4, ...options }]]);
    cluster.seed('Pod', {
      metadata: { name: 'web', namespace: 'default', uid: 'web' },
      spec: { containers: [] },
      status: { phase: 'Pending' },
    });
    await callOff();
    expect(claim('new').metadata.deletionTimestamp).toBeUndefined();
    expect(claim('new').metadata.annotations?.[REPLACES_ANNOTATION]).toBeUndefined();
  });

  test('deletes as many running replacements as exceed its pool’s limits beside the node that stays', async () => {
    const { callOff, claim, shell } = await aStartedCommand(
      ['old'],
      [
        ['a', { cpus: 2 }],
        ['b', { cpus: 2 }],
        ['c', { cpus: 2 }],
      ],
    );
    await callOff();
    expect(['a', 'b', 'c'].map((name) => claim(name).metadata.deletionTimestamp !== undefined)).toEqual([true, false, false]);
    expect(shell.state.usageOf('general')).toMatchObject({ cpu: 8000, nodes: 3 });
  });

  test('keeps a node tainted, and on its way out, that something else deleted while the cache lags', async () => {
    const { cluster, shell, callOff, claim, view, isClosed } = await aStartedCommand(
      ['old', 'expired'],
      [['new', { cpus: 4, isUp: false }]],
    );
    // The cache still shows the old object: only the API server's response shows the deletion.
    const shown = claim('expired');
    await deleteNodeClaim(shell, shown, { reason: 'expired', signal });
    cluster.seed('NodeClaim', { ...shown, spec: shown.spec });
    expect(claim('expired').metadata.deletionTimestamp).toBeUndefined();
    await callOff();
    expect([view('old')?.isMarkedForDeletion, isClosed('old')]).toEqual([false, false]);
    expect([view('expired')?.isMarkedForDeletion, isClosed('expired')]).toEqual([true, true]);
  });

  test('when one of its nodes triggers a bug › it is left out by name, and the others are opened', async () => {
    const { cluster, shell, view } = await aStartedCommand(['odd', 'old'], []);
    const nodes = ['odd', 'old'].flatMap((name) => view(name) ?? []);
    cluster.kind('Node').put({ metadata: { name: 'node-odd' }, spec: { taints: [null] } } as never);
    await openCandidates(shell, nodes, signal);
    expect(cluster.kind('Node').get({ name: 'node-old' })).toMatchObject({ spec: { taints: [] } });
    expect(shell.reported).toContainEqual(
      expect.objectContaining({ kind: 'quarantined', subjects: [expect.objectContaining({ kind: 'NodeClaim', name: 'odd' })] }),
    );
  });

  test('when a node without a claim triggers a bug › the node is named', async () => {
    const { cluster, shell, view } = await aStartedCommand(['odd'], []);
    const [node] = ['odd'].flatMap((name) => view(name) ?? []).map(({ claim: _, ...rest }) => rest);
    cluster.kind('Node').put({ metadata: { name: 'node-odd' }, spec: { taints: [null] } } as never);
    await openCandidates(shell, node === undefined ? [] : [node], signal);
    const subjects = [expect.objectContaining({ apiVersion: 'v1', kind: 'Node', name: 'node-odd' })];
    expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'quarantined', subjects }));
  });

  test('goes on being called off when a write fails, and frees its nodes for planning at once', async () => {
    const { cluster, callOff, view, runs } = await aStartedCommand(['old'], [['new', { isUp: false }]]);
    const deleting = cluster.delete.bind(cluster);
    cluster.delete = () => Promise.reject(new Error('refused'));
    await expect(callOff()).rejects.toThrow('refused');
    expect(runs.list().map(({ stage }) => stage)).toEqual([{ kind: 'called-off', why: 'timeout' }]);
    expect(view('old')?.isMarkedForDeletion).toBe(false);
    cluster.delete = deleting;
    await callOff();
    expect(runs.list()).toEqual([]);
  });
});

test('a node whose replacement is gone no longer counts as on its way out, even before the command is called off', async () => {
  const { shell, view, claim } = await aStartedCommand(['old'], [['new', { isUp: false }]]);
  const old = view('old');
  expect(old?.isMarkedForDeletion).toBe(true);
  await deleteNodeClaim(shell, claim('new'), { reason: 'insufficient_capacity', signal });
  expect(view('old')?.isMarkedForDeletion).toBe(false);
  expect(old === undefined ? '' : machineKeyOf(old)).toBe('claim/old');
  expect(old?.taints).toEqual([disruptedTaint]);
});

test('a node that is being replaced counts against the limits of its pool until it is deleted', async () => {
  const { shell, view, claim } = await aStartedCommand(['old'], [['new', { cpus: 1, isUp: false }]]);
  expect(view('old')?.isMarkedForDeletion).toBe(true);
  expect(shell.state.usageOf('general')).toMatchObject({ cpu: 4000 });
  await deleteNodeClaim(shell, claim('old'), { reason: 'underutilized', signal });
  expect(shell.state.usageOf('general')).toMatchObject({ cpu: 1000 });
});
