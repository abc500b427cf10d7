import { describe, expect, test } from '@jest/globals';
import type { Condition } from '@karpenter/core';
import { interruptionOf } from './interruption-of.ts';

const SINCE = Date.UTC(2025, 1, 26, 10, 12, 43);
const saying = (type: string, message = '', status: Condition['status'] = 'True') =>
  interruptionOf({
    metadata: { name: 'n' },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type, status, message, lastTransitionTime: new Date(SINCE).toISOString() },
      ],
    },
  });

const more = 'DurationInSeconds: -1.  For more information, see https://aka.ms/aks/scheduledevents.';

describe('what a node says of scheduled events', () => {
  test.each([
    ['Preempt', `Preempt Scheduled: Wed, 26 Feb 2025 10:13:13 GMT. ${more}`, Date.UTC(2025, 1, 26, 10, 13, 13)],
    ['Redeploy', `Redeploy Scheduled: Tue, 4 Mar 2025 08:00:00 GMT. ${more}`, Date.UTC(2025, 2, 4, 8)],
    ['Terminate', `Terminate Started. ${more}`, SINCE + 300_000],
    ['Preempt', `Freeze Scheduled: Wed, 26 Feb 2025 10:12:50 GMT. Preempt Scheduled: Wed, 26 Feb 2025 10:13:13 GMT.`, SINCE + 30_000],
  ])('%s: %s', (reason, message, deadlineMs) => {
    expect(saying('VMEventScheduled', message)).toEqual({ reason, deadlineMs });
  });

  test.each([
    ['PreemptionScheduled', 'Preempt', 30_000],
    ['PreemptScheduled', 'Preempt', 30_000],
    ['RedeployScheduled', 'Redeploy', 600_000],
    ['TerminateScheduled', 'Terminate', 300_000],
  ])('%s without a time: the least notice that Azure gives', (type, reason, noticeMs) => {
    expect(saying(type)).toEqual({ reason, deadlineMs: SINCE + noticeMs });
  });

  test.each([
    ['a machine that only pauses', saying('VMEventScheduled', `Freeze Scheduled: Wed, 26 Feb 2025 10:13:13 GMT. ${more}`)],
    ['a reboot', saying('RebootScheduled')],
    ['an event that is over', saying('VMEventScheduled', 'Preempt Scheduled: Wed, 26 Feb 2025 10:13:13 GMT.', 'False')],
    ['something else', saying('KernelDeadlock', 'Preempt Scheduled')],
  ])('%s interrupts nothing', (_, interruption) => {
    expect(interruption).toBeUndefined();
  });
});
