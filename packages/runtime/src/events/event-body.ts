import { type KubeObject, kubeTime } from '../objects/kube-object.ts';
import type { RecordedEvent } from './event-recorder.ts';

/** `v1` Event, the parts that are written. */
export interface CoreEvent extends KubeObject {
  readonly involvedObject: Readonly<Record<string, string | undefined>>;
  readonly reason: string;
  readonly message: string;
  readonly type: 'Normal' | 'Warning';
  readonly source: { readonly component: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
}

/** Who reports. */
export interface Reporter {
  /** `karpenter` */
  readonly component: string;
  /** The pod or process. */
  readonly instance: string;
}

/** The API server refuses longer messages. */
const LONGEST_MESSAGE = 1024;

const messageOf = ({ message }: RecordedEvent): string => message.slice(0, LONGEST_MESSAGE);

/** Events of cluster-scoped objects live in the namespace `default`. */
export const namespaceOfEvent = ({ subject }: RecordedEvent): string => subject.namespace ?? 'default';

/** When an event was seen for the first time in a row, last, and how often. */
export interface Occurrence {
  readonly name: string;
  readonly nowMs: number;
  readonly count: number;
}

/** The event to create. */
export const eventBody = (event: RecordedEvent, { component, instance }: Reporter, { name, nowMs, count }: Occurrence): CoreEvent => {
  const { apiVersion, kind, namespace, uid, name: subject } = event.subject;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: namespaceOfEvent(event) },
    involvedObject: { apiVersion, kind, namespace, name: subject, uid },
    reason: event.reason,
    message: messageOf(event),
    type: event.type,
    source: { component },
    reportingComponent: component,
    reportingInstance: instance,
    firstTimestamp: kubeTime(nowMs),
    lastTimestamp: kubeTime(nowMs),
    count,
  };
};

/** What changes when the event happens again. */
export const eventBump = (event: RecordedEvent, { nowMs, count }: Omit<Occurrence, 'name'>): Partial<CoreEvent> => ({
  lastTimestamp: kubeTime(nowMs),
  count,
  // With `dedupeBy`, the message may be another one by now.
  ...(event.dedupeBy === undefined ? {} : { message: messageOf(event) }),
});
