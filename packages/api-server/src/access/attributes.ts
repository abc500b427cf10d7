import type { ApiRequest } from '../http/api-request.ts';
import { parseFieldSelector } from '../selectors/field-selector.ts';

/** What a request asks leave for. */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  /** Plural, with its subresource: `pods/eviction`. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** A list or watch of one name is authorized for that name. */
const selectedName = ({ verb, query }: ApiRequest): string | undefined => {
  if (verb !== 'list' && verb !== 'watch' && verb !== 'deletecollection') return undefined;
  return parseFieldSelector(query.get('fieldSelector') ?? '').find(({ field, equal }) => field === 'metadata.name' && equal)?.value;
};

/** The attributes of a request about objects. */
export const attributesOf = (request: ApiRequest): Attributes => {
  const { resource, namespace, name, subresource } = request.route;
  return {
    verb: request.verb,
    group: resource.group,
    resource: subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`,
    // The namespace of a Namespace is itself.
    namespace: resource.kind === 'Namespace' ? name : namespace,
    name: name ?? selectedName(request),
  };
};
