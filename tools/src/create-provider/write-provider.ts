import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { providerFiles } from './provider-files.ts';

/** A provider cannot be written there; nothing was. */
export class ProviderFolderError extends Error {
  override readonly name = 'ProviderFolderError';
  readonly code = 'folder-taken';
}

const checkFolder = (folder: string, paths: readonly string[]): void => {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new ProviderFolderError(`${folder} is a file: expected a folder, or nothing`);
  const taken = paths.filter((path) => existsSync(join(folder, path)));
  if (taken.length > 0) throw new ProviderFolderError(`${folder} has ${taken.join(', ')} already: nothing was written`);
};

/** Writes the package of a new provider into a folder, which may have other files. Errors: ProviderNameError, ProviderFolderError. */
export const writeProvider = (name: string, folder: string): readonly string[] => {
  const files = providerFiles(name);
  checkFolder(folder, [...files.keys()]);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: 'wx' });
  }
  return [...files.keys()];
};
