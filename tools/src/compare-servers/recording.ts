import { type Answer, changedPaths, type Leaves } from './answers.ts';
import type { Mutation } from './mutations.ts';

/** An answer of a real server to one change of one object. */
export interface RecordedAnswer extends Answer {
  readonly change?: Mutation;
}

/** What a real server answered. */
export interface Recording {
  /** The server that answered, as it names itself. */
  readonly server: string;
  /** By the name of the object. The first answer is to the object as it is; the objects of the others are told by what differs from it. */
  readonly answers: Readonly<Record<string, readonly RecordedAnswer[]>>;
}

/** Stands for a member that the answer to the object as it is has, and this one has not. */
const GONE = '(gone)';

/** Longer texts make the file long and say little. */
const LONGEST_CHANGE = 250;

/** One answer for each way in which a server answers: the same fields and reasons, or the same members changed, are one way. `seen` holds the ways of other objects and gets those of this one. */
export const chosenAnswers = (asIs: Answer, answers: readonly RecordedAnswer[], seen: Set<string>): readonly RecordedAnswer[] => {
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
const wayOf = ({ code, causes = [], object = {} }: Answer): string =>
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
export const wholeAnswer = (asIs: Answer, { change: _change, ...answer }: RecordedAnswer): Answer => {
  if (answer.object === undefined) return answer;
  const entries = Object.entries({ ...asIs.object, ...answer.object }).filter(([, value]) => value !== GONE);
  return { ...answer, object: Object.fromEntries(entries) };
};
