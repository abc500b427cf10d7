import type { AggregatedApi } from '../public/api-server.ts';
import type { KindRef } from '../public/local-api.ts';
import { apiVersionIn, type Resource } from '../resources/resource.ts';

/** The resources that a server serves at the moment. */
export interface Registry {
  byPath(group: string, version: string, plural: string): Resource | undefined;
  /** The resource of a kind; without an apiVersion the core and built-in groups come first. */
  byKind(kind: string | KindRef<unknown>): Resource | undefined;
  byStorage(storage: string): Resource | undefined;
  all(): readonly Resource[];
  add(resource: Resource): void;
  removeStorage(storage: string): void;
  /** What other API servers answer for. */
  aggregated(): readonly AggregatedApi[];
  aggregate(api: AggregatedApi): void;
  /** Grows with every change, so that documents built from the registry know when they are old. */
  readonly revision: number;
}

/** An empty registry. */
export const createRegistry = (): Registry => {
  const byPath = new Map<string, Resource>();
  const aggregated: AggregatedApi[] = [];
  let revision = 0;
  const find = (test: (resource: Resource) => boolean): Resource | undefined => {
    for (const resource of byPath.values()) if (test(resource)) return resource;
    return undefined;
  };
  return {
    byPath: (group, version, plural) => byPath.get(`${group}/${version}/${plural}`),
    byKind: (ref) => {
      const { kind, apiVersion } = typeof ref === 'string' ? { kind: ref, apiVersion: undefined } : ref;
      return find((resource) => resource.kind === kind && (apiVersion === undefined || apiVersionIn(resource) === apiVersion));
    },
    byStorage: (storage) => find((resource) => resource.storage === storage),
    all: () => [...byPath.values()],
    add: (resource) => {
      byPath.set(`${resource.group}/${resource.version}/${resource.plural}`, resource);
      revision += 1;
    },
    removeStorage: (storage) => {
      for (const [path, resource] of byPath) if (resource.storage === storage) byPath.delete(path);
      revision += 1;
    },
    aggregated: () => aggregated,
    aggregate: (api) => {
      aggregated.push(api);
      revision += 1;
    },
    get revision() {
      return revision;
    },
  };
};
