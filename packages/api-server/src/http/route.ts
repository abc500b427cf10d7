import type { Registry } from '../engine/registry.ts';
import type { Resource } from '../resources/resource.ts';

/** What the path of a request names. */
export interface ApiRoute {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Reads `/api/v1/...` and `/apis/group/version/...`; undefined when no served resource is named. */
export const routeOf = (registry: Registry, path: string): ApiRoute | undefined => {
  const [root, ...segments] = path.split('/').filter(Boolean).map(decodeURIComponent);
  if (root === 'api') return within(registry, ['', segments[0] ?? ''], segments.slice(1));
  if (root === 'apis') return within(registry, [segments[0] ?? '', segments[1] ?? ''], segments.slice(2));
  return undefined;
};

const within = (registry: Registry, [group, version]: readonly [string, string], segments: readonly string[]): ApiRoute | undefined => {
  const find = (plural: string | undefined): Resource | undefined =>
    plural === undefined ? undefined : registry.byPath(group, version, plural);
  const [first, second, third, name, ...below] = segments;
  const nested = first === 'namespaces' ? find(third) : undefined;
  if (nested !== undefined && second !== undefined && nested.namespaced) {
    return { resource: nested, namespace: second, name, subresource: below.length > 0 ? below.join('/') : undefined };
  }
  const resource = find(first);
  if (resource === undefined || segments.length > 3 || (resource.namespaced && second !== undefined)) return undefined;
  return { resource, namespace: undefined, name: second, subresource: third };
};
