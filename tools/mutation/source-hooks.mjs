import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const collectedTests = new URL('collected-tests.mjs', import.meta.url).href;

/** Where a package's entry point stands in the copy that Stryker mutates: by links it would be found in the original. */
const entryPointOf = (root, [, name, entry]) => {
  const folder = `${root}/packages/${name}`;
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  return pathToFileURL(`${folder}/${exports[entry === undefined ? '.' : `./${entry}`]['@karpenter/source']}`).href;
};

/** From here on, packages and Jest's globals are found where mutants are switched on. */
export const findSourcesIn = (root) => {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@jest/globals') return { url: collectedTests, shortCircuit: true };
      const entry = /^@karpenter\/(api-server|azure-emulator|core|kube-api-contract|runtime|simulator|testkit)(?:\/(.+))?$/.exec(specifier);
      return entry === null ? next(specifier, context) : { url: entryPointOf(root, entry), shortCircuit: true };
    },
  });
};
