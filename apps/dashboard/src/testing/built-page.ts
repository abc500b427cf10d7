import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import type { PageFiles } from '../serve/dashboard-server.ts';

/** Where Debian puts Chromium; `CHROMIUM` names another. */
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Starts Chromium without a window. */
export const startBrowser = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });

/** The page as `nx build @karpenter/dashboard` wrote it. Throws where it was not built. */
export const builtPage = (): PageFiles => {
  const built = readFileSync(join(import.meta.dirname, '..', '..', 'dist', 'page.js'), 'utf8');
  return JSON.parse(built.slice(built.indexOf('{'), built.lastIndexOf('}') + 1)) as PageFiles;
};
