import { describe, expect, test } from '@jest/globals';
import type { LogFields, RecordedEvent } from '@karpenter/runtime';
import type { NodeClaim } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import type { Decision, Metrics, MetricLabels } from '../../ports/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';
import { createDecisionReporter } from './decision-reporter.ts';

const aScene = () => {
  const lines: { readonly level: string; readonly message: string; readonly fields: LogFields | undefined }[] = [];
  const counts: { readonly name: string; readonly labels: MetricLabels | undefined; readonly by?: number }[] = [];
  const events: RecordedEvent[] = [];
  const line = (level: string) => (message: string, fields?: LogFields) => void lines.push({ level, message, fields });
  const metrics: Metrics = {
    counter: ({ name }) => ({ increment: (labels) => void counts.push({ name, labels }) }),
    gauge: ({ name }) => ({ set: (by, labels) => void counts.push({ name, labels, by }) }),
    histogram: ({ name }) => ({ observe: (by, labels) => void counts.push({ name, labels, by }) }),
  };
  const reporter = createDecisionReporter({
    logger: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    metrics,
    events: { record: (event) => void events.push(event) },
    caches: new FakeCluster().caches,
  });
  return { report: (decision: Decision) => reporter.report(decision), lines, counts, events };
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

describe('a decision is told once, in the log, the metrics and the events', () => {
  test('a plan: how many pods, nodes and dollars', () => {
    const { report, lines, counts } = aScene();
    report({
      kind: 'plan-computed',
      plan: { plannedNodes: [planned], placements: new Map(), rejections: [], pricePerHour: 0.25 },
      pods: 1,
      durationMs: 20,
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
  });

  test('a created claim: what it will likely be, and what that costs', () => {
    const { report, lines, counts } = aScene();
    report({ kind: 'node-claim-created', claim, planned, reason: 'provisioning' });
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
      { name: 'karpenter_nodeclaims_created_total', labels: { reason: 'provisioning', nodepool: 'general', min_values_relaxed: 'false' } },
    ]);
  });

  test('a launch for which there is no capacity: also an event on the claim', () => {
    const { report, lines, events } = aScene();
    report({ kind: 'launch-failed', claim, reason: 'insufficient_capacity', message: 'sold out', willRetry: false });
    expect(lines[0]).toMatchObject({ level: 'warn', message: 'launch failed' });
    expect(events).toEqual([expect.objectContaining({ reason: 'InsufficientCapacityError', type: 'Warning' })]);
  });

  test('a launch that will be tried again: no event', () => {
    const { report, events } = aScene();
    report({ kind: 'launch-failed', claim, reason: 'LaunchFailed', message: 'try later', willRetry: true });
    expect(events).toEqual([]);
  });

  test('a disrupted claim: counted with the original’s labels', () => {
    const { report, counts } = aScene();
    report({ kind: 'claim-disrupted', claim, reason: 'expired' });
    expect(counts).toEqual([
      {
        name: 'karpenter_nodeclaims_disrupted_total',
        labels: {
          reason: 'expired',
          nodepool: 'general',
          capacity_type: 'spot',
          consolidation_policy: 'WhenEmptyOrUnderutilized',
          termination_mode: 'graceful',
        },
      },
    ]);
  });

  test('a command: its method, its nodes and its savings, and which of them failed later', () => {
    const { report, lines, counts } = aScene();
    const command = {
      id: 'x',
      method: 'single-node',
      reason: 'Underutilized',
      decision: 'replace',
      candidates: [],
      replacements: [planned],
      savingsPerHour: 0.5,
    } as const;
    report({ kind: 'command-started', command });
    report({ kind: 'command-abandoned', command, why: 'budget' });
    report({ kind: 'command-abandoned', command, why: 'timeout' });
    expect(lines.map(({ message }) => message)).toEqual(['command started', 'command abandoned', 'command abandoned']);
    expect(lines[0]?.fields).toMatchObject({
      method: 'single-node',
      decision: 'replace',
      savingsPerHour: 0.5,
      replacements: [{ sku: 'm4' }],
    });
    expect(counts.map(({ name }) => name)).toEqual([
      'karpenter_voluntary_disruption_decisions_total',
      'karpenter_voluntary_disruption_failed_validations_total',
      'karpenter_voluntary_disruption_queue_failures_total',
    ]);
  });
});
