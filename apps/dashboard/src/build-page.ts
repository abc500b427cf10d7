/**
 * Builds the page into `dist/page.js`: one module that holds all its files as text, so that a bundle that serves the
 * page needs no other files.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const source = join(import.meta.dirname, 'page');
const dist = join(import.meta.dirname, '..', 'dist');

const { outputFiles } = await build({
  entryPoints: [join(source, 'page.tsx')],
  outdir: dist,
  bundle: true,
  write: false,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'ascii',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
});

const builtText = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';

const files = {
  '/': { type: 'text/html; charset=utf-8', text: readFileSync(join(source, 'index.html'), 'utf8') },
  '/page.js': { type: 'text/javascript; charset=utf-8', text: builtText('.js') },
  '/page.css': { type: 'text/css; charset=utf-8', text: builtText('.css') },
};

mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, 'page.js'), `export const pageFiles = ${JSON.stringify(files)};\n`);
