import { globSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { apiReports } from './api-reports.ts';

const packages = fileURLToPath(new URL('../../../packages/', import.meta.url));
const reports = apiReports(packages);
const written = readdirSync(packages).flatMap((name) => readdirSync(join(packages, name, 'api')).map((file) => `${name}/api/${file}`));

const reportOf = (files: Readonly<Record<string, string>>): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-api-'));
  try {
    mkdirSync(join(folder, 'thing', 'src'), { recursive: true });
    const exports = { '.': { '@karpenter/source': './src/index.ts' } };
    writeFileSync(join(folder, 'thing', 'package.json'), JSON.stringify({ name: 'thing', type: 'module', exports }));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'thing', 'src', name), content);
    return apiReports(folder).get('thing/api/index.md');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

describe("the packages' API reports", () => {
  test('there is one for each entry of `exports`, and no other', () => expect(written.sort()).toEqual([...reports.keys()].sort()));

  test.each([...reports])('%s is what `pnpm generate:api` writes', (path, content) =>
    expect(readFileSync(join(packages, path), 'utf8')).toBe(content),
  );
});

test('core shares no internal name that no other package imports', () => {
  const folders = ['packages', 'apps', 'tools/src'].map((name) => fileURLToPath(new URL(`../../../${name}/`, import.meta.url)));
  const files = folders.flatMap((cwd) =>
    globSync('**/*.{ts,tsx}', { cwd, exclude: (name) => name === 'node_modules' || name === 'dist' }).map((file) => join(cwd, file)),
  );
  const clauses = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/import (?:type )?\{([^}]*)\} from '@karpenter\/core\/internal'/g),
  ]);
  const imported = new Set(clauses.flatMap(([, names = '']) => [...names.matchAll(/\w+/g)].map(([name]) => name)));
  const [report = ''] = reports.get('core/api/internal.md')?.split('## Not exported') ?? [];
  const shared = [...report.matchAll(/^(?:abstract class|class|const|interface|type|function) (\w+)/gm)].map(([, name = '']) => name);
  expect(shared.length).toBeGreaterThan(0);
  expect(shared.filter((name) => !imported.has(name))).toEqual([]);
});

test('a report shows what is exported, how, and what that is made of, and nothing else', () => {
  const report = reportOf({
    'index.ts': `export { first as second, sizes } from './inner.ts';\nexport type { Box } from './inner.ts';\n`,
    'inner.ts': `
      interface Lid { readonly isOpen: boolean }
      interface Unseen { readonly lid: Lid }
      /** A comment. */
      export class Box { private readonly lids: readonly Lid[] = []; top(): Lid | undefined { return this.lids[0]; } }
      export const first = (unseen: string) => ({ length: unseen.length, lid: new Box().top() });
      export const sizes = ['small', 'large'] as const;
      export const kept = (unseen: Unseen): Lid => unseen.lid;
    `,
  });
  expect(report).toBe(`# thing

What can be imported, in the order of names. Written by \`pnpm generate:api\`.

\`\`\`ts
// Box: its type alone
class Box {
    private readonly lids;
    top(): Lid | undefined;
}
// second: declared as first
const first: (unseen: string) => {
    length: number;
    lid: Lid | undefined;
};
const sizes: readonly ["small", "large"];
\`\`\`

## Not exported, but part of what is

\`\`\`ts
interface Lid {
    readonly isOpen: boolean;
}
\`\`\`
`);
});
