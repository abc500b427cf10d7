import { type Condition, epochMsOf, type Interruption, type Node } from '@karpenter/core';

const MINUTE = 60_000;

/**
 * Scheduled events after which a machine is no longer what it was, and the least notice that Azure gives. `Freeze` and `Reboot` keep the
 * machine and its disks. Source: Azure, "Scheduled Events"; AKS, "Node auto-drain".
 */
const NOTICE_MS = { Preempt: MINUTE / 2, Redeploy: 10 * MINUTE, Terminate: 5 * MINUTE } as const;
type ScheduledEvent = keyof typeof NOTICE_MS;

const isEvent = (name: string | undefined): name is ScheduledEvent => name !== undefined && name in NOTICE_MS;

/** `Preempt Scheduled: Wed, 26 Feb 2025 10:13:13 GMT. DurationInSeconds: -1.`; the time is missing once the event has begun. */
const IN_MESSAGE = /\b(\w+) (?:Scheduled|Started)(?:: (\w{3}, \d{1,2} \w{3} \d{4} [\d:]{8} GMT))?/g;

/** `PreemptScheduled`; `PreemptionScheduled` is the name that the original's repair policy knows. */
const IN_TYPE = /^(Preempt|Redeploy|Terminate)(?:ion)?Scheduled$/;

const announced = (name: ScheduledEvent, notBefore: string | undefined, { lastTransitionTime }: Condition): Interruption => {
  const saidMs = notBefore === undefined ? Number.NaN : Date.parse(notBefore);
  return { reason: name, deadlineMs: Number.isNaN(saidMs) ? (epochMsOf(lastTransitionTime) ?? 0) + NOTICE_MS[name] : saidMs };
};

const announcedBy = (condition: Condition): readonly Interruption[] => {
  if (condition.status !== 'True') return [];
  const inMessage = [...(condition.message ?? '').matchAll(IN_MESSAGE)].flatMap(([, name, notBefore]) =>
    isEvent(name) ? [announced(name, notBefore, condition)] : [],
  );
  if (condition.type === 'VMEventScheduled') return inMessage;
  const name = IN_TYPE.exec(condition.type)?.[1];
  return isEvent(name) ? [inMessage[0] ?? announced(name, undefined, condition)] : [];
};

/** What the node problem detector of AKS says of Azure's scheduled events in the node's conditions; of several the first to come. */
export const interruptionOf = ({ status }: Node): Interruption | undefined =>
  (status?.conditions ?? []).flatMap(announcedBy).sort((a, b) => a.deadlineMs - b.deadlineMs)[0];
