import { type JsonValue, textAt } from '../json/json.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { CELLS } from './cells.ts';

/** One column of the Table that a server prints objects as. A priority above 0 is shown by `-o wide` only. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly cell: (object: StoredObject, nowMs: number) => JsonValue;
}

const NOTATION = /^(\+?)([^=#]+)(#?)=(?:(\w+)\(([^)]*)\)|([^|]*)(?:\|(.*))?)$/;

const cellOf = ([, , , number, computed, argument = '', path = '', filler = '']: RegExpExecArray): TableColumn['cell'] => {
  const cell = computed === undefined ? undefined : CELLS[computed];
  if (cell !== undefined) return (object, nowMs) => cell(object, argument, nowMs);
  if (computed !== undefined) throw new Error(`no cell is computed by ${computed}`);
  return number === '#' ? (object) => Number(textAt(object, path) || 0) : (object) => textAt(object, path) || filler;
};

/**
 * Reads a column written as `Name=path|filler`, where the filler stands for a missing text; `Name#=path` is a number,
 * `Name=cell(argument)` a cell of `CELLS`, and `+Name=…` is shown by `-o wide` only.
 */
export const columnOf = (text: string): TableColumn => {
  const parts = NOTATION.exec(text);
  if (parts === null) throw new Error(`not a column: ${text}`);
  const [, wide, name = '', number] = parts;
  return {
    name,
    type: number === '#' ? 'integer' : 'string',
    format: name === 'Name' ? 'name' : '',
    description: name,
    priority: wide === '+' ? 1 : 0,
    cell: cellOf(parts),
  };
};

/** What kinds without columns of their own print. */
export const NAME_AND_AGE: readonly TableColumn[] = ['Name=metadata.name', 'Age=age()'].map(columnOf);
