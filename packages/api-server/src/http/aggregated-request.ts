import type { Attributes } from '../access/attributes.ts';
import type { Registry } from '../engine/registry.ts';
import type { JsonObject } from '../json/json.ts';
import type { AggregatedApi } from '../public/api-server.ts';
import { notFound } from '../status/refusals.ts';

/** A read of objects that another API server answers for. */
interface AggregatedRequest {
  readonly api: AggregatedApi;
  readonly kind: AggregatedApi['kinds'][number];
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

const PATH = /^\/apis\/([^/]+\/[^/]+)\/(?:namespaces\/([^/]+)\/)?([^/]+)(?:\/([^/]+))?$/;

/** The request that a path makes; undefined when its kind is none of another API server. */
export const aggregatedRequestOf = (registry: Registry, path: string): AggregatedRequest | undefined => {
  const [, groupVersion, namespace, plural, name] = PATH.exec(path) ?? [];
  const api = registry.aggregated().find((one) => one.groupVersion === groupVersion);
  const kind = api?.kinds.find((one) => one.plural === plural);
  return api && kind && { api, kind, namespace, name };
};

/** The object or the list. Throws an `ApiError`: what `authorize` throws of the access, `NotFound` for what is not there. */
export const aggregatedAnswer = (
  { api, kind: { kind, plural }, namespace, name }: AggregatedRequest,
  labelSelector: string,
  authorize: (attributes: Attributes) => void,
): JsonObject => {
  const [group = ''] = api.groupVersion.split('/');
  authorize({ verb: name === undefined ? 'list' : 'get', group, resource: plural, namespace, name });
  const items = api.objects(kind, { namespace, name, labelSelector }) as unknown as JsonObject[];
  if (name === undefined) return { kind: `${kind}List`, apiVersion: api.groupVersion, metadata: {}, items };
  const [object] = items;
  if (object === undefined) throw notFound({ group, plural, kind }, name);
  return object;
};
