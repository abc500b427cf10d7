import { defineConfig } from 'tsup';

/** Runs before anything else of the bundle: an older Node.js cannot read some of it. */
const refuseOldNode = [
  "if (Number(process.versions.node.split('.')[0]) < 22) {",
  'console.error(`karpenter needs Node.js 22 or newer; this is ${process.version}`);',
  'process.exit(2);',
  '}',
].join(' ');

/** One file that needs no node_modules. What a command does not use is evaluated only by the commands that do. */
export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  target: 'node22',
  noExternal: [/.*/],
  splitting: false,
  minify: true,
  clean: true,
  // From the packages' sources, as the tests run: nothing has to be built before.
  esbuildOptions: (options) => {
    options.conditions = ['@karpenter/source'];
  },
  banner: {
    js: `#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; ${refuseOldNode} const require = __createRequire(import.meta.url);`,
  },
});
