import { cpSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

const root = join(import.meta.dirname, '..', '..');

/** Where the site has files of the repository that are no pages. */
const FOLDER = 'files';

/** Paths from the root of the repository. */
const linked = new Set<string>();

const isFile = (href: string): boolean => !/^(?:[a-z]+:|#|\/)/.test(href) && /\.\w+$/.test(href) && !href.endsWith('.md');

/** Lets links to files of the repository lead to the site's copies of them. */
export const linkRepositoryFiles = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push('repository-files', ({ tokens, env }) => {
    const { path } = env as { readonly path: string };
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (token.type !== 'link_open' || href === null || !isFile(href)) continue;
      const file = relative(root, join(dirname(path), href));
      linked.add(file);
      token.attrSet('href', `/${FOLDER}/${file}`);
    }
  });
};

/** Copies the files that pages link to into the site. Throws for one that does not exist. */
export const copyRepositoryFiles = ({ outDir }: { readonly outDir: string }): void => {
  for (const file of linked) cpSync(join(root, file), join(outDir, FOLDER, file));
};
