/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

/** One change of an object: the member at a path gets a value, or goes when there is none. */
export interface Mutation {
  readonly path: readonly string[];
  readonly value?: Json;
}

const isTree = (value: Json): value is Exclude<Json, string | number | boolean | null> => typeof value === 'object' && value !== null;

const TYPE_META = new Set(['apiVersion', 'kind']);

/**
 * Every change that is tried with an object: each member is taken away, emptied, and given values that are too much or
 * of another type.
 */
export const requestMutationsOf = (object: Json): readonly Mutation[] =>
  membersOf(object, []).flatMap(({ path, value }) =>
    TYPE_META.has(path[0] ?? '') ? [] : [{ path }, ...valuesFor(value).map((other) => ({ path, value: other }))],
  );

const membersOf = (value: Json, path: readonly string[]): readonly { readonly path: readonly string[]; readonly value: Json }[] =>
  isTree(value)
    ? Object.entries(value).flatMap(([name, member]: [string, Json]) => [
        { path: [...path, name], value: member },
        ...membersOf(member, [...path, name]),
      ])
    : [];

const LONG_TEXT = 'x'.repeat(260);

const valuesFor = (value: Json): readonly Json[] => {
  switch (typeof value) {
    case 'string':
      return [null, '', 'A b', LONG_TEXT, '-1', '0', 'a/b/c', '_x', 5, true, [value]];
    case 'number':
      return [null, -1, 0, 1.5, 100_000, 1e12, 'x', String(value)];
    case 'boolean':
      return [null, !value, 'x', 1];
    default:
      if (Array.isArray(value)) return [null, [], [...(value as readonly Json[]), ...(value as readonly Json[])], 'x', {}];
      return [null, {}, [], 'x', { ...(value as Readonly<Record<string, Json>>), nonsense: 1 }];
  }
};

/** A copy of an object with a change. */
export const withMutation = (object: Json, { path, value }: Mutation): Json => {
  const [name, ...below] = path;
  if (name === undefined || !isTree(object)) return value ?? object;
  if (below.length > 0)
    return withMember(
      object,
      name,
      withMutation((object as Readonly<Record<string, Json>>)[name] ?? null, { path: below, ...(value === undefined ? {} : { value }) }),
    );
  return withMember(object, name, value);
};

const withMember = (tree: Json, name: string, value: Json | undefined): Json => {
  if (Array.isArray(tree)) {
    const items = tree as readonly Json[];
    return value === undefined ? items.toSpliced(Number(name), 1) : items.with(Number(name), value);
  }
  const { [name]: _before, ...others } = tree as Readonly<Record<string, Json>>;
  return value === undefined ? others : Object.fromEntries(Object.entries({ ...(tree as object), [name]: value }));
};

/** A change as one reads it: `spec.weight = 0`. */
export const mutationText = ({ path, value }: Mutation): string => {
  const text = value === undefined ? '(none)' : JSON.stringify(value);
  return `${path.join('.')} = ${text.length > 60 ? `${text.slice(0, 59)}…` : text}`;
};
