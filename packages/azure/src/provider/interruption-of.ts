import { type Condition, epochMsOf, type Interruption } from '@karpenter/core';
import { interruptionInConditions } from '@karpenter/core/provider-kit';

const MINUTE = 60_000;

/** Without a deadline where the message states none. */
type AnnouncedEnd = Pick<Interruption, 'reason'> & Partial<Interruption>;

/**
 * Scheduled events after which a machine is no longer what it was, and the least notice that Azure gives. `Freeze` and
 * `Reboot` keep the machine and its disks. Source: Azure, "Scheduled Events"; AKS, "Node auto-drain".
 */
const NOTICE_MS = { Preempt: MINUTE / 2, Redeploy: 10 * MINUTE, Terminate: 5 * MINUTE } as const;

/**
 * `Preempt Scheduled: Wed, 26 Feb 2025 10:13:13 GMT. DurationInSeconds: -1.`; the time is missing once the event has begun.
 */
const IN_MESSAGE = /\b(\w+) (?:Scheduled|Started)(?:: (\w{3}, \d{1,2} \w{3} \d{4} [\d:]{8} GMT))?/g;

/** `PreemptScheduled`; `PreemptionScheduled` is the name that the original's repair policy knows. */
const IN_TYPE = /^(Preempt|Redeploy|Terminate)(?:ion)?Scheduled$/;

const endOf = (reason: string, notBefore: string | undefined): AnnouncedEnd => {
  const deadlineMs = epochMsOf(notBefore);
  return deadlineMs === undefined ? { reason } : { reason, deadlineMs };
};

const endsIn = ({ type, message = '' }: Condition): readonly AnnouncedEnd[] => {
  const inMessage = [...message.matchAll(IN_MESSAGE)]
    .map(([, reason = '', notBefore]) => endOf(reason, notBefore))
    .filter(({ reason }) => reason in NOTICE_MS);
  if (type === 'VMEventScheduled') return inMessage;
  const reason = IN_TYPE.exec(type)?.[1];
  return reason === undefined ? [] : [inMessage[0] ?? { reason }];
};

/**
 * What the node problem detector of AKS says of Azure's scheduled events in the node's conditions; of several the first
 * to come.
 */
export const interruptionOf = interruptionInConditions({ noticeMs: NOTICE_MS, read: endsIn });
