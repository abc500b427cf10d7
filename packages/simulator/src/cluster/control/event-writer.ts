import { createHash } from 'node:crypto';
import { kubeTime } from '@karpenter/runtime';
import type { Clock } from '@karpenter/runtime';
import type { KindRef, ApiObject, LocalApi } from '@karpenter/api-server';
import { ApiError } from '@karpenter/api-server';
import { namespaceOf } from '@karpenter/core/internal';

/** What `kubectl describe` shows below an object. */
export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** A v1 Event. */
export interface Event extends ApiObject {
  readonly involvedObject: Readonly<Record<string, string | undefined>>;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly source: { readonly component: string; readonly host?: string };
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: number;
}

export const events: KindRef<Event> = { kind: 'Event', apiVersion: 'v1' };

/**
 * Writes an event about an object. The same words about the same object again count up. Best effort: a namespace that
 * ends takes none.
 */
export type EventWriter = (about: ApiObject, text: EventText) => void;

/** @param component Who speaks: `default-scheduler`, `kubelet`, … */
export const createEventWriter = (api: LocalApi, clock: Clock, component: string): EventWriter => {
  const write: EventWriter = (about, { type, reason, message }) => {
    const { name = '', namespace, uid, resourceVersion } = about.metadata;
    const words = createHash('sha1')
      .update(`${component}\n${uid ?? ''}\n${reason}\n${message}`)
      .digest('hex')
      .slice(0, 16);
    const key = { namespace: namespaceOf(about), name: `${name}.${words}` };
    const now = kubeTime(clock.now());
    const before = api.get(events, key);
    if (before !== undefined) {
      api.update({ ...before, count: before.count + 1, lastTimestamp: now });
      return;
    }
    const involvedObject = { apiVersion: about.apiVersion, kind: about.kind, name, namespace, uid, resourceVersion };
    const source = { component };
    api.create<Event>({
      ...{ apiVersion: 'v1', kind: 'Event', metadata: key, involvedObject, type, reason, message, source },
      ...{ firstTimestamp: now, lastTimestamp: now, count: 1 },
    });
  };
  return (about, text) => {
    try {
      write(about, text);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  };
};
