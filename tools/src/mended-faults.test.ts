import { globSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { repository } from './repository.ts';

interface MendedFault {
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly from: string }[];
  readonly heldBy: readonly string[];
}

const textOfFile = (file: string): string => readFileSync(repository(file), 'utf8');
const faults = JSON.parse(textOfFile('tools/mutation/mended-faults.json')) as readonly MendedFault[];

test.each(faults)('$name can still be put back: each text that it replaces stands in its file once', ({ edits }) => {
  for (const { file, from } of edits) expect([file, textOfFile(file).split(from).length - 1]).toEqual([file, 1]);
});

test.each(faults)('$name is held by tests that docs/proofs.md names', ({ heldBy }) => {
  const page = textOfFile('docs/proofs.md');
  expect(heldBy.filter((file) => !page.includes(file.replace(/.*\//, '')))).toEqual([]);
});

interface MutationScope {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

const { scopes } = (await import(pathToFileURL(repository('tools/mutation/scopes.mjs')).href)) as {
  readonly scopes: Readonly<Record<string, MutationScope>>;
};

test.each(Object.entries(scopes))('mutation scope %s: each pattern matches a file', (_, { mutate, tests }) => {
  const isEmpty = (pattern: string): boolean => globSync(pattern, { cwd: repository('.') }).length === 0;
  expect([...mutate, ...tests].filter(isEmpty)).toEqual([]);
});
