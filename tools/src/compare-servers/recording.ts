import { type ServerAnswer, changedPaths, type Leaves } from './answers.ts';
import type { Json, Mutation } from './mutations.ts';

/** An answer of a real server to one change of one object. */
export interface RecordedAnswer extends ServerAnswer {
  readonly change?: Mutation;
}

/** What a real server answered. */
export interface Recording {
  /** The server that answered, as it names itself. */
  readonly server: string;
  /**
   * By the name of the object, or of the conversation. Of an object the first answer is to the unchanged object, and the
   * objects of the others are stored by what differs from it; in a conversation each is stored by what differs from the
   * last of its kind.
   */
  readonly answers: Readonly<Record<string, readonly RecordedAnswer[]>>;
}

/** A recording as the text of its file, one answer a line. */
export const recordingText = ({ server, answers }: Recording): string => {
  const parts = Object.entries(answers).map(
    ([name, list]) => `${JSON.stringify(name)}: [\n${list.map((answer) => JSON.stringify(answer)).join(',\n')}\n]`,
  );
  return `{ "server": ${JSON.stringify(server)}, "answers": {\n${parts.join(',\n')}\n} }\n`;
};

/** Stands for a member that the answer to the unchanged object has, and this one has not. */
const GONE = '(gone)';

/** Longer texts make the file long and say little. */
const LONGEST_CHANGE = 250;

/**
 * One answer for each way in which a server answers: the same fields and reasons, or the same members changed, are one
 * way. `seen` holds the ways of other objects and gets those of this one.
 */
export const chosenAnswers = (asIs: ServerAnswer, answers: readonly RecordedAnswer[], seen: Set<string>): readonly RecordedAnswer[] => {
  return answers
    .filter(({ change }) => JSON.stringify(change).length < LONGEST_CHANGE)
    .map((answer) => ({ ...answer, ...(answer.object === undefined ? {} : { object: changesBetween(asIs.object ?? {}, answer.object) }) }))
    .filter((answer) => {
      const way = wayOf(answer);
      const isNew = !seen.has(way);
      seen.add(way);
      return isNew;
    });
};

/** Without values, and of paths only the last member. */
const wayOf = ({ code, causes = [], object = {} }: ServerAnswer): string =>
  JSON.stringify([code, Object.keys(object).map(lastMember), causes.map((cause) => outline(cause))]);

const lastMember = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const outline = (cause: string): string =>
  cause
    .replace(/"(?:[^"\\]|\\.)*"|\d+/g, '')
    .replace(/^[^:]*[.\]]/, '')
    .replace(/cannot unmarshal .* of type/, 'type');

const changesBetween = (before: Leaves, after: Leaves): Leaves =>
  Object.fromEntries(changedPaths(before, after).map((path) => [path, Object.hasOwn(after, path) ? (after[path] ?? null) : GONE]));

/** The whole of a recorded answer, its object put together again. */
export const wholeAnswer = (asIs: ServerAnswer, { change: _change, ...answer }: RecordedAnswer): ServerAnswer => {
  if (answer.object === undefined) return answer;
  const entries = Object.entries({ ...asIs.object, ...answer.object }).filter(([, value]) => value !== GONE);
  return { ...answer, object: Object.fromEntries(entries) };
};

/** Answers that followed one another, each stored by what differs from the last of its kind. */
export const shortAnswers = (answers: readonly ServerAnswer[]): readonly ServerAnswer[] => {
  const last = new Map<Json | undefined, ServerAnswer>();
  return answers.map((answer) => {
    const { object = {} } = answer;
    const before = last.get(object[KIND])?.object ?? {};
    last.set(object[KIND], answer);
    return { ...answer, object: { ...changesBetween(before, object), ...(object[KIND] === undefined ? {} : { [KIND]: object[KIND] }) } };
  });
};

const KIND = 'body.kind';

/** The whole of each of such answers. */
export const longAnswers = (answers: readonly ServerAnswer[]): readonly ServerAnswer[] => {
  const last = new Map<Json | undefined, ServerAnswer>();
  return answers.map((answer) => {
    const kind = answer.object?.[KIND];
    const whole = wholeAnswer(last.get(kind) ?? { code: 0 }, answer);
    last.set(kind, whole);
    return whole;
  });
};
