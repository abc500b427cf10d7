import { defineConfig } from 'tsup';
import { standaloneBanner } from '../../tools/src/packages/standalone-banner.ts';

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
    js: `#!/usr/bin/env node\n${standaloneBanner(22)}`,
  },
});
