import { defineConfig } from 'tsup';
import { standaloneBanner } from '../../tools/src/packages/standalone-banner.ts';

/** One file that needs no node_modules: what the container image ships. */
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
    js: standaloneBanner(24),
  },
});
