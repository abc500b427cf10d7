import { defineConfig } from 'tsup';

/** One file that needs no node_modules: what the container image ships. The banner gives bundled CommonJS code its `require`. */
export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  target: 'node24',
  noExternal: [/.*/],
  splitting: false,
  sourcemap: true,
  clean: true,
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
});
