import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '../../api/door/index.ts';
import { timestampOf } from '../clock/timestamp.ts';
import { withCondition } from '../objects/conditions.ts';
import { nodes } from '../objects/node.ts';

/** An event that Azure has scheduled for the machine of a node. */
export interface ScheduledEvent {
  readonly nodeName: string;
  readonly eventType: 'Preempt';
  readonly notBeforeMs: number;
}

/** Writes a scheduled event into the conditions of its node, in the words of the detector that AKS runs. A machine without a node says nothing. */
export const reportScheduledEvent = (api: LocalApi, clock: Clock, { nodeName, eventType, notBeforeMs }: ScheduledEvent): void => {
  const node = api.get(nodes, { name: nodeName });
  if (node === undefined) return;
  const condition = {
    type: 'VMEventScheduled',
    status: 'True',
    reason: 'VMEventScheduled',
    message: `${eventType} Scheduled: ${new Date(notBeforeMs).toUTCString()}. DurationInSeconds: -1.`,
  } as const;
  const conditions = withCondition(node.status?.conditions, condition, timestampOf(clock));
  api.updateStatus({ ...node, status: { ...node.status, conditions } });
};
