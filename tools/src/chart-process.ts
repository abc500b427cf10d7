import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { repository } from './repository.ts';

const template = readFileSync(repository('apps/controller/chart/templates/_helpers.tpl'), 'utf8');
const { heapMib } = parse(readFileSync(repository('apps/controller/chart/values.yaml'), 'utf8')) as { readonly heapMib: number };

const found = (pattern: RegExp): string => {
  const [, text] = pattern.exec(template) ?? [];
  if (text === undefined) throw new Error(`The chart's template has nothing like ${pattern.source}`);
  return text;
};

/** What the chart makes Node begin with: the size of its heap, and of the room for young objects in it. */
export const chartFlags: readonly string[] = found(/NODE_OPTIONS\n {2}value: (.+)/)
  .replace('{{ .Values.heapMib }}', String(heapMib))
  .split(' ');

/** The settings of glibc's allocator in the chart. */
export const chartEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: found(/MALLOC_ARENA_MAX\n {2}value: "(\d+)"/),
  MALLOC_MMAP_THRESHOLD_: found(/MALLOC_MMAP_THRESHOLD_\n {2}value: "(\d+)"/),
  MALLOC_TOP_PAD_: found(/MALLOC_TOP_PAD_\n {2}value: "(\d+)"/),
  MALLOC_TRIM_THRESHOLD_: found(/MALLOC_TRIM_THRESHOLD_\n {2}value: "(\d+)"/),
};
