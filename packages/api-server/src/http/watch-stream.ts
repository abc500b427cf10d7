import type { ServerResponse } from 'node:http';
import type { TimerHandle } from '@karpenter/runtime';
import type { Engine } from '../engine/engine.ts';
import type { FaultBox } from '../faults/fault-box.ts';
import type { JsonObject } from '../json/json.ts';
import { apiVersionIn, type Resource, versionedOf } from '../resources/resource.ts';
import { ApiError } from '../status/api-error.ts';
import { asStored, type StoredObject } from '../store/stored-object.ts';
import type { StoreEvent } from '../store/history.ts';
import { selectObjects, tooLargeVersion } from '../verbs/read.ts';
import type { ObjectSelection } from '../verbs/selection.ts';
import { apiTableOf, metadataOf, PARTIAL, type ReplyForm } from './representation.ts';

/** The options of a watch request. */
export interface WatchRequest {
  readonly resource: Resource;
  readonly selection: ObjectSelection;
  readonly form: ReplyForm;
  readonly includeObject: string;
  readonly resourceVersion: string;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutMs: number;
}

/** What a watch works with. */
export interface WatchTools {
  readonly engine: Engine;
  readonly faults: FaultBox;
  readonly bookmarkIntervalMs: number;
  /** Serialises an object once for all watches that want the same. */
  readonly textOf: (object: StoredObject, resource: Resource) => string;
}

/** Serialises a stored object, keeping the last text: the watches of one event ask one after the other. */
export const createTextMemo = (): WatchTools['textOf'] => {
  let last: { readonly object: StoredObject; readonly resource: Resource; readonly text: string } | undefined;
  return (object, resource) => {
    if (last?.object !== object || last.resource !== resource)
      last = { object, resource, text: JSON.stringify(versionedOf(resource, object)) };
    return last.text;
  };
};

/** Serves a watch until the client, the time-out or a fault ends it. */
export const serveWatch = (response: ServerResponse, request: WatchRequest, tools: WatchTools): void => {
  const { engine, faults } = tools;
  const { resource, selection } = request;
  const write = createWriter(response, request, tools);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
  response.flushHeaders();
  const backlog = begin(request, tools, write);
  if (backlog === undefined) {
    response.end();
    return;
  }
  const deliver = (event: StoreEvent): void => {
    const seen = visible(event, selection);
    if (seen !== undefined) write.event(seen, seen === 'DELETED' ? lastSeen(event) : event.object);
  };
  const gate = createGate(deliver);
  const timers = new Map<string, TimerHandle>();
  const listening = engine.store.listen(resource.storage, gate.push);
  const registered = faults.register({ kind: resource.kind, drop: () => response.destroy(), hold: gate.hold });
  const { frozenAt = 0 } = faults;
  for (const event of backlog) (event.version <= frozenAt ? deliver : gate.push)(event);
  const stop = (): void => {
    listening[Symbol.dispose]();
    registered[Symbol.dispose]();
    for (const timer of timers.values()) timer.cancel();
  };
  const bookmark = (): void => {
    if (!gate.isHeld()) write.bookmark(engine.store.version, {});
    timers.set('bookmark', engine.clock.setTimeout(bookmark, tools.bookmarkIntervalMs));
  };
  if (request.bookmarks) timers.set('bookmark', engine.clock.setTimeout(bookmark, tools.bookmarkIntervalMs));
  const finish = (): void => {
    stop();
    response.end();
  };
  if (request.timeoutMs > 0) timers.set('end', engine.clock.setTimeout(finish, request.timeoutMs));
  response.on('close', stop);
};

/** Lets events through, or keeps them while it is held. */
const createGate = (deliver: (event: StoreEvent) => void) => {
  let isHeld = false;
  let waiting: StoreEvent[] = [];
  return {
    push: (event: StoreEvent): void => {
      if (isHeld) waiting.push(event);
      else deliver(event);
    },
    hold: (held: boolean): void => {
      isHeld = held;
      if (held) return;
      const released = waiting;
      waiting = [];
      released.forEach(deliver);
    },
    isHeld: (): boolean => isHeld,
  };
};

type Writer = ReturnType<typeof createWriter>;

/** Sends the initial events and returns the past events to replay; undefined when the watch cannot start there. */
const begin = (request: WatchRequest, { engine }: WatchTools, write: Writer): readonly StoreEvent[] | undefined => {
  const { resource, selection, resourceVersion, sendInitialEvents } = request;
  const isFresh = ['', '0'].includes(resourceVersion);
  if (sendInitialEvents === true && Number(resourceVersion) > engine.store.version) {
    write.error(tooLargeVersion(engine, Number(resourceVersion)));
    return undefined;
  }
  if (sendInitialEvents === true || (sendInitialEvents === undefined && isFresh)) {
    for (const object of selectObjects(engine, resource, selection)) write.event('ADDED', object);
    if (sendInitialEvents === true && request.bookmarks) write.bookmark(engine.store.version, { 'k8s.io/initial-events-end': 'true' });
    return [];
  }
  if (isFresh) return [];
  return pastEvents(request, engine, write);
};

const pastEvents = ({ resource, resourceVersion }: WatchRequest, engine: Engine, write: Writer): readonly StoreEvent[] | undefined => {
  const past = engine.store.history(resource.storage).since(Number(resourceVersion));
  if (past === undefined) write.error(new ApiError('Expired', `too old resource version: ${resourceVersion} (${engine.store.version})`));
  return past;
};

/** An event through a selection: an object that enters it is added, one that leaves is deleted. */
const visible = ({ type, object, previous }: StoreEvent, { matches }: ObjectSelection): StoreEvent['type'] | undefined => {
  const before = previous !== undefined && matches(previous);
  const now = type !== 'DELETED' && matches(object);
  if (now) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : undefined;
};

/** A deletion shows the state that was selected last, under the version of the event. */
const lastSeen = ({ object, previous = object }: StoreEvent): StoredObject => ({
  ...previous,
  metadata: { ...previous.metadata, resourceVersion: object.metadata.resourceVersion },
});

const createWriter = (response: ServerResponse, request: WatchRequest, { engine, textOf }: WatchTools) => {
  const { resource, form, includeObject } = request;
  let headers = true;
  const bodyOf = (object: StoredObject): string => {
    if (form === 'plain') return textOf(object, resource);
    if (form === 'metadata') return JSON.stringify(metadataOf(object));
    const table = apiTableOf(resource, [object], { nowMs: engine.nowMs, includeObject, headers });
    headers = false;
    return JSON.stringify({ ...table, metadata: { resourceVersion: object.metadata.resourceVersion } });
  };
  const bookmarkBody = (version: number, annotations: JsonObject | undefined): string => {
    const metadata = { resourceVersion: String(version), annotations };
    const plain = { kind: resource.kind, apiVersion: apiVersionIn(resource), metadata };
    if (form === 'plain') return JSON.stringify(plain);
    return form === 'metadata' ? JSON.stringify({ ...plain, ...PARTIAL }) : bodyOf(asStored(plain));
  };
  const line = (type: string, body: string): void => void response.write(`{"type":"${type}","object":${body}}\n`);
  return {
    event: (type: string, object: StoredObject): void => line(type, bodyOf(object)),
    bookmark: (version: number, annotations: JsonObject): void =>
      line('BOOKMARK', bookmarkBody(version, Object.keys(annotations).length === 0 ? undefined : annotations)),
    error: (error: ApiError): void => line('ERROR', JSON.stringify(error.toStatus())),
  };
};
