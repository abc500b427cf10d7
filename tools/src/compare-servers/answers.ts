import type { Json } from './mutations.ts';

/** Members of an object by dotted path. */
export type Leaves = Readonly<Record<string, Json>>;

/** What a server says to a create, without what differs from run to run. */
export interface ServerAnswer {
  readonly code: number;
  readonly reason?: string;
  /**
   * `field: message` of each cause, sorted: a real server gives them in the order of a Go map. Without causes, the message.
   */
  readonly causes?: readonly string[];
  readonly object?: Leaves;
}

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

const treeIn = (value: unknown, member: string): Tree => {
  const found = isTree(value) ? value[member] : undefined;
  return isTree(found) ? found : {};
};

/** What a server gave, as an `Answer`. */
export const answerOf = (code: number, body: unknown): ServerAnswer => {
  if (code < 400) return { code, object: leavesOf(body) };
  const { reason, message } = body as { readonly reason?: string; readonly message?: string };
  const causes = treeIn(body, 'details')['causes'] as readonly { readonly field: string; readonly message: string }[] | undefined;
  return {
    code,
    ...(reason === undefined ? {} : { reason }),
    causes: causes === undefined ? [message ?? ''] : causes.map((cause) => `${cause.field}: ${cause.message}`).sort(),
  };
};

const PASSING = /^metadata\.(uid|creationTimestamp|managedFields|resourceVersion|generation)\b/;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/;
const SECOND = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const YEAR_OF_OBJECTS = '2026-01-01';

/** The members of a body, at the bottom. */
export const leavesOf = (body: unknown): Leaves => {
  const leaves: Record<string, Json> = {};
  const visit = (value: Json, path: string): void => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) leaves[path] = steady(value);
    else
      for (const [name, member] of Object.entries<Json>(value as Readonly<Record<string, Json>>))
        visit(member, path === '' ? name : `${path}.${name}`);
  };
  visit(withoutControllers(body as Json), '');
  return Object.fromEntries(Object.entries(leaves).filter(([path]) => !PASSING.test(path)));
};

const steady = (value: Json): Json => {
  if (typeof value !== 'string') return value;
  const text = value.replace(UID, 'a uid');
  return SECOND.test(text) && !text.startsWith(YEAR_OF_OBJECTS) ? 'now' : text;
};

/**
 * Takes away what is there for controllers that do not run here: the tokens of service accounts, and what protects volumes.
 */
const withoutControllers = (value: Json): Json => {
  if (Array.isArray(value)) return (value as readonly Json[]).filter((item) => !isToken(item)).map(withoutControllers);
  if (!isTree(value)) return value;
  const entries = Object.entries(value as Readonly<Record<string, Json>>).map(
    ([name, member]) => [name, withoutControllers(member)] as const,
  );
  return Object.fromEntries(entries.filter(([name, member]) => !(ADDED.has(name) && Array.isArray(member) && member.length === 0)));
};

const ADDED = new Set(['volumes', 'volumeMounts', 'finalizers']);

const isToken = (item: Json): boolean =>
  typeof item === 'string'
    ? /^kubernetes\.io\/pvc?-protection$/.test(item)
    : isTree(item) && typeof item['name'] === 'string' && item['name'].startsWith('kube-api-access-');

/** Where the members of two objects are not the same. */
export const changedPaths = (left: Leaves, right: Leaves): readonly string[] =>
  [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((path) => JSON.stringify(left[path]) !== JSON.stringify(right[path]));

/** How two answers differ, in one line; undefined when they are the same. */
export const differenceOf = (wanted: ServerAnswer, given: ServerAnswer): string | undefined => {
  if (wanted.code !== given.code) return `${wanted.code} ${said(wanted)} | ${given.code} ${said(given)}`;
  if (wanted.reason !== given.reason) return `${String(wanted.reason)} | ${String(given.reason)}`;
  if (said(wanted) !== said(given)) return `${said(wanted)} | ${said(given)}`;
  const [left, right] = [wanted.object ?? {}, given.object ?? {}];
  const paths = changedPaths(left, right);
  return paths.length === 0 ? undefined : paths.map((path) => `${path}: ${shown(left[path])} vs ${shown(right[path])}`).join('; ');
};

const said = ({ causes = [] }: ServerAnswer): string => causes.join('; ');

const shown = (value: Json | undefined): string => (value === undefined ? 'nothing' : JSON.stringify(value));
