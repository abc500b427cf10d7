import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Absolute path of something in this repository. */
export const repository = (path: string): string => join(root, path);
