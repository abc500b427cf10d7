import type { KubeObject } from '../../objects/kube-object.ts';
import { isJsonObject } from '../../objects/kube-object.ts';
import { classifyWatchError } from '../classify.ts';
import { KubeError } from '../kube-error.ts';

const NEWLINE = 10;

/** The lines of a byte stream, without their ends; a last line without an end counts. Lines may span any number of chunks. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      const line = Buffer.concat(pending).toString('utf8');
      pending = [];
      start = end + 1;
      if (line !== '') yield line;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  const rest = Buffer.concat(pending).toString('utf8');
  if (rest !== '') yield rest;
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

interface RawEvent {
  readonly type: string;
  readonly object: KubeObject;
}

const parse = (line: string): RawEvent => {
  try {
    return JSON.parse(line) as RawEvent;
  } catch (error) {
    throw new KubeError('a watch event is not JSON', { code: 'malformed', cause: error });
  }
};

const isEvent = (event: unknown): boolean => {
  if (!isJsonObject(event) || !isJsonObject(event['object'])) return false;
  const { metadata } = event['object'];
  return event['type'] === 'ERROR' || (isJsonObject(metadata) && typeof metadata['resourceVersion'] === 'string');
};

const eventOf = (line: string): RawEvent => {
  const event = parse(line);
  if (isEvent(event)) return event;
  throw new KubeError('a watch event has no object with a resource version', { code: 'malformed', cause: line.slice(0, 500) });
};

/** One line of a watch as an event. Throws the KubeError of an ERROR event, and `malformed` for what is no event. */
export const decodeWatchEvent = <T extends KubeObject>(line: string): WatchEvent<T> => {
  const { type, object } = eventOf(line);
  switch (type) {
    case 'ADDED':
      return { type: 'added', object: object as T };
    case 'MODIFIED':
      return { type: 'modified', object: object as T };
    case 'DELETED':
      return { type: 'deleted', object: object as T };
    case 'BOOKMARK':
      return {
        type: 'bookmark',
        resourceVersion: object.metadata.resourceVersion ?? '',
        initialEventsEnd: object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true',
      };
    case 'ERROR':
      throw classifyWatchError(object);
    default:
      throw new KubeError(`a watch event has the unknown type ${JSON.stringify(type)}`, { code: 'malformed', cause: line.slice(0, 500) });
  }
};

/** Something happened to an object of a watched selection, or (bookmark) nothing did up to a version. */
export type WatchEvent<T> =
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: T }
  | {
      readonly type: 'bookmark';
      readonly resourceVersion: string;
      /** The objects that were there at the start have all been sent (`k8s.io/initial-events-end`). */
      readonly initialEventsEnd: boolean;
    };
