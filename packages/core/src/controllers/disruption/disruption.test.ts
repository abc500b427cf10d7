import { expect, test } from '@jest/globals';
import { KubeError } from '@karpenter/runtime';
import type { KubeObject, ObjectKey, Patch } from '@karpenter/runtime';
import { hashAnnotations } from '../../apis/index.ts';
import type { CapacityBuffer, NodeClaim, NodePool } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { Command, Proposal } from '../../disruption/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';
import { machineKeyOf } from '../../state/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { pureDecisions } from '../shell.ts';
import { commandQueue } from './command-queue.ts';
import { CommandRuns } from './command-runs.ts';
import { disruption } from './disruption.ts';
import { nodeClassRef } from '../../testing/objects.ts';
const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general', uid: 'uid-general' },
  spec: { template: { spec: { requirements: [], nodeClassRef } } },
};
const claim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'old', labels: { 'karpenter.sh/nodepool': 'general' } },
  spec: { requirements: [], nodeClassRef },
  status: {
    providerID: 'old',
    conditions: ['Launched', 'Registered', 'Initialized'].map((type) => ({ type, status: 'True' as const })),
  },
};
const node = {
  metadata: {
    name: 'old',
    labels: { 'karpenter.sh/nodepool': 'general', 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' },
  },
  spec: { providerID: 'old' },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};
const offering = { zone: 'z1', capacityType: 'spot', pricePerHour: 0.25, isAvailable: true, requirements: new Map() };
const instanceType: InstanceType = { name: 'm4', requirements: new Map(), offerings: [offering], capacity: {}, overhead: {} };
const replacement: PlannedNode = {
  nodePoolName: 'general',
  pods: [],
  instanceTypes: [instanceType],
  cheapest: { instanceType, offering },
  requests: {},
  claim: { labels: {}, annotations: hashAnnotations(pool), spec: claim.spec },
};
const signal = new AbortController().signal;

/** Rejects new claims while `error` is set, and changes of a node while it is being changed all the time. */
class RefusingCluster extends FakeCluster {
  error: Error | undefined;
  changing: string | undefined;

  override patch<T extends KubeObject>(kind: string, key: ObjectKey, patch: Patch): Promise<T | undefined> {
    if (key.name !== this.changing) return super.patch(kind, key, patch);
    this.writes.push(`conflict ${kind} ${key.name}`);
    return Promise.reject(new KubeError('somebody else wrote first', { code: 'conflict', cause: undefined }));
  }

  override create<T extends KubeObject>(kind: string, object: T): Promise<T> {
    return this.error !== undefined && kind === 'NodeClaim' ? Promise.reject(this.error) : super.create(kind, object);
  }
}

/** A pass that finds the old node to give way to another by this method; a second pass holds it up. */
const disrupting = (
  method: Command['method'],
  { mark, timing, finds = true }: Partial<{ mark: string; timing: Partial<Pick<Proposal, 'hold' | 'nextSettledMs'>>; finds: boolean }> = {},
) => {
  const cluster = new RefusingCluster();
  cluster.seed('NodePool', pool);
  cluster.seed('NodeClaim', claim);
  cluster.seed('Node', node);
  const shell = fakeShell(cluster, {}, mark);
  const runs = new CommandRuns(shell.state);
  const asked: string[] = [];
  const targetsAsked: (readonly string[])[] = [];
  const mayHold: (boolean | undefined)[] = [];
  const commandIn = (context: Parameters<typeof pureDecisions.proposing>[0]): { readonly command?: Command } => {
    const [view] = context.snapshot.nodes;
    if (view === undefined || !finds) return {};
    const candidate = {
      ...{ node: view, nodePool: { nodePool: pool, instanceTypes: [], usage: {} } },
      ...{ reschedulablePods: [], pricePerHour: 1, disruptionCost: 1 },
    };
    return {
      command: {
        method,
        reason: 'Drifted',
        decision: 'replace',
        candidates: [candidate],
        replacements: [replacement],
        targets: ['b'],
        savingsPerHour: 0,
      },
    };
  };
  const deps = {
    ...{ shell, runs },
    decisions: {
      ...pureDecisions,
      *proposing(context: Parameters<typeof pureDecisions.proposing>[0]) {
        asked.push('proposing');
        targetsAsked.push([...(context.targets ?? [])]);
        mayHold.push(context.mayHold);
        yield;
        return {
          ...commandIn(context),
          blocked: new Map(),
          evaluated: new Set<string>(),
          driftEvaluated: new Set<string>(),
          eligible: new Map(),
          weighed: [],
          nextSettledMs: Number.POSITIVE_INFINITY,
          ...timing,
        };
      },
      *validating(command: Command) {
        asked.push('validating');
        yield;
        return { valid: true as const, command };
      },
    },
    options: { policy: defaultSchedulingPolicy, spotToSpot: false, passMs: 1000, validationMs: 15_000 },
  };
  return {
    cluster,
    shell,
    runs,
    asked,
    targetsAsked,
    mayHold,
    reconcile: () => disruption(deps).reconcile({ signal }),
    controller: disruption(deps),
    lead: () => commandQueue(deps).reconcile({ signal }),
  };
};

const stagesOf = (runs: CommandRuns): readonly string[] => runs.list().map(({ stage }) => stage.kind);

test.each(['drift', 'static-drift'] as const)(
  'what was found by %s is started by the pass that found it, so that the next pass finds its pods taken care of',
  async (method) => {
    const { cluster, shell, runs, asked, reconcile } = disrupting(method);
    await reconcile();
    expect(stagesOf(runs)).toEqual(['replacing']);
    expect(cluster.writes.filter((write) => write.startsWith('create'))).toHaveLength(1);
    expect(shell.reported.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['command-proposed', 'command-started']));
    expect(asked).toEqual(['proposing']);
  },
);

test.each<[string, string | undefined, string]>([
  ['is closed again each time it is opened', undefined, 'patch Node closed'],
  ['cannot be opened, because somebody changes it all the time', 'closed', 'conflict Node closed'],
])('a node without a command that %s holds up no pass, and is tried less often each time', async (_, changing, write) => {
  const { cluster, shell, asked, controller } = disrupting('single-node', { finds: false });
  cluster.changing = changing;
  const taints = [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' as const }];
  cluster.seed('NodeClaim', {
    ...claim,
    metadata: { ...claim.metadata, name: 'closed' },
    status: { ...claim.status, providerID: 'closed' },
  });
  for (let second = 0; second < 100; second += 10) {
    cluster.seed('Node', { ...node, metadata: { ...node.metadata, name: 'closed' }, spec: { providerID: 'closed', taints } });
    await controller.reconcile({ signal }).catch(() => undefined);
    await shell.clock.advance(10_000);
  }
  expect(asked).toHaveLength(10);
  expect(cluster.writes.filter((each) => each === write)).toHaveLength(4);
});

test('an opportunity waits for its second pass, and nothing is written until then', async () => {
  const { cluster, runs, reconcile, lead } = disrupting('single-node');
  await reconcile();
  await lead();
  expect(stagesOf(runs)).toEqual(['validating']);
  expect(cluster.writes).toEqual([]);
});

test.each(['drift', 'single-node'] as const)(
  'a pass hears for which nodes a command found by %s has planned pods, while it waits and after it has started',
  async (method) => {
    const { runs, targetsAsked, shell, reconcile, lead } = disrupting(method);
    await reconcile();
    await reconcile();
    await shell.clock.advance(15_000);
    await lead();
    expect(stagesOf(runs)).toContain('replacing');
    await reconcile();
    expect(targetsAsked).toEqual([[], ['b'], ['b']]);
  },
);

test.each([
  { title: 'its pods are still there › a pass hears of its targets', pods: ['web'], targets: ['b'] },
  { title: 'its pods have left › a pass hears of its targets no more', pods: [], targets: [] },
])('when a command has deleted its node, and $title', async ({ pods, targets }) => {
  const { cluster, targetsAsked, reconcile, lead } = disrupting('drift');
  for (const name of pods)
    cluster.seed('Pod', {
      metadata: { name, namespace: 'default' },
      spec: { containers: [], nodeName: 'old' },
      status: { phase: 'Running' },
    });
  await reconcile();
  for (const fresh of cluster.caches.nodeClaims.list())
    cluster.seed('NodeClaim', { ...fresh, ...(claim.status && { status: claim.status }) });
  await lead();
  expect(cluster.writes).toContain('delete NodeClaim old');
  await reconcile();
  expect(targetsAsked).toEqual([[], targets]);
});

test('a start that fails is led on by the queue, under the name that it had', async () => {
  const { cluster, runs, asked, reconcile, lead } = disrupting('drift');
  cluster.error = new Error('no quota');
  await expect(reconcile()).rejects.toThrow('no quota');
  expect(stagesOf(runs)).toEqual(['validating']);
  const [before] = runs.ids;
  cluster.error = undefined;
  await lead();
  expect(stagesOf(runs)).toEqual(['replacing']);
  expect([...runs.ids]).toEqual([before]);
  expect(asked).toEqual(['proposing', 'validating']);
});

test('a command that the limits refuse is taken back, and searched for again no sooner than at the next tick', async () => {
  const { cluster, runs, reconcile } = disrupting('drift');
  cluster.seed('NodePool', { ...pool, spec: { ...pool.spec, limits: { nodes: '0' } } });
  expect(await reconcile()).toMatchObject({ afterMs: 10_000 });
  expect(runs.list()).toEqual([]);
  expect(cluster.writes.filter((write) => write.startsWith('create'))).toEqual([]);
});

test.each(['drift', 'single-node'] as const)(
  'when admission denies the replacement of a command found by %s › it is taken back, its node waits longer each time, and its pool pauses',
  async (method) => {
    const { cluster, shell, runs, reconcile, lead } = disrupting(method);
    const message = 'admission webhook "policy.test.dev" denied the request: no owner';
    cluster.error = new KubeError(message, { code: 'forbidden', status: 403, cause: undefined });
    const waits: (number | undefined)[] = [];
    for (let pass = 0; pass < 2; pass++) {
      await reconcile();
      await shell.clock.advance(15_000);
      await lead();
      const [view] = shell.state.views(shell.clock.now());
      const failed = view && shell.state.replacements.of(machineKeyOf(view));
      expect([runs.list(), failed?.why]).toEqual([[], 'denied']);
      waits.push(failed?.times);
      await shell.clock.advance(60_000);
    }
    expect(waits).toEqual([1, 2]);
    expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'node-claim-invalid', message }));
    expect(shell.reported).toContainEqual(expect.objectContaining({ kind: 'command-abandoned', why: 'denied' }));
    expect(shell.state.launches.failingOf('general')).toMatchObject({ cause: 'NodeClaimRefused', times: 2 });
    expect(cluster.kind('Node').get({ name: 'old' })).toMatchObject({ spec: { taints: [] } });
  },
);

test('after two ends during disruption plans › plans that only try nodes begin no command and wait for none; the whole plan does', async () => {
  const { reconcile, runs, asked, mayHold } = disrupting('drift', {
    mark: JSON.stringify({ disruption: { stage: 'suspected', search: { tried: [] } } }),
  });
  await reconcile();
  await reconcile();
  expect([asked.length > 0, runs.ids.size]).toEqual([true, 0]);
  await reconcile();
  expect(runs.ids.size).toBe(1);
  expect([mayHold.at(0), mayHold.at(-1)]).toEqual([false, true]);
});

test('no command begins before the room of every buffer is known', async () => {
  const { cluster, shell, asked, reconcile } = disrupting('drift');
  const buffer: CapacityBuffer = {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'spare', namespace: 'default' },
    spec: { podTemplateRef: { name: 'chunk' }, replicas: 1 },
    status: { replicas: 1 },
  };
  cluster.seed('CapacityBuffer', buffer);
  expect(await reconcile()).toEqual({ kind: 'requeue', afterMs: 1000 });
  expect(asked).toEqual([]);
  shell.state.buffers.resolve(buffer, { failure: { reason: 'PodTemplateNotFound', message: 'not found' } });
  await reconcile();
  expect(asked).toContain('proposing');
});

test.each<[string, (nowMs: number) => Partial<Pick<Proposal, 'hold' | 'nextSettledMs'>>, number]>([
  ['when nothing is awaited › the next pass comes after ten seconds', () => ({}), 10_000],
  ['when the pods of a node will have settled sooner › it comes then', (nowMs) => ({ nextSettledMs: nowMs + 7000 }), 7000],
  ['when they will have in a moment › it comes after five seconds', (nowMs) => ({ nextSettledMs: nowMs + 1 }), 5000],
  [
    'when consolidation has waited long enough by then › it comes then',
    (nowMs) => ({ nextSettledMs: nowMs + 9000, hold: { sinceMs: nowMs, untilMs: nowMs + 4000 } }),
    4000,
  ],
])('%s', async (_, timingAt, afterMs) => {
  const nowMs = fakeShell(new FakeCluster()).clock.now();
  const { cluster, reconcile } = disrupting('drift', { timing: timingAt(nowMs) });
  cluster.seed('NodePool', { ...pool, spec: { ...pool.spec, limits: { nodes: '0' } } });
  expect(await reconcile()).toMatchObject({ afterMs });
});
