import { defineConfig } from 'tsup';
import { standaloneBanner } from '../../tools/src/packages/standalone-banner.ts';

/**
 * `main.js` and chunks beside it, which need no node_modules. A command reads only the chunks that it uses: parsing all
 * took 0.1 s.
 */
export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  // commander 15 needs 22.12.
  target: 'node22.12',
  noExternal: [/.*/],
  splitting: true,
  minify: true,
  clean: true,
  // From the packages' sources, as the tests run: nothing has to be built before.
  esbuildOptions: (options) => {
    options.conditions = ['@karpenter/source'];
  },
  banner: {
    js: `#!/usr/bin/env node\n${standaloneBanner('22.12')}`,
  },
});
