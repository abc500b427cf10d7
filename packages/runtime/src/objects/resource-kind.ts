/** The kind that leader election writes. */
export const leaseKind: ResourceKind = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true };

/** The kind that the event recorder writes: core/v1, which kubectl describe reads. */
export const eventKind: ResourceKind = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

/** How the API server serves one kind. `group` is the empty string for core/v1. */
export interface ResourceKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Lower case, as it stands in paths: `pods`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** kind name → how it is served. A value handed to the client, so that two clients of one process may know different kinds. */
export type KindTable = ReadonlyMap<string, ResourceKind>;

const isSame = (a: ResourceKind, b: ResourceKind): boolean =>
  a.group === b.group && a.version === b.version && a.plural === b.plural && a.namespaced === b.namespaced;

/**
 * A table of kinds by name. A kind may be listed twice, as by two parts of a program that both read it; the same kind
 * name in two groups cannot be distinguished by name, and is a bug of the caller.
 */
export const kindTable = (kinds: readonly ResourceKind[]): KindTable => {
  const table = new Map<string, ResourceKind>();
  for (const kind of kinds) {
    if (!isSame(table.get(kind.kind) ?? kind, kind)) throw new TypeError('two resource kinds have one name');
    table.set(kind.kind, kind);
  }
  return table;
};

/** `group/version`, or `version` for the core group: what stands in an object's `apiVersion`. */
export const apiVersionOf = ({ group, version }: Pick<ResourceKind, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;
