import { globSync } from 'node:fs';
import { repository } from '../repository.ts';

const WHERE = ['*.md', 'docs/*.md', 'docs/{adr,reference}/*.md', 'packages/*/README.md', 'apps/*/{,chart/,chart-crds/}README.md'];

/** Every page that people read, as paths from the root of the repository. */
export const markdownPages = (): readonly string[] => globSync(WHERE, { cwd: repository('.') }).sort();
