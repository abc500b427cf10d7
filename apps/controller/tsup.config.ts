import { defineConfig } from 'tsup';
import { requiredBuiltins, usedOfClientNode, usedOfLibraries } from '../../tools/src/packages/bundle-plugins.ts';
import { standaloneBanner } from '../../tools/src/packages/standalone-banner.ts';

/** A character outside ASCII, as JavaScript writes it in texts and in regular expressions. */
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

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
  // Otherwise tsup resolves Node's modules before the plugins below do.
  removeNodeProtocol: false,
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
  esbuildPlugins: [requiredBuiltins, usedOfClientNode, usedOfLibraries],
  plugins: [{ name: 'ascii', renderChunk: (code) => ({ code: code.replaceAll(/[\u0080-\uffff]/g, escaped) }) }],
  banner: {
    js: standaloneBanner('24'),
  },
});
