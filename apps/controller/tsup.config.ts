import { defineConfig, type Options } from 'tsup';
import { standaloneBanner } from '../../tools/src/packages/standalone-banner.ts';

/** Marks a path that is being resolved, so that the plugin does not ask itself. */
const SEEN = {};

/** A character outside ASCII, as JavaScript writes it in texts and in regular expressions. */
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Lets esbuild drop what nothing uses of client-node: of its 700 generated modules the reader of kubeconfigs needs none,
 * but the package does not say that loading them does nothing else.
 */
const usedOfClientNode: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'used-of-client-node',
  setup: (build) => {
    build.onResolve({ filter: /^\.|^@kubernetes\/client-node$/ }, async ({ path, importer, pluginData, ...options }) => {
      if (pluginData === SEEN || !`${importer} ${path}`.includes('@kubernetes')) return undefined;
      const found = await build.resolve(path, { importer, pluginData: SEEN, ...options });
      return /@kubernetes.client-node/.test(found.path) ? { ...found, sideEffects: false } : undefined;
    });
  },
};

/**
 * Files that need no node_modules: what the container image ships. `main.mjs` loads those that it needs, so that one
 * provider's SDK takes no memory where another provider runs (ADR 80). Names of functions stay, for the stacks of the
 * log.
 */
export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  target: 'node24',
  noExternal: [/.*/],
  splitting: true,
  outExtension: () => ({ js: '.mjs' }),
  sourcemap: true,
  clean: true,
  esbuildOptions: (options) => {
    // V8 keeps the text of a module, with two bytes a character as soon as one character is not Latin.
    options.charset = 'ascii';
    options.minifyWhitespace = true;
    // Node prints the line of an error that ends the process.
    options.lineLimit = 160;
    options.minifySyntax = true;
    // Into files beside the modules, which the image has too.
    options.legalComments = 'external';
  },
  // esbuild leaves regular expressions as they are.
  esbuildPlugins: [usedOfClientNode],
  plugins: [{ name: 'ascii', renderChunk: (code) => ({ code: code.replaceAll(/[\u0080-\uffff]/g, escaped) }) }],
  banner: {
    js: standaloneBanner('24'),
  },
});
