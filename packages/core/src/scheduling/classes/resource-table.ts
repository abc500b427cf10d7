/** Resources as small numbers: every vector of amounts in one solve is indexed by them. */
export interface ResourceTable {
  readonly names: readonly string[];
  readonly idOf: ReadonlyMap<string, number>;
}

/** Numbers cpu, memory and pods first, the other resources by name, and the slots of nodes last. */
export const resourceTable = (lists: Iterable<Readonly<Record<string, unknown>>>, slots: readonly string[]): ResourceTable => {
  const seen = new Set<string>();
  for (const list of lists) for (const name of Object.keys(list)) seen.add(name);
  const first = ['cpu', 'memory', 'pods'];
  const names = [...first, ...[...seen].filter((name) => !first.includes(name)).sort(), ...slots];
  return { names, idOf: new Map(names.map((name, id) => [name, id])) };
};
