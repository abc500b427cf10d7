import type { JsonValue } from '../json/json.ts';
import type { StoredObject } from '../store/stored-object.ts';

/** One column of the Table that a server prints objects as. A priority above 0 is shown by `-o wide` only. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly cell: (object: StoredObject, nowMs: number) => JsonValue;
}

/** A text column that is always shown. */
export const column = (name: string, cell: TableColumn['cell'], wide = false): TableColumn => ({
  name,
  type: 'string',
  format: name === 'Name' ? 'name' : '',
  description: name,
  priority: wide ? 1 : 0,
  cell,
});

/** A column that only `-o wide` shows. */
export const wideColumn = (name: string, cell: TableColumn['cell']): TableColumn => column(name, cell, true);
