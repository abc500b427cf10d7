/**
 * `pnpm generate:comparison [FILE]`: writes the tables of `docs/against-the-original.md` from what `pnpm bench:original`
 * left in `logs/results.json` of its cache, and the README's table from those of the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultCache } from './bench/original/programs.ts';
import { type ScenarioResult, resultTables, shortTable, withResults } from './bench/original/result-pages.ts';
import { repository } from './repository.ts';

const [file = join(defaultCache(), 'logs', 'results.json')] = process.argv.slice(2);
const { results } = JSON.parse(readFileSync(file, 'utf8')) as { readonly results: readonly ScenarioResult[] };

const rewrite = (page: string, text: string): void => {
  const path = repository(page);
  writeFileSync(path, withResults(readFileSync(path, 'utf8'), text));
};

const tables = resultTables(results.filter(({ comparisons }) => comparisons.length > 0));
rewrite('docs/against-the-original.md', tables);
rewrite('README.md', shortTable(tables));
