import { NAME_AND_AGE, type TableColumn } from '../columns/column.ts';
import { ageOf } from '../columns/human-duration.ts';
import { type JsonObject, type JsonValue, numberAt, textAt } from '../json/json.ts';
import { asJson } from '../store/stored-object.ts';
import { compileJsonPath } from './json-path.ts';

/** The columns of a version's `additionalPrinterColumns`; the age alone without any. */
export const customColumns = (definitions: readonly JsonObject[]): readonly TableColumn[] =>
  definitions.length === 0 ? NAME_AND_AGE : [...NAME_AND_AGE.slice(0, 1), ...definitions.map(customColumn)];

const customColumn = (definition: JsonObject): TableColumn => {
  const type = textAt(definition, 'type');
  const read = compileJsonPath(textAt(definition, 'jsonPath'));
  return {
    name: textAt(definition, 'name'),
    type,
    format: textAt(definition, 'format'),
    description: textAt(definition, 'description'),
    priority: numberAt(definition, 'priority'),
    cell: (object, nowMs) => cellOf(read(asJson(object)), type, nowMs),
  };
};

const cellOf = (found: readonly JsonValue[], type: string, nowMs: number): JsonValue => {
  // A path with a wildcard finds several: the API server prints the first of them.
  const [first] = found;
  if (first === undefined) return type === 'date' ? '<unknown>' : null;
  if (type === 'date') return typeof first === 'string' ? ageOf(first, nowMs) : '<invalid>';
  return typeof first === 'object' || (type === 'string' && typeof first !== 'string') ? JSON.stringify(first) : first;
};
