import { kubeTime } from '@karpenter/runtime';
import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { putCondition } from '../objects/conditions.ts';
import { type NodeCondition, nodes } from '../objects/node.ts';

/** An event that Azure has scheduled for the machine of a node. */
export interface ScheduledEvent {
  readonly nodeName: string;
  readonly eventType: 'Preempt';
  readonly notBeforeMs: number;
}

/** The conditions of a node with a scheduled event in them, in the words of the detector that AKS runs. */
export const withScheduledEvent = (
  conditions: readonly NodeCondition[] | undefined,
  { eventType, notBeforeMs }: ScheduledEvent,
  now: string,
): readonly NodeCondition[] => {
  const message = `${eventType} Scheduled: ${new Date(notBeforeMs).toUTCString()}. DurationInSeconds: -1.`;
  return putCondition(conditions, { type: 'VMEventScheduled', status: 'True', reason: 'VMEventScheduled', message }, now);
};

/** Writes a scheduled event into the conditions of its node. A machine without a node says nothing. */
export const reportScheduledEvent = (api: LocalApi, clock: Clock, event: ScheduledEvent): void => {
  const node = api.get(nodes, { name: event.nodeName });
  if (node === undefined) return;
  const conditions = withScheduledEvent(node.status?.conditions, event, kubeTime(clock.now()));
  api.updateStatus({ ...node, status: { ...node.status, conditions } });
};
