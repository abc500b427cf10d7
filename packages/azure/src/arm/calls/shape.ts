import { isJsonObject } from '@karpenter/runtime';

/** The members of an object; of anything else, none. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {});

/** The items of a list; of anything else, none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** The members of an object that are text. */
export const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(objectOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** The items of a list that are text. */
export const textsOf = (value: unknown): readonly string[] => listOf(value).filter((item) => typeof item === 'string');

/** A page of a list, as ARM writes them. */
export const pageIn = (answer: unknown): { readonly items: unknown; readonly next: string | undefined } => {
  const { value, nextLink } = objectOf(answer);
  return { items: value, next: typeof nextLink === 'string' && nextLink !== '' ? nextLink : undefined };
};
