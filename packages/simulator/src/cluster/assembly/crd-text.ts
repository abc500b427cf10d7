import { readFileSync } from 'node:fs';

/** YAML text as it is; the content of a file for anything else, which must be its path. */
export const crdText = (source: string): string => (source.includes('\n') ? source : readFileSync(source, 'utf8'));
