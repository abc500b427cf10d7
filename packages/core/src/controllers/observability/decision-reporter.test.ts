import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { LogFields, RecordedEvent } from '@karpenter/runtime';
import type { NodeClaim, RebalancePlan } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { aBareNode } from '../../cluster/testing/a-bare-cluster.ts';
import type { Blocker } from '../../disruption/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import type { CommandSummary, Decision, Metrics, MetricLabels } from '../../ports/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';
import { aPod } from '../../testing/objects.ts';
import { createDecisionReporter } from './decision-reporter.ts';
import { PodSchedulingTimes } from './metrics/lifetimes.ts';

type RebalanceStatus = NonNullable<RebalancePlan['status']>;

const aRecordedReporter = () => {
  const lines: { readonly level: string; readonly message: string; readonly fields: LogFields | undefined }[] = [];
  const counts: { readonly name: string; readonly labels: MetricLabels | undefined; readonly by?: number }[] = [];
  const readings: (() => readonly object[])[] = [];
  const events: RecordedEvent[] = [];
  const clock = fakeClock();
  const cluster = new FakeCluster();
  for (let i = 0; i < 60; i++) cluster.seed('Node', { metadata: { name: `node-${i}`, uid: `uid-of-node-${i}` } });
  const line = (level: string) => (message: string, fields?: LogFields) => void lines.push({ level, message, fields });
  const metrics: Metrics = {
    counter: ({ name }) => ({ increment: (labels, by) => void counts.push({ name, labels, ...(by === undefined ? {} : { by }) }) }),
    gauge: ({ name }, read = () => []) => {
      readings.push(() => Array.from(read(), ({ labels, value }) => ({ name, labels, by: value })));
      return { set: (by, labels) => void counts.push({ name, labels, by }) };
    },
    histogram: ({ name }) => ({ observe: (by, labels) => void counts.push({ name, labels, by }) }),
  };
  const reporter = createDecisionReporter({
    logger: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    metrics,
    events: { record: (event) => void events.push(event) },
    caches: cluster.caches,
    clock,
    podsOn: () => [{ metadata: { name: 'web' }, spec: { containers: [] } }],
    podTimes: new PodSchedulingTimes(),
  });
  return {
    report: (decision: Decision) => reporter.report(decision),
    lines,
    counts,
    shown: () => readings.flatMap((read) => read()),
    events,
    clock,
  };
};

const claim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: {
    name: 'general-1',
    labels: { 'karpenter.sh/nodepool': 'general', 'karpenter.sh/capacity-type': 'spot', 'topology.kubernetes.io/zone': 'z1' },
  },
  spec: { requirements: [], nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
};
const offering = { zone: 'z1', capacityType: 'spot', pricePerHour: 0.25, isAvailable: true, requirements: new Map() };
const instanceType: InstanceType = { name: 'm4', requirements: new Map(), offerings: [offering], capacity: {}, overhead: {} };
const planned: PlannedNode = {
  nodePoolName: 'general',
  pods: [{ metadata: { name: 'web' }, spec: { containers: [] } }],
  instanceTypes: [instanceType],
  cheapest: { instanceType, offering },
  requests: {},
  claim: { labels: {}, annotations: {}, spec: claim.spec },
};

describe('a decision is reported once, in the log, the metrics and the events', () => {
  test('a plan: how many pods, nodes and dollars', () => {
    const { report, lines, counts } = aRecordedReporter();
    report({
      kind: 'plan-computed',
      plan: { plannedNodes: [planned], placements: new Map(), rejections: [], pricePerHour: 0.25 },
      ...{ pods: 1, durationMs: 20, atMs: 20 },
    });
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'plan computed',
        fields: { pods: 1, plannedNodes: 1, placements: 0, rejected: 0, pricePerHour: 0.25, durationMs: 20 },
      },
    ]);
    expect(counts).toContainEqual({
      name: 'karpenter_scheduler_scheduling_duration_seconds',
      labels: { controller: 'provisioner' },
      by: 0.02,
    });
    expect(counts).toContainEqual({ name: 'karpenter_scheduler_planned_pods_total', labels: { outcome: 'new_node' }, by: 1 });
    expect(counts).toContainEqual({ name: 'karpenter_scheduler_planned_pods_total', labels: { outcome: 'rejected' }, by: 0 });
  });

  test('a created claim: what it will likely be, and what that costs', () => {
    const { report, lines, counts } = aRecordedReporter();
    report({ kind: 'node-claim-created', claim, planned, reason: 'provisioned' });
    expect(lines[0]).toMatchObject({
      message: 'nodeclaim created',
      fields: {
        name: 'general-1',
        nodePool: 'general',
        cheapest: { sku: 'm4', zone: 'z1', capacityType: 'spot' },
        pricePerHour: 0.25,
        pods: 1,
      },
    });
    expect(counts).toEqual([
      { name: 'karpenter_nodeclaims_created_total', labels: { reason: 'provisioned', nodepool: 'general', min_values_relaxed: 'false' } },
    ]);
  });

  test('a launch for which there is no capacity: also an event on the claim', () => {
    const { report, lines, events } = aRecordedReporter();
    report({ kind: 'launch-failed', claim, reason: 'insufficient_capacity', message: 'sold out', willRetry: false });
    expect(lines[0]).toMatchObject({ level: 'warn', message: 'launch failed' });
    expect(events).toEqual([expect.objectContaining({ reason: 'InsufficientCapacityError', type: 'Warning' })]);
  });

  test('a machine that was accepted and did not come: an event on the claim, which is soon gone', () => {
    const { report, events } = aRecordedReporter();
    report({ kind: 'launch-failed', claim, reason: 'async_provisioning', message: 'the script has exited with 50', willRetry: false });
    const said = { reason: 'AsyncProvisioningError', type: 'Warning', message: 'Failed to register: the script has exited with 50' };
    expect(events).toEqual([expect.objectContaining(said)]);
  });

  test('a launch that will be tried again: no event', () => {
    const { report, events } = aRecordedReporter();
    report({ kind: 'launch-failed', claim, reason: 'LaunchFailed', message: 'try later', willRetry: true });
    expect(events).toEqual([]);
  });

  test('a disrupted claim: counted with the original’s labels', () => {
    const { report, counts } = aRecordedReporter();
    report({ kind: 'claim-disrupted', claim: { ...claim, status: { nodeName: 'general-1' } }, reason: 'expired' });
    const labels = {
      reason: 'expired',
      nodepool: 'general',
      capacity_type: 'spot',
      consolidation_policy: '',
      termination_mode: 'graceful',
    };
    expect(counts).toEqual([
      { name: 'karpenter_nodeclaims_disrupted_total', labels },
      { name: 'karpenter_pods_disruption_initiated_total', labels, by: 1 },
    ]);
  });

  test.each([
    ['underutilized', 'when_empty_or_underutilized'],
    ['empty', 'when_empty_or_underutilized'],
    ['drifted', ''],
    ['unhealthy', ''],
  ])('a claim disrupted as %s has the consolidation policy "%s", as in the original', (reason, policy) => {
    const { report, counts } = aRecordedReporter();
    report({ kind: 'claim-disrupted', claim, reason });
    expect(counts[0]?.labels).toMatchObject({ reason, consolidation_policy: policy });
  });

  test('an unhealthy node: its condition in snake case', () => {
    const { report, counts } = aRecordedReporter();
    report({ kind: 'node-unhealthy', node: { metadata: { name: 'node-1' } }, claim, condition: 'NetworkUnavailable' });
    expect(counts[0]?.labels).toMatchObject({ condition: 'network_unavailable' });
  });

  test('a pass: how many nodes each reason could take, and what each method took', () => {
    const { report, counts } = aRecordedReporter();
    report({ kind: 'candidates-counted', eligible: new Map([['Empty', 2]]) });
    report({ kind: 'method-evaluated', method: 'multi-node', reason: 'Underutilized', tookMs: 120 });
    report({ kind: 'method-evaluated', method: 'drift', reason: 'Drifted', tookMs: 0 });
    expect(counts).toEqual([
      { name: 'karpenter_voluntary_disruption_eligible_nodes', labels: { reason: 'empty' }, by: 2 },
      {
        name: 'karpenter_voluntary_disruption_decision_evaluation_duration_seconds',
        labels: { reason: 'underutilized', consolidation_type: 'multi' },
        by: 0.12,
      },
      {
        name: 'karpenter_voluntary_disruption_decision_evaluation_duration_seconds',
        labels: { reason: 'drifted', consolidation_type: '' },
        by: 0,
      },
    ]);
  });

  test('a command: its method, its nodes and its savings, and which of them failed later', () => {
    const { report, lines, counts } = aRecordedReporter();
    const command = {
      id: 'x',
      method: 'single-node',
      reason: 'Underutilized',
      decision: 'replace',
      candidates: [],
      replacements: [planned],
      savingsPerHour: 0.5,
    } as const;
    const ofDaemon = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'log', uid: 'log' };
    const bound = { ...node, pods: [aPod('web'), aPod('log', { metadata: { name: 'log', ownerReferences: [ofDaemon] } })] };
    report({ kind: 'command-started', command: { ...command, candidates: [bound] }, claimNames: ['general-2'] });
    report({ kind: 'command-abandoned', command: { ...command, candidates: [node, node] }, why: 'budget' });
    report({ kind: 'command-abandoned', command, why: 'timeout' });
    expect(lines.map(({ message }) => message)).toEqual(['command started', 'command abandoned', 'command abandoned']);
    expect(lines[0]?.fields).toMatchObject({
      method: 'single-node',
      decision: 'replace',
      savingsPerHour: 0.5,
      candidates: [{ node: 'node-1', pods: 1 }],
      replacements: [{ sku: 'm4' }],
    });
    expect(counts.map(({ name }) => name)).toEqual([
      'karpenter_voluntary_disruption_decisions_total',
      'karpenter_voluntary_disruption_decisions_by_nodepool_total',
      'karpenter_voluntary_disruption_failed_validations_total',
      'karpenter_voluntary_disruption_queue_failures_total',
    ]);
    const failed = { name: 'karpenter_voluntary_disruption_failed_validations_total', labels: { consolidation_type: 'single' }, by: 2 };
    expect(counts).toContainEqual(failed);
  });

  test('a claim in place of a node that goes counts by why that goes', () => {
    const { report, counts } = aRecordedReporter();
    report({ kind: 'node-claim-created', claim, planned, reason: 'Underutilized' });
    expect(counts[0]?.labels).toMatchObject({ reason: 'underutilized' });
  });
});

const node = aBareNode({ name: 'node-1', claim });
const QUARTER_MS = 15 * 60_000;

describe('a lasting state is reported when it begins and every quarter of an hour', () => {
  test('that a plan finds no place for the same pods', async () => {
    const { report, lines, clock } = aRecordedReporter();
    const plan = { plannedNodes: [], placements: new Map(), rejections: [], pricePerHour: 0 };
    const again = () => report({ kind: 'plan-computed', plan, pods: 1, durationMs: clock.now(), atMs: clock.now() });
    again();
    again();
    expect(lines).toHaveLength(1);
    await clock.advance(QUARTER_MS);
    again();
    expect(lines).toHaveLength(2);
    report({ kind: 'plan-computed', plan, pods: 2, durationMs: 1, atMs: clock.now() });
    expect(lines).toHaveLength(3);
  });

  test('that a drain waits: by its pods, not by the figures of their budgets', () => {
    const { report, lines } = aRecordedReporter();
    const about = { metadata: { name: 'node-1' } };
    const waits = (healthy: number, ...pods: readonly string[]) =>
      report({
        kind: 'drain-waiting',
        node: about,
        message: `${pods.join()} (needs 2 healthy pods, has ${healthy})`,
        pods,
        holds: ['refused'],
      });
    waits(1, 'default/a', 'default/b');
    waits(0, 'default/a', 'default/b');
    expect(lines).toHaveLength(1);
    waits(0, 'default/b');
    expect(lines).toHaveLength(2);
  });

  test.each<[string, Blocker, string, number]>([
    ['why nothing may take a node', { kind: 'do-not-disrupt-pod', pod: 'default/web' }, 'DisruptionBlocked', 0],
    [
      'why nothing would be saved, once it has lasted for a minute',
      { kind: 'no-cheaper-replacement', pricePerHour: 1, cheapestReplacement: 2, replacements: 1 },
      'Unconsolidatable',
      60_000,
    ],
    ['that a node is not initialized, once it has lasted for a minute', { kind: 'not-initialized' }, 'DisruptionBlocked', 60_000],
    ['that a node is nominated, once it has lasted for a minute', { kind: 'nominated', untilMs: 1 }, 'DisruptionBlocked', 60_000],
  ])('%s, on the node and its claim', async (...[, blocker, reason, lastingMs]) => {
    const { report, events, clock } = aRecordedReporter();
    const pass = () => report({ kind: 'nodes-kept', kept: [{ node, blocker }] });
    pass();
    expect(events).toHaveLength(lastingMs > 0 ? 0 : 2);
    await clock.advance(lastingMs);
    pass();
    pass();
    expect(events.map((event) => [event.subject.kind, event.reason])).toEqual([
      ['Node', reason],
      ['NodeClaim', reason],
    ]);
    report({ kind: 'nodes-kept', kept: [{ node, blocker: { kind: 'do-not-disrupt-node' } }] });
    expect(events).toHaveLength(2);
    await clock.advance(60_000);
    report({ kind: 'nodes-kept', kept: [{ node, blocker: { kind: 'do-not-disrupt-node' } }] });
    expect(events).toHaveLength(4);
    await clock.advance(QUARTER_MS);
    report({ kind: 'nodes-kept', kept: [{ node, blocker: { kind: 'do-not-disrupt-node' } }] });
    expect(events).toHaveLength(6);
  });

  test('of many nodes, some in each pass, so that other events get through', () => {
    const { report, events } = aRecordedReporter();
    const kept = Array.from({ length: 60 }, (_, index) => ({
      node: { ...node, name: `node-${index}` },
      blocker: { kind: 'do-not-disrupt-node' } as const,
    }));
    const perPass = [1, 2, 3, 4].map(() => {
      const before = events.length;
      report({ kind: 'nodes-kept', kept });
      return events.length - before;
    });
    expect(perPass).toEqual([50, 50, 20, 0]);
  });

  test('nothing of a node that is going anyway', () => {
    const { report, events } = aRecordedReporter();
    report({ kind: 'nodes-kept', kept: [{ node, blocker: { kind: 'marked' } }] });
    expect(events).toEqual([]);
  });
});

describe('a pass reports', () => {
  const pod = { metadata: { name: 'web', namespace: 'shop', uid: 'u' }, spec: { containers: [] } };

  test.each([
    [{ kind: 'invalid', value: 'yes' }, 'InvalidDoNotDisruptAnnotation', 'Warning'],
    [{ kind: 'lasting', untilMs: 0 }, 'DoNotDisruptUntil', 'Normal'],
    [{ kind: 'over' }, 'DoNotDisruptGracePeriodElapsed', 'Normal'],
  ] as const)('on a pod the state of its do-not-disrupt, once: %j', (status, reason, type) => {
    const { report, events } = aRecordedReporter();
    report({ kind: 'do-not-disrupt-read', pods: [{ pod, status }] });
    report({ kind: 'do-not-disrupt-read', pods: [{ pod, status }] });
    expect(events).toEqual([expect.objectContaining({ reason, type, subject: { apiVersion: 'v1', kind: 'Pod', ...pod.metadata } })]);
  });

  test('on a pod with a long do-not-disrupt the beginning of it', () => {
    const { report, events } = aRecordedReporter();
    report({ kind: 'do-not-disrupt-read', pods: [{ pod, status: { kind: 'invalid', value: 'x'.repeat(260_000) } }] });
    expect(events).toEqual([expect.objectContaining({ message: expect.stringContaining(`is "${'x'.repeat(60)}…", which is ignored`) })]);
  });

  test.each([
    ['Deferred', 'Normal', 'The resize waits for room on node node-1 (no cpu)'],
    ['Infeasible', 'Warning', 'Node node-1 cannot hold the resize (no cpu)'],
    ['Error', 'Warning', 'The resize on node node-1 fails (no cpu)'],
  ] as const)('on a pod why its resize is stuck, once: %s', (reason, type, message) => {
    const { report, events } = aRecordedReporter();
    const pods = [{ pod, nodeName: 'node-1', trouble: { reason, message: 'no cpu' } }];
    report({ kind: 'resizes-read', pods });
    report({ kind: 'resizes-read', pods });
    expect(events).toEqual([expect.objectContaining({ reason: 'ResizePending', type, message: expect.stringContaining(message) })]);
  });

  test('on a pool with nodes that its budgets allow no disruption, and in the metrics what they allow', () => {
    const { report, events, shown } = aRecordedReporter();
    const allowance = { nodePoolName: 'general', reason: 'Drifted', nodes: 3, allowed: 0, disrupting: 1 } as const;
    report({ kind: 'budgets-read', allowances: [{ ...allowance, nodes: 0 }] });
    report({ kind: 'budgets-read', allowances: [allowance, { ...allowance, reason: 'Empty', allowed: Number.POSITIVE_INFINITY }] });
    expect(events).toEqual([
      expect.objectContaining({
        reason: 'DisruptionBlocked',
        message: 'No allowed disruptions for disruption reason Drifted due to blocking budget',
        subject: { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'general' },
      }),
    ]);
    const gauge = (name: string, reason: string, by: number) => ({ name, by, labels: { nodepool: 'general', reason } });
    expect(shown()).toEqual(
      expect.arrayContaining([
        gauge('karpenter_nodepools_allowed_disruptions', 'Drifted', 0),
        gauge('karpenter_nodepools_allowed_disruptions', 'Empty', 2_147_483_647),
        gauge('karpenter_nodepools_nodes_consuming_budgets', 'Drifted', 1),
      ]),
    );
  });

  test('in the metrics how moves were weighed', () => {
    const { report, counts } = aRecordedReporter();
    const move = { nodePoolName: 'general', policy: 'Balanced', score: 0.7, isWorthIt: true } as const;
    report({ kind: 'moves-weighed', moves: [move, { ...move, score: 0.1, isWorthIt: false }] });
    const labels = (decision: string) => ({ decision, nodepool: 'general', policy: 'Balanced' });
    expect(counts).toEqual([
      { name: 'karpenter_consolidation_moves_total', labels: labels('approved') },
      { name: 'karpenter_consolidation_score', labels: labels('approved'), by: 0.7 },
      { name: 'karpenter_consolidation_moves_total', labels: labels('rejected') },
      { name: 'karpenter_consolidation_score', labels: labels('rejected'), by: 0.1 },
    ]);
  });

  test('on nodes what a move saves when it is found, started and rejected, but not on empty nodes', () => {
    const { report, events } = aRecordedReporter();
    const command: CommandSummary = {
      id: 'x',
      method: 'single-node',
      reason: 'Underutilized',
      decision: 'delete',
      candidates: [node],
      replacements: [],
      savingsPerHour: 0.5,
    };
    report({ kind: 'command-proposed', command });
    report({ kind: 'command-started', command, claimNames: [] });
    report({ kind: 'command-abandoned', command, why: 'churn' });
    report({ kind: 'command-proposed', command: { ...command, method: 'emptiness' } });
    const reasons = ['ConsolidationCandidate', 'ConsolidationApproved', 'ConsolidationRejected'];
    expect(events.map(({ reason, subject }) => `${reason} ${subject.kind}`)).toEqual(
      reasons.flatMap((reason) => [`${reason} Node`, `${reason} NodeClaim`]),
    );
  });
});

describe('a RebalancePlan', () => {
  const type = { apiVersion: 'karpenter.sh/v1alpha1', kind: 'RebalancePlan' } as const;
  const because = (reason: string, message: string): RebalanceStatus => ({
    message,
    conditions: [{ type: 'Progressing', status: 'True', reason, lastTransitionTime: '' }],
  });
  const wave = { startTime: '12:00', nodes: [], machines: 1, pods: 3 };
  const started = { ...because('WaveUnderWay', 'Wave under way; nodes that go: 2'), wave };

  test.each<[string, RebalanceStatus, RebalanceStatus, readonly string[]]>([
    ['begins its first wave', {}, started, ['WaveStarted: Wave 1; nodes that go: 2']],
    ['goes on with its wave', started, { ...started, plannedSavingsPerHour: '1' }, []],
    [
      'ends a wave',
      started,
      { ...because('Planning', ''), waves: 1, nodes: 2, savingsPerHour: '0.5000' },
      ['WaveDone: Wave 1 is done; nodes gone so far: 2, saving $0.5000 an hour'],
    ],
    [
      'takes a wave back',
      { ...started, waves: 1 },
      { ...because('Planning', ''), waves: 1, retryTime: '12:01' },
      ['WaveCalledOff: Wave 2 is called off and its nodes stay; the next starts after 12:01'],
    ],
    ['waits', because('Planning', ''), because('HeldUp', '2 pdb'), ['HeldUp: 2 pdb']],
    ['waits for something else', because('HeldUp', '2 pdb'), because('HeldUp', '1 pdb'), []],
    ['is paused', because('Planning', ''), because('Paused', 'by spec'), ['Paused: by spec']],
    ['is resumed', because('Paused', ''), because('Planning', 'searches'), ['Resumed: searches']],
    [
      'is complete',
      because('Planning', ''),
      { ...because('NothingLeft', 'saves $1'), phase: 'Completed', completionTime: '12:05' },
      ['Completed: saves $1'],
    ],
    [
      'is cancelled',
      because('Paused', ''),
      { ...because('Cancelled', 'by spec'), phase: 'Cancelled', completionTime: '12:05' },
      ['Cancelled: by spec'],
    ],
  ])('that %s › has the event for it, once', (...[, before, status, expected]) => {
    const { report, events } = aRecordedReporter();
    report({ kind: 'rebalance-changed', plan: { ...type, metadata: { name: 'spring', uid: 'u' }, spec: {}, status }, before });
    expect(events.map(({ reason, message }) => `${reason}: ${message}`)).toEqual(expected);
    for (const { subject } of events) expect(subject).toEqual({ ...type, name: 'spring', uid: 'u' });
  });
});

describe('events name their subjects by uid, so that kubectl describe shows them', () => {
  const command: CommandSummary = {
    id: 'x',
    method: 'drift',
    reason: 'Drifted',
    decision: 'replace',
    candidates: [node],
    replacements: [planned],
    savingsPerHour: 0,
  };

  test('a node', () => {
    const { report, events } = aRecordedReporter();
    report({ kind: 'nodes-kept', kept: [{ node, blocker: { kind: 'do-not-disrupt-node' } }] });
    expect(events[0]?.subject).toEqual({ apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'uid-of-node-1' });
  });

  test('not at all, where the node of a claim does not exist yet', async () => {
    const { report, events, clock } = aRecordedReporter();
    const pass = () =>
      report({ kind: 'nodes-kept', kept: [{ node: { ...node, name: 'in-flight' }, blocker: { kind: 'not-initialized' } }] });
    pass();
    await clock.advance(60_000);
    pass();
    expect(events.map(({ subject }) => subject.kind)).toEqual(['NodeClaim']);
  });

  test('a command that launches replacements is on their claims, not on the nodes that go', () => {
    const { report, events } = aRecordedReporter();
    report({ kind: 'command-started', command, claimNames: ['general-2'] });
    expect(events).toEqual([
      expect.objectContaining({
        subject: { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: 'general-2' },
        reason: 'DisruptionLaunching',
        message: 'Launching NodeClaim: Drifted',
      }),
    ]);
  });

  test('a drain that waits is on the node and on its claim', () => {
    const { report, events } = aRecordedReporter();
    const about = { metadata: { name: 'node-1', uid: 'uid-of-node-1' } };
    const message = 'Waiting for pods: default/db (annotation karpenter.sh/do-not-disrupt)';
    report({ kind: 'drain-waiting', node: about, claim, message, pods: ['default/db'], holds: ['do-not-disrupt'] });
    const said = {
      type: 'Warning',
      reason: 'FailedDraining',
      message: `Failed to drain node, ${message}`,
    };
    expect(events).toEqual([expect.objectContaining(said), expect.objectContaining(said)]);
    expect(events.map(({ subject }) => subject.kind)).toEqual(['Node', 'NodeClaim']);
  });
});

describe('the end of a node', () => {
  const gone = { metadata: { name: 'node-1' }, status: {} };

  test('is measured from the request and from its beginning, its machine by itself', () => {
    const { report, counts } = aRecordedReporter();
    report({ kind: 'node-terminated', node: gone, claim, tookMs: 9000, lifetimeMs: 3_600_000 });
    report({ kind: 'claim-terminated', claim, tookMs: 10_000, machineTookMs: 4000 });
    const labels = { nodepool: 'general' };
    expect(counts).toEqual(
      expect.arrayContaining([
        { name: 'karpenter_nodes_termination_duration_seconds', labels, by: 9 },
        { name: 'karpenter_nodes_lifetime_duration_seconds', labels, by: 3600 },
        { name: 'karpenter_nodeclaims_instance_termination_duration_seconds', labels, by: 4 },
      ]),
    );
    expect(counts.map(({ name }) => name)).not.toContain('karpenter_nodes_drained_total');
  });

  test('counts as drained when it was, and its pods by the reason why it goes', () => {
    const { report, counts, events } = aRecordedReporter();
    const pod = { metadata: { name: 'web' }, spec: { containers: [] } };
    report({ kind: 'pod-evicted', pod, nodeName: 'node-1', reason: 'Drifted' });
    report({ kind: 'pod-forced', pod, nodeName: 'node-1', graceSeconds: 1, reason: 'Drifted' });
    report({ kind: 'node-drained', node: gone, claim });
    expect(events[0]?.message).toBe('Evicted pod: Drifted');
    expect(counts).toEqual([
      { name: 'karpenter_pods_eviction_requests_total', labels: { code: '200' } },
      { name: 'karpenter_pods_drained_total', labels: { reason: 'Drifted' } },
      { name: 'karpenter_pods_drained_total', labels: { reason: 'Drifted' } },
      { name: 'karpenter_nodes_drained_total', labels: { nodepool: 'general' } },
    ]);
  });
});

describe('when one part of a report throws', () => {
  const throwing = (): never => {
    throw new RangeError('Invalid time value');
  };
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const bare: Metrics = {
    counter: () => ({ increment: () => undefined }),
    gauge: () => ({ set: () => undefined }),
    histogram: () => ({ observe: () => undefined }),
  };
  const reporting = (parts: Partial<Parameters<typeof createDecisionReporter>[0]>) =>
    createDecisionReporter({
      ...{ logger: silent, metrics: bare, clock: fakeClock(), podsOn: () => [], podTimes: new PodSchedulingTimes() },
      ...{ events: { record: () => undefined }, caches: new FakeCluster().caches },
      ...parts,
    });
  const decision: Decision = {
    kind: 'pod-evicted',
    pod: { metadata: { name: 'web' }, spec: { containers: [] } },
    nodeName: 'n',
    reason: 'Drifted',
  };

  test('the log: metrics and events are made, and whoever decided hears nothing of it', () => {
    const events: RecordedEvent[] = [];
    const logger = { debug: throwing, info: throwing, warn: throwing, error: throwing };
    reporting({ logger, events: { record: (event) => void events.push(event) } }).report(decision);
    expect(events).toHaveLength(1);
  });

  test('the metrics: the failure is logged, and the event is made', () => {
    const events: RecordedEvent[] = [];
    const errors: unknown[] = [];
    reporting({
      metrics: { ...bare, counter: () => ({ increment: throwing }) },
      logger: { ...silent, error: (message, fields) => void errors.push([message, fields?.['what']]) },
      events: { record: (event) => void events.push(event) },
    }).report(decision);
    expect([errors, events.length]).toEqual([[['a report failed', 'metrics']], 1]);
  });

  test('the text about one pod: the other pods get their events', () => {
    const { report, events } = aRecordedReporter();
    const pod = (name: string) => ({ metadata: { name, uid: name }, spec: { containers: [] } });
    report({
      kind: 'do-not-disrupt-read',
      pods: [
        { pod: pod('odd'), status: { kind: 'lasting', untilMs: Number.NaN } },
        { pod: pod('plain'), status: { kind: 'lasting', untilMs: Date.UTC(2027, 0, 1) } },
      ],
    });
    expect(events.map(({ subject }) => subject.name)).toEqual(['plain']);
  });
});
