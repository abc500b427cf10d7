/** `pnpm create-provider <name> [folder]`: writes the package of a provider that compiles and keeps the contract. */
import { resolve } from 'node:path';
import { ProviderNameError } from './create-provider/provider-files.ts';
import { writeProvider } from './create-provider/write-provider.ts';

const [name = '', folder = `karpenter-provider-${name}`] = process.argv.slice(2);

const write = (): void => {
  const files = writeProvider(name, resolve(folder));
  console.log(`${folder}: ${files.length} files; next: cd ${folder} && npm install && npm test`);
};

try {
  write();
} catch (error) {
  const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
  if (!isThere && !(error instanceof ProviderNameError)) throw error;
  console.error(isThere ? `${folder} has files of a provider already; nothing of them was changed` : error.message);
  process.exitCode = 1;
}
