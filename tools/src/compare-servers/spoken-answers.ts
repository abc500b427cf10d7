import type { ApiAnswer as Given } from '../../../packages/kube-api-contract/src/kube-client.ts';
import type { ServerAnswer } from './answers.ts';
import { leavesOf } from './answers.ts';
import type { Json } from './mutations.ts';

const isTree = (value: Json | undefined): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A whole answer, headers and all: of a refusal its Status, of a watch its lines. What differs from run to run goes. */
export const spokenAnswerOf = ({ status, body, headers }: Given): ServerAnswer => ({
  code: status,
  object: leavesOf({ headers: headersOf(headers), body: bodyOf(body) }),
});

const HEADERS = ['content-type', 'retry-after', 'warning'];

const headersOf = (headers: Given['headers']): Json =>
  Object.fromEntries(HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));

const bodyOf = (body: Given['body']): Json => {
  const { text } = body;
  if (typeof text !== 'string') return steady(body as Json);
  return text.includes('\n{')
    ? text
        .trim()
        .split('\n')
        .map((line) => steady(JSON.parse(line) as Json))
    : text;
};

const CHANGING: Readonly<Record<string, string>> = {
  resourceVersion: 'a version',
  continue: 'a token',
  storageVersionHash: 'a hash',
  serverAddress: 'an address',
};

const steady = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(steady);
  if (!isTree(value)) return typeof value === 'string' && AGE.test(value) ? 'an age' : value;
  return Object.fromEntries(Object.entries(withoutOrder(value)).map(([name, member]) => [name, steadyMember(name, member, value)]));
};

const AGE = /^\d+[smhd](\d+[smh])?$/;

const LISTS: Readonly<Record<string, (items: readonly Json[]) => Json>> = {
  managedFields: (items) => ownersOf(items),
  columnDefinitions: (items) => items.map(withoutDescription),
};

const steadyMember = (name: string, member: Json, holder: Readonly<Record<string, Json>>): Json => {
  if (Array.isArray(member)) return LISTS[name]?.(member as readonly Json[]) ?? steady(member);
  if (typeof member !== 'string' || member === '') return steady(member);
  if (name === 'name' && typeof holder['generateName'] === 'string') return 'a generated name';
  return name === 'message' ? steadyText(member) : (CHANGING[name] ?? steady(member));
};

const withoutDescription = (column: Json): Json => (isTree(column) ? { ...column, description: '' } : column);

/** A real server gives several causes in the order of a Go map, some twice, and words its message from them. */
const withoutOrder = (body: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> => {
  const { details, message, ...others } = body;
  const causes = isTree(details) ? details['causes'] : undefined;
  if (!Array.isArray(causes)) return body;
  const texts = new Set((causes as readonly Json[]).map((cause) => JSON.stringify(steady(cause))));
  const sorted = [...texts].toSorted().map((text) => JSON.parse(text) as Json);
  return { ...others, ...(sorted.length > 1 ? {} : { message: message ?? '' }), details: { ...(details as object), causes: sorted } };
};

/** Owners of fields by who they are: their order is that of their times. */
const ownersOf = (entries: readonly Json[]): Json =>
  Object.fromEntries(
    entries
      .filter(isTree)
      .map(({ manager, operation, apiVersion, subresource, fieldsV1 }) => [
        [manager, operation, apiVersion, subresource].filter((part) => typeof part === 'string').join(' '),
        fieldsV1 ?? null,
      ]),
  );

/** Without versions and times, without the diff of a spec, and without the object that a patch made. */
const steadyText = (text: string): string =>
  text
    .replace(/\n@@[^]*$/, '')
    .replace(/patch: Invalid value: "\{(?:[^"\\]|\\.)*"/, 'patch: Invalid value: "{…}"')
    .replace(/^Invalid value: "\{(?:[^"\\]|\\.)*": /, 'Invalid value: "{…}": ')
    .replaceAll(/((?:resource ?version|in precondition|object meta): )\d+(?![-\w])/gi, '$1a version')
    .replaceAll(/((?:precondition|record) \()\d+\)/g, '$1a version)')
    .replaceAll(/(current: |version: a version \()\d+/g, '$1a version')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'now');
