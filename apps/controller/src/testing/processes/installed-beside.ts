import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bundle } from './bundle.ts';

/** Puts a package beside the bundle, as an image with a plugin has it. Returns its name. */
export const installedBeside = (bundle: Bundle, name: string, source: string): string => {
  const home = join(dirname(bundle.path), 'node_modules', name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }));
  writeFileSync(join(home, 'index.js'), source);
  return name;
};
