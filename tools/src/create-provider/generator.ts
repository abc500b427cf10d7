import { isAbsolute, join, relative } from 'node:path';
import type { GeneratorCallback, Tree } from '@nx/devkit';
import { nextSteps } from './next-steps.ts';
import { providerFiles } from './provider-files.ts';

export interface ProviderSchema {
  /** In kebab case. */
  readonly name: string;
  /** A path, or one from the root of the tree; may lie outside. Left out: `karpenter-provider-NAME` there. */
  readonly folder?: string;
}

/** A provider cannot be written there; nothing was. */
export class ProviderFolderError extends Error {
  override readonly name = 'ProviderFolderError';
  readonly code = 'folder-taken';
}

/**
 * The Nx generator `@karpenter/tools:provider`: puts the package of a new provider into the tree, in a folder that may
 * have other files. Gives what says how to go on. Errors: ProviderNameError, ProviderFolderError.
 */
export default function generateProvider(tree: Tree, { name, folder = `karpenter-provider-${name}` }: ProviderSchema): GeneratorCallback {
  const files = providerFiles(name);
  const within = isAbsolute(folder) ? relative(tree.root, folder) : folder;
  if (tree.isFile(within)) throw new ProviderFolderError(`${folder} is a file: expected a folder, or nothing`);
  const taken = [...files.keys()].filter((path) => tree.exists(join(within, path)));
  if (taken.length > 0) throw new ProviderFolderError(`${folder} has ${taken.join(', ')} already: nothing was written`);
  for (const [path, text] of files) tree.write(join(within, path), text);
  return () => console.log(nextSteps(join(tree.root, within)));
}
