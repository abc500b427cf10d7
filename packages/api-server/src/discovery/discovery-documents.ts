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

/** A kind as discovery shows it. */
interface ListedKind extends Pick<Resource, 'kind' | 'plural' | 'singular' | 'namespaced' | 'shortNames' | 'categories'> {
  readonly groupVersion: string;
  readonly verbs: readonly string[];
  readonly subresources: readonly Sub[];
  /** Objects of others are computed when they are read. */
  readonly isStored: boolean;
}

/** Everything that is served: what is stored, reviews, and what other API servers answer for. */
const listedKinds = (registry: Registry): readonly ListedKind[] => [
  ...registry.all().map((resource) => {
    const { kind, plural, singular, namespaced, shortNames, categories } = resource;
    const own = { kind, plural, singular, namespaced, shortNames, categories, groupVersion: apiVersionIn(resource) };
    return { ...own, verbs: VERBS, subresources: subresourcesOf(resource), isStored: true };
  }),
  ...REVIEW_VERSIONS.flatMap((groupVersion) =>
    reviewKinds(groupVersion).map((kind) => {
      const singular = kind.toLowerCase();
      return { ...COMPUTED, groupVersion, kind, plural: `${singular}s`, singular, namespaced: false, verbs: ['create'] };
    }),
  ),
  ...registry
    .aggregated()
    .flatMap(({ groupVersion, kinds }) =>
      kinds.map((kind) => ({ ...COMPUTED, ...kind, groupVersion, singular: '', verbs: ['get', 'list'] })),
    ),
];

const COMPUTED = { shortNames: [], categories: [], subresources: [], isStored: false } as const;

/** Legacy discovery of one group and version (`APIResourceList`); undefined when it is not served. */
export const resourceList = (registry: Registry, groupVersion: string): JsonObject | undefined => {
  const listed = listedKinds(registry).filter((one) => one.groupVersion === groupVersion);
  if (listed.length === 0) return undefined;
  const resources = listed.flatMap(({ plural, singular, namespaced, kind, verbs, ...more }): JsonObject[] => [
    {
      ...{ name: plural, singularName: singular, namespaced, kind, verbs: [...verbs] },
      ...(more.shortNames.length === 0 ? {} : { shortNames: [...more.shortNames] }),
      ...(more.categories.length === 0 ? {} : { categories: [...more.categories] }),
      ...(more.isStored ? { storageVersionHash: '' } : {}),
    },
    ...more.subresources.map((sub) => ({
      ...{ name: `${plural}/${sub.path}`, singularName: '', namespaced, kind: sub.kind, verbs: [...sub.verbs] },
      ...(apiVersionIn(sub) === groupVersion ? {} : { group: sub.group, version: sub.version }),
    })),
  ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
};

/** Group → its served versions, the preferred one first.  */
const groupVersions = (registry: Registry): ReadonlyMap<string, readonly string[]> => {
  const groups = new Map<string, Set<string>>();
  for (const { groupVersion } of listedKinds(registry)) {
    const [version = '', group = ''] = groupVersion.split('/').toReversed();
    groups.set(group, (groups.get(group) ?? new Set()).add(version));
  }
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

const aggregatedResources = (registry: Registry, group: string, version: string): JsonObject[] =>
  listedKinds(registry)
    .filter(({ groupVersion }) => groupVersion === apiVersionIn({ group, version }))
    .map(({ kind, plural, singular, namespaced, verbs, ...more }) => ({
      resource: plural,
      responseKind: { group, version, kind },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      singularResource: singular,
      verbs: [...verbs],
      ...(more.isStored
        ? { shortNames: [...more.shortNames], categories: [...more.categories], subresources: more.subresources.map(aggregatedSub) }
        : {}),
    }));

const aggregatedSub = ({ path, group, version, kind, verbs }: Sub): JsonObject => ({
  subresource: path,
  responseKind: { group, version, kind },
  verbs: [...verbs],
});
