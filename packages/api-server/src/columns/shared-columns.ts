import { plainText } from '../json/plain-text.ts';
import { asRecord } from '../json/json.ts';
import { objectsAt, textAt, valueAt } from '../json/value-at.ts';
import { selectorRequirements, selectorText } from '../selectors/label-selector.ts';
import type { TableColumn } from './column.ts';
import { column, wideColumn } from './column.ts';
import { ageOf } from './human-duration.ts';

/** The object's name. */
export const NAME: TableColumn = column('Name', (object) => object.metadata.name);

/** How long the object exists. */
export const AGE: TableColumn = column('Age', (object, nowMs) => ageOf(object.metadata.creationTimestamp, nowMs));

/** When the object was created, for kinds that print the moment instead of the age. */
export const CREATED_AT: TableColumn = column('Created At', (object) => object.metadata.creationTimestamp);

/** What the kinds without columns of their own print. */
export const NAME_AND_AGE: readonly TableColumn[] = [NAME, AGE];

/** A column that shows the text at a path, or `<none>`-like filler. */
export const textColumn = (name: string, path: string, filler = ''): TableColumn =>
  column(name, (object) => textAt(object, path) || filler);

/** A numeric column; a missing number is 0. */
export const countColumn = (name: string, path: string): TableColumn => ({
  ...column(name, (object) => Number(textAt(object, path) || 0)),
  type: 'integer',
});

/** Containers and images of a pod template. */
export const CONTAINERS: readonly TableColumn[] = [
  wideColumn('Containers', (object) => names(object, 'name')),
  wideColumn('Images', (object) => names(object, 'image')),
];

const names = (object: unknown, member: string): string =>
  objectsAt(object, 'spec.template.spec.containers')
    .map((container) => textAt(container, member))
    .join(',');

/** The label selector of a workload. */
export const SELECTOR: TableColumn = wideColumn(
  'Selector',
  (object) => selectorText(selectorRequirements(valueAt(object, 'spec.selector')) ?? []) || '<none>',
);

/** Labels as `a=b,c=d`, or `<none>`. */
export const labelCell = (labels: unknown): string =>
  Object.entries(asRecord(labels))
    .map(([key, value]) => `${key}=${plainText(value)}`)
    .join(',') || '<none>';
