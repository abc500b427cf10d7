import type { Resource } from '../resources/resource.ts';
import type { FieldRequirement } from '../selectors/field-selector.ts';
import { parseFieldSelector } from '../selectors/field-selector.ts';
import { matchesLabels, parseLabelSelector } from '../selectors/label-selector.ts';
import { badRequest } from '../status/refusals.ts';
import type { StoredObject } from '../store/stored-object.ts';

/** Which objects of a resource a request is about. */
export interface Selection {
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

/** Reads the selectors of a request. Throws an `ApiError` (`BadRequest`) for a field that the kind cannot be selected by. */
export const selectionOf = (resource: Resource, query: SelectionQuery): Selection => {
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

const readerOf = ({ selectable }: Resource, field: string): ((object: StoredObject) => string) => {
  if (field === 'metadata.name') return (object) => object.metadata.name;
  if (field === 'metadata.namespace') return (object) => object.metadata.namespace ?? '';
  const read = selectable[field];
  if (read === undefined) throw badRequest(`field label not supported: ${field}`);
  return (object) => read(object) ?? '';
};
