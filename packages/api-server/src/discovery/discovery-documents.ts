import type { Registry } from '../engine/registry.ts';
import type { JsonObject } from '../json/json.ts';
import { apiVersionIn, type Resource } from '../resources/resource.ts';
import { REVIEW_VERSIONS, reviewKinds } from '../access/reviews.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

interface Sub {
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

const own = ({ group, version, kind }: Resource, path: string, verbs: readonly string[]): Sub => ({ path, group, version, kind, verbs });

/** The subresources that a resource is served with. */
const subresourcesOf = (resource: Resource): readonly Sub[] => [
  ...(resource.hasStatus ? [own(resource, 'status', ['get', 'patch', 'update'])] : []),
  ...(resource.scale === undefined
    ? []
    : [{ path: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] }]),
  ...(resource.storage === 'pods' && resource.group === ''
    ? [
        { path: 'binding', group: '', version: 'v1', kind: 'Binding', verbs: ['create'] },
        { path: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
        own(resource, 'ephemeralcontainers', ['get', 'patch', 'update']),
        own(resource, 'log', ['get']),
        own(resource, 'resize', ['get', 'patch', 'update']),
      ]
    : []),
  ...(resource.kind === 'ServiceAccount'
    ? [{ path: 'token', group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] }]
    : []),
  ...(resource.kind === 'CertificateSigningRequest' ? [own(resource, 'approval', ['get', 'patch', 'update'])] : []),
  ...(resource.storage === 'namespaces' ? [own(resource, 'finalize', ['update'])] : []),
];

/** Legacy discovery of one group and version (`APIResourceList`); undefined when it is not served. */
export const resourceList = (registry: Registry, groupVersion: string): JsonObject | undefined => {
  const served = registry.all().filter((resource) => apiVersionIn(resource) === groupVersion);
  const unstored = unstoredIn(registry, groupVersion).map(({ kind, plural, singular, isNamespaced, verbs }) => ({
    ...{ name: plural, singularName: singular, namespaced: isNamespaced, kind, verbs: [...verbs] },
  }));
  if (served.length === 0 && unstored.length === 0) return undefined;
  const resources = served.flatMap((resource): JsonObject[] => [
    {
      name: resource.plural,
      singularName: resource.singular,
      namespaced: resource.namespaced,
      kind: resource.kind,
      verbs: VERBS,
      ...(resource.shortNames.length === 0 ? {} : { shortNames: [...resource.shortNames] }),
      ...(resource.categories.length === 0 ? {} : { categories: [...resource.categories] }),
      storageVersionHash: '',
    },
    ...subresourcesOf(resource).map(({ path, group, version, kind, verbs }) => ({
      name: `${resource.plural}/${path}`,
      singularName: '',
      namespaced: resource.namespaced,
      kind,
      verbs: [...verbs],
      ...(group === resource.group && version === resource.version ? {} : { group, version }),
    })),
  ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [...resources, ...unstored] };
};

const unstoredIn = (registry: Registry, groupVersion: string) => unstoredKinds(registry).filter((one) => one.groupVersion === groupVersion);

/** Group → its served versions, the preferred one first.  */
const groupVersions = (registry: Registry): ReadonlyMap<string, readonly string[]> => {
  const groups = new Map<string, Set<string>>();
  const add = (group: string, version: string): void => void groups.set(group, (groups.get(group) ?? new Set()).add(version));
  for (const { group, version } of registry.all()) add(group, version);
  for (const [group = '', version = ''] of unstoredKinds(registry).map(({ groupVersion }) => groupVersion.split('/'))) add(group, version);
  return new Map([...groups].map(([group, versions]) => [group, [...versions].sort(newerFirst)]));
};

const rank = (version: string): readonly [number, number, number] => {
  const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  return [stage === undefined ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor)];
};

const newerFirst = (a: string, b: string): number => {
  const [left, right] = [rank(a), rank(b)];
  return right[0] - left[0] || right[1] - left[1] || right[2] - left[2];
};

const apiGroup = (group: string, versions: readonly string[]): JsonObject => {
  const entries = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: entries, preferredVersion: entries[0] ?? {} };
};

/** `/apis`. */
export const groupList = (registry: Registry): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: [...groupVersions(registry)].filter(([group]) => group !== '').map(([group, versions]) => apiGroup(group, versions)),
});

/** `/apis/{group}`. */
export const groupDocument = (registry: Registry, group: string): JsonObject | undefined => {
  const versions = groupVersions(registry).get(group);
  return versions === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group, versions) };
};

/** Aggregated discovery of `/api` (the core group) or `/apis` (all others). */
export const aggregatedDiscovery = (registry: Registry, core: boolean): JsonObject => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: [...groupVersions(registry)]
    .filter(([group]) => (group === '') === core)
    .map(([group, versions]) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: versions.map((version) => ({ version, freshness: 'Current', resources: aggregatedResources(registry, group, version) })),
    })),
});

const aggregatedResources = (registry: Registry, group: string, version: string): JsonObject[] => {
  const resources = registry
    .all()
    .filter((resource) => resource.group === group && resource.version === version)
    .map((resource): JsonObject => ({
      resource: resource.plural,
      responseKind: { group, version, kind: resource.kind },
      scope: resource.namespaced ? 'Namespaced' : 'Cluster',
      singularResource: resource.singular,
      verbs: VERBS,
      shortNames: [...resource.shortNames],
      categories: [...resource.categories],
      subresources: subresourcesOf(resource).map((sub) => ({
        subresource: sub.path,
        responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
        verbs: [...sub.verbs],
      })),
    }));
  const unstored = unstoredIn(registry, `${group}/${version}`).map(({ kind, plural, singular, isNamespaced, verbs }) => ({
    resource: plural,
    responseKind: { group, version, kind },
    scope: isNamespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs],
  }));
  return [...resources, ...unstored];
};

/** A kind whose objects are computed on read. */
export interface UnstoredKind {
  readonly groupVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
}

const REVIEWS: readonly UnstoredKind[] = REVIEW_VERSIONS.flatMap((groupVersion) =>
  reviewKinds(groupVersion).map((kind) => {
    const singular = kind.toLowerCase();
    return { groupVersion, kind, plural: `${singular}s`, singular, isNamespaced: false, verbs: ['create'] };
  }),
);

/** Reviews, and what other API servers answer for. */
const unstoredKinds = (registry: Registry): readonly UnstoredKind[] => [
  ...REVIEWS,
  ...registry.aggregated().flatMap(({ groupVersion, kinds }) =>
    kinds.map(({ kind, plural, namespaced }) => ({
      ...{ groupVersion, kind, plural, singular: '', isNamespaced: namespaced, verbs: ['get', 'list'] },
    })),
  ),
];
