import { defineConfig } from 'tsup';
import { standaloneBanner } from './src/packages/standalone-banner.ts';

/**
 * The demo's two programs. As sources they are 1,400 modules, which take a second and a half of the processor to find.
 * Function names stay, for the last lines of a process that failed.
 */
export default defineConfig({
  entry: { demo: 'src/demo/main.ts', 'cluster-process': 'src/demo/processes/cluster-process.ts' },
  format: ['esm'],
  target: 'node24',
  noExternal: [/.*/],
  splitting: true,
  clean: true,
  esbuildOptions: (options) => {
    options.conditions = ['@karpenter/source'];
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  banner: { js: standaloneBanner('24') },
});
