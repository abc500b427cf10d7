import type { Resource } from '../resources/resource.ts';
import { type FieldRequirement, parseFieldSelector } from '../selectors/field-selector.ts';
import { matchesLabels, parseLabelSelector } from '../selectors/label-selector.ts';
import { badRequest } from '../status/refusals.ts';
import type { StoredObject } from '../store/stored-object.ts';

/** Which objects of a resource a request is about. */
export interface ObjectSelection {
  readonly namespace: string | undefined;
  readonly fields: readonly FieldRequirement[];
  readonly everything: boolean;
  readonly matches: (object: StoredObject) => boolean;
}

/** What narrows a selection, as text. */
export interface SelectionQuery {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Everything, or everything of one namespace. */
export const everythingIn = (namespace: string | undefined): ObjectSelection => ({
  namespace,
  fields: [],
  everything: true,
  matches: ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
});

/** Reads the selectors of a request. Throws an `ApiError` (`BadRequest`) for a field that the kind cannot be selected by. */
export const selectionOf = (resource: Resource, query: SelectionQuery): ObjectSelection => {
  const labels = parseLabelSelector(query.labelSelector ?? '');
  const fields = parseFieldSelector(query.fieldSelector ?? '');
  const readers = fields.map((requirement) => ({ ...requirement, read: readerOf(resource, requirement.field) }));
  const { namespace } = query;
  return {
    namespace,
    fields,
    everything: labels.length === 0 && fields.length === 0,
    matches: (object) =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      readers.every(({ read, equal, value }) => (read(object) === value) === equal) &&
      matchesLabels(labels, object.metadata.labels),
  };
};

/** Kinds without fields of their own know two, and say so. */
const unknownFieldText = ({ selectable, kind, custom }: Resource, field: string): string => {
  if (custom || Object.keys(selectable).length > 0 || kind === 'Namespace') return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
};

const readerOf = (resource: Resource, field: string): ((object: StoredObject) => string) => {
  if (field === 'metadata.name') return (object) => object.metadata.name;
  if (field === 'metadata.namespace') return (object) => object.metadata.namespace ?? '';
  const read = resource.selectable[field];
  if (read === undefined) throw badRequest(unknownFieldText(resource, field));
  return (object) => read(object) ?? '';
};
