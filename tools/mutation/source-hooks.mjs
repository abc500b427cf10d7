import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const collectedTests = new URL('collected-tests.mjs', import.meta.url).href;

/** Where a package's door stands in the copy that Stryker mutates: by links it would be found in the original. */
const doorOf = (root, [, name, door]) => pathToFileURL(`${root}/packages/${name}/src/${door === undefined ? '' : `${door}/`}index.ts`).href;

/** From here on, packages and Jest's globals are found where mutants can be told apart. */
export const findSourcesIn = (root) => {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@jest/globals') return { url: collectedTests, shortCircuit: true };
      const door = /^@karpenter\/(api-server|azure-emulator|core|runtime|simulator|testkit)(?:\/(.+))?$/.exec(specifier);
      return door === null ? next(specifier, context) : { url: doorOf(root, door), shortCircuit: true };
    },
  });
};
