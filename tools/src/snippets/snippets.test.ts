import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Snippet, snippetsIn } from './snippets-in.ts';

const root = join(import.meta.dirname, '..', '..', '..');

const pages = [
  'README.md',
  ...readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'README.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => join('docs', path)),
];

const snippets: readonly [string, Snippet][] = pages.flatMap((page) =>
  snippetsIn(readFileSync(join(root, page), 'utf8')).map((snippet): [string, Snippet] => [
    `${page}: ${snippet.kind} of ${snippet.path}`,
    snippet,
  ]),
);

const actual = ({ kind, path }: Snippet): string => {
  if (kind === 'source') return readFileSync(join(root, path), 'utf8');
  return execFileSync(process.execPath, ['--conditions=@karpenter/source', '--no-warnings', join(root, path)], { encoding: 'utf8' });
};

describe('what the pages show', () => {
  test('includes the README’s example with its output', () => {
    expect(snippets.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'README.md: source of tools/src/snippets/plan-one-pod.ts',
        'README.md: output of tools/src/snippets/plan-one-pod.ts',
      ]),
    );
  });

  test.each(snippets)('%s is true', (_name, snippet) => {
    expect(actual(snippet)).toBe(snippet.text);
  });
});
