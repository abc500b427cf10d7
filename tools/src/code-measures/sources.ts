import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { repository } from '../repository.ts';

/** One TypeScript file of the repository, parsed without types. */
export interface Source {
  /** Relative to the root: `packages/core/src/base/heap.ts`. */
  readonly path: string;
  readonly isTest: boolean;
  readonly file: ts.SourceFile;
}

const trackedFiles = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns], {
    cwd: repository('.'),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
    .split('\0')
    .filter((path) => path !== '');

/** Code that only tests use: what stands beside tests, and fixtures. The testkit is a library, and its names count. */
const TEST_CODE = /\.test\.tsx?$|\/(?:fixtures|testing)\//;

/** The language checker names the turns that it looks for. */
const OWN = 'tools/src/code-measures/';

const parsed = (...patterns: readonly string[]): readonly Source[] =>
  trackedFiles(...patterns)
    .filter((path) => !path.startsWith(OWN) && !path.endsWith('.d.ts'))
    .map((path) => ({
      path,
      isTest: TEST_CODE.test(path),
      file: ts.createSourceFile(path, readFileSync(repository(path), 'utf8'), ts.ScriptTarget.ES2023, true),
    }));

/** Every TypeScript file under `packages`, `apps` and `tools`. Parses all of them: about three seconds. */
export const readSources = (): readonly Source[] =>
  parsed('packages/**/*.ts', 'packages/**/*.tsx', 'apps/**/*.ts', 'apps/**/*.tsx', 'tools/**/*.ts');

/** Scripts that run without the compiler. Their words count, and no other figure. */
export const readScripts = (): readonly Source[] => parsed('*.mjs', '*.cjs');

/** A page of the documentation, by lines. */
export interface Page {
  readonly path: string;
  readonly lines: readonly string[];
}

const linesOf = (path: string): Page => ({ path, lines: readFileSync(repository(path), 'utf8').split('\n') });

/** Pages for people: documentation, ADRs, READMEs. Not the history of changes. */
export const readPages = (): readonly Page[] =>
  trackedFiles('*.md', 'docs/**/*.md', 'packages/**/README.md', 'apps/**/README.md')
    .filter((path) => !path.includes('CHANGELOG') && !path.startsWith('.changeset/') && !/^packages\/[^/]+\/api\//.test(path))
    .map(linesOf);

/** Settings, charts, workflows and what builds the image. Not the lockfile nor recorded objects. */
export const readSettings = (): readonly Page[] =>
  trackedFiles('*.yaml', '*.yml', '*.tpl', '*.sh', '*Dockerfile')
    .filter((path) => !path.endsWith('pnpm-lock.yaml'))
    .map(linesOf);
