import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { charts } from './helm.ts';
import { originalChartValues } from './original-chart-values.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/from-go-karpenter.md'), 'utf8');
const [, section = ''] = page.split('## Values of its chart\n');

interface Row {
  readonly there: readonly string[];
  readonly here: string;
}

const namesIn = (cell: string): readonly string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name);

const [table = ''] = section.split('\n## ');
const rows: readonly Row[] = table
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, there = '', here = '']) => ({ there: namesIn(there), here }));

const values: unknown = parse(readFileSync(join(charts.controller, 'values.yaml'), 'utf8'));

const hasValue = (path: string): boolean => {
  const names = path.split('.');
  let inner: unknown = values;
  for (const name of names) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return false;
    inner = Reflect.get(inner, name);
  }
  return true;
};

/** What a row says that the values are called here. */
const namesHere = ({ there, here }: Row): readonly string[] => {
  if (here === 'the same names') return there;
  const group = /^the same under `([^`]+)`$/.exec(here)?.[1];
  if (group !== undefined) return there.map((name) => `${group}.${name.split('.').at(-1) ?? ''}`);
  return here.startsWith('not there') ? [] : namesIn(here).filter((name) => name !== 'key=value');
};

describe('the page on the values of the original chart', () => {
  test('names each of them once, and no other', () => {
    expect(rows.flatMap(({ there }) => there).sort()).toEqual([...originalChartValues].sort());
  });

  test('names only values that the chart has', () => {
    const named = rows.flatMap(namesHere);
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((name) => !hasValue(name))).toEqual([]);
  });
});
