import { describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '@karpenter/runtime';
import type { Pod } from '../../kube/index.ts';
import type { Plan, Rejection } from '../../scheduling/index.ts';
import { reportingPods } from './pod-reports.ts';

const pod: Pod = { metadata: { name: 'web', namespace: 'default', uid: 'u1' }, spec: { containers: [] } };
const limited = (used: number, limit = 4): Rejection['reason'] => ({
  kind: 'no-place',
  pools: [{ nodePoolName: 'general', reason: { kind: 'limit', resource: 'cpu', limit, used, least: 4 } }],
  hints: [],
});

/** The key by which the recorder distinguishes rejections. */
const noticeKey = (reason: Rejection['reason']): RecordedEvent['dedupeBy'] => {
  const recorded: RecordedEvent[] = [];
  const plan = { placements: new Map(), plannedNodes: [], rejections: [{ pod, reason }] } as unknown as Plan;
  const events = { record: (event: RecordedEvent): void => void recorded.push(event) };
  Array.from(reportingPods({ events, reporter: { report: () => undefined } }, { plan, explain: () => 'why' }));
  return recorded[0]?.dedupeBy;
};

test('equal pods that do not get a preference: one event, for the oldest, that names the preference and its cost', () => {
  const recorded: RecordedEvent[] = [];
  const relaxed = [
    {
      pod,
      pods: Array.from({ length: 30 }, () => pod),
      relaxed: [
        {
          kind: 'pod-anti-affinity',
          weight: 100,
          index: 0,
          topologyKey: 'kubernetes.io/hostname',
          podCount: 27,
          costPerHour: 0.096,
        } as const,
        { kind: 'node-affinity', weight: 1, index: 2, podCount: 30 } as const,
      ],
      cutCount: 4,
    },
  ];
  const plan = { placements: new Map(), plannedNodes: [], rejections: [], relaxed } as unknown as Plan;
  Array.from(
    reportingPods(
      { events: { record: (event) => void recorded.push(event) }, reporter: { report: () => undefined } },
      { plan, explain: () => 'why' },
    ),
  );
  expect(recorded.map(({ reason, message, subject }) => [reason, subject.name, message])).toEqual([
    [
      'PreferencesRelaxed',
      'web',
      'Preferences relaxed: pod anti-affinity over kubernetes.io/hostname (number 1, weight 100) for 27 of 30 pods like this: it would cost $0.096 an hour each; node affinity (number 3, weight 1) for 30 of 30 pods like this: no node meets it; the 4 lightest are not checked, since a pod has at most 16',
    ],
  ]);
});

test('when the text about relaxed preferences cannot be made › that is reported, and other pods get their events', () => {
  const recorded: RecordedEvent[] = [];
  const reported: unknown[] = [];
  const relaxed = {
    kind: 'node-affinity',
    index: 0,
    podCount: 1,
    get weight(): number {
      throw new TypeError('no weight');
    },
  };
  const plan = {
    ...{ placements: new Map(), plannedNodes: [], relaxed: [{ pod, pods: [pod], relaxed: [relaxed], cutCount: 0 }] },
    rejections: [{ pod: { ...pod, metadata: { ...pod.metadata, name: 'other' } }, reason: { kind: 'stopped' } }],
  } as unknown as Plan;
  const events = { record: (event: RecordedEvent): void => void recorded.push(event) };
  const reporter = { report: (each: unknown): void => void reported.push(each) };
  Array.from(reportingPods({ events, reporter }, { plan, explain: () => 'why' }));
  expect(reported).toMatchObject([{ kind: 'report-failed', about: 'u1', error: new TypeError('no weight') }]);
  expect(recorded.map(({ reason, subject }) => `${reason} ${subject.name}`)).toEqual(['PreferencesRelaxed web', 'FailedScheduling other']);
});

describe('a pod that found no place', () => {
  test('gets a new event when the reason changes: at first "no pool is ready" hid the limit for five minutes', () => {
    expect(noticeKey({ kind: 'no-node-pools' })).not.toEqual(noticeKey(limited(3)));
  });

  test('gets no new event when only a number changed', () => {
    expect(noticeKey(limited(3))).toEqual(noticeKey(limited(4)));
  });

  test('gets a new event when its limit was edited', () => {
    expect(noticeKey(limited(3))).not.toEqual(noticeKey(limited(3, 8)));
  });
});
