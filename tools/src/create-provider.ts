/** `pnpm create-provider <name> [folder]`: writes the package of a provider that compiles and keeps the contract. */
import { resolve } from 'node:path';
import { ProviderNameError } from './create-provider/provider-files.ts';
import { ProviderFolderError, writeProvider } from './create-provider/write-provider.ts';

const [name = '', folder = `karpenter-provider-${name}`] = process.argv.slice(2);

const write = (): void => {
  const files = writeProvider(name, resolve(folder));
  console.log(`${folder}: ${files.length} files; next: cd ${folder} && npm install && npm test`);
};

try {
  write();
} catch (error) {
  if (!(error instanceof ProviderNameError) && !(error instanceof ProviderFolderError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
