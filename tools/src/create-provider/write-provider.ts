import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { providerFiles } from './provider-files.ts';

/** Writes the package of a new provider into a folder; files that are there already are an error (`EEXIST`). */
export const writeProvider = (name: string, folder: string): readonly string[] => {
  const files = providerFiles(name);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: 'wx' });
  }
  return [...files.keys()];
};
