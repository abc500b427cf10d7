import { defineConfig } from 'tsup';

/** Runs before anything of the bundle does: some of it cannot even be read by an older Node.js. */
const refuseOldNode = [
  "if (Number(process.versions.node.split('.')[0]) < 24) {",
  'console.error(`karpenter needs Node.js 24 or newer; this is ${process.version}`);',
  'process.exit(2);',
  '}',
].join(' ');

/** One file that needs no node_modules: what the container image ships. The banner also gives bundled CommonJS code its `require`. */
export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  target: 'node24',
  noExternal: [/.*/],
  splitting: false,
  sourcemap: true,
  clean: true,
  // One character outside ASCII makes V8 hold the whole text, 10 MB, with two bytes a character: a started controller took 25 MB more.
  esbuildOptions: (options) => {
    options.charset = 'ascii';
  },
  banner: {
    js: `import { createRequire as __createRequire } from 'node:module'; ${refuseOldNode} const require = __createRequire(import.meta.url);`,
  },
});
