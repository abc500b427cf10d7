import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Json } from './mutations.ts';

/**
 * One request: method, path, body, words that say how it is sent, and why the embedded server answers otherwise where
 * it does. Paths begin with a plural, or with a slash.
 */
export type Request = readonly [method: string, path: string, body?: Json | undefined, how?: string | null | undefined, why?: string];

/** Requests that follow one another, in a namespace of their own. */
export interface Conversation {
  readonly name: string;
  readonly requests: readonly Request[];
}

const FOLDER = new URL('conversations/', import.meta.url);

interface ConversationFile {
  readonly conversations: Readonly<Record<string, readonly Request[]>>;
}

/** Every conversation of the folder `conversations`. */
export const conversations = (): readonly Conversation[] =>
  readdirSync(FOLDER)
    .toSorted()
    .map((file) => parse(readFileSync(new URL(file, FOLDER), 'utf8'), { merge: true, maxAliasCount: -1 }) as ConversationFile)
    .flatMap((file) => Object.entries(file.conversations).map(([name, requests]) => ({ name, requests })));

const LONGEST_TEXT = 110;

/** A request as one reads it: `PATCH pods/p merge {"spec":{}}`. */
export const requestText = ([method, path, body, how]: Request): string => {
  const text = body === undefined || body === null ? '' : JSON.stringify(body);
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return [method, path, how ?? '', shown].filter((part) => part !== '').join(' ');
};
