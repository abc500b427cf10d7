import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../kube/index.ts';
import { aPod, podNames } from '../../../testing/objects.ts';
import { drainStep } from './drain-step.ts';

const nowMs = Date.parse('2026-01-01T12:00:00Z');
const timestampAfter = (offsetMs: number): string => new Date(nowMs + offsetMs).toISOString();

interface Traits {
  readonly daemon?: boolean;
  readonly critical?: boolean;
  readonly annotations?: Record<string, string>;
  readonly deletedAt?: string;
  readonly tolerates?: boolean;
  readonly mirror?: boolean;
  readonly graceSeconds?: number;
}

const drainedPod = (name: string, traits: Traits = {}): Pod =>
  aPod(name, {
    metadata: {
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: traits.mirror ? 'Node' : traits.daemon ? 'DaemonSet' : 'ReplicaSet', name: 'o', uid: 'o' },
      ],
      ...(traits.annotations === undefined ? {} : { annotations: traits.annotations }),
      ...(traits.deletedAt === undefined ? {} : { deletionTimestamp: traits.deletedAt }),
    },
    spec: {
      ...(traits.critical ? { priorityClassName: 'system-node-critical' } : {}),
      ...(traits.tolerates ? { tolerations: [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }] } : {}),
      ...(traits.graceSeconds === undefined ? {} : { terminationGracePeriodSeconds: traits.graceSeconds }),
    },
  });

describe('draining a node', () => {
  const web = drainedPod('web');
  const log = drainedPod('log', { daemon: true });
  const dns = drainedPod('dns', { critical: true });
  const net = drainedPod('net', { critical: true, daemon: true });

  test.each([
    ['applications first', [net, dns, log, web], ['web']],
    ['then their daemons', [net, dns, log], ['log']],
    ['then what is critical', [net, dns], ['dns']],
    ['critical daemons last', [net], ['net']],
  ])('%s', (_, pods, expected) => {
    expect(podNames(drainStep(pods, { nowMs }).evict)).toEqual(expected);
  });

  test('evicts the next group beside a pod that is forced because its time is over', () => {
    const batch = drainedPod('batch', { graceSeconds: 600 });
    const step = drainStep([batch, dns], { nowMs, deadlineMs: nowMs + 500_000 });
    expect([podNames(step.evict), step.force.map(({ pod }) => pod.metadata.name)]).toEqual([['dns'], ['batch']]);
  });

  test('waits for a terminating pod, without evicting it again, before it continues with the next group', () => {
    const step = drainStep([drainedPod('web', { deletedAt: timestampAfter(10_000) }), log], { nowMs });
    expect(podNames(step.waitingFor)).toEqual(['web', 'log']);
    expect(step.evict).toEqual([]);
  });

  test.each([
    ['tolerates the disrupted taint', { tolerates: true }],
    ['is the shadow of a static pod', { mirror: true }],
    ['should have been gone a minute ago', { deletedAt: timestampAfter(-61_000) }],
  ])('does not wait for a pod that %s', (_, traits) => {
    expect(drainStep([drainedPod('x', traits)], { nowMs }).waitingFor).toEqual([]);
  });

  test('waits for a pod with do-not-disrupt, and does not evict it', () => {
    const step = drainStep([drainedPod('db', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } })], { nowMs });
    expect(podNames(step.waitingFor)).toEqual(['db']);
    expect(step.evict).toEqual([]);
  });

  test('forces a pod out when its own grace period is all the time that is left, also one that asked to be left alone', () => {
    const pods = [
      drainedPod('slow', { graceSeconds: 60, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
      drainedPod('quick', { graceSeconds: 5 }),
    ];
    const step = drainStep(pods, { nowMs, deadlineMs: nowMs + 30_000 });
    expect(step.force.map(({ pod, graceSeconds }) => [pod.metadata.name, graceSeconds])).toEqual([['slow', 30]]);
    expect(podNames(step.evict)).toEqual(['quick']);
  });

  test('gives a forced pod one second at least', () => {
    expect(drainStep([web], { nowMs, deadlineMs: nowMs - 5000 }).force).toEqual([{ pod: web, graceSeconds: 1 }]);
  });

  test('a pod that was given its last second is not asked again every second', () => {
    const leaving = drainedPod('leaving', { deletedAt: timestampAfter(1000) });
    expect(drainStep([leaving], { nowMs, deadlineMs: nowMs - 5000 })).toMatchObject({ waitingFor: [leaving], force: [] });
  });
});
