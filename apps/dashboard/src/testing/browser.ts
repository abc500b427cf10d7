import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { chromium } from 'playwright-core';

/** Where Debian puts it; `CHROMIUM` names another. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Starts Chromium without a window. */
export const startBrowser = () => chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** A suite that runs where Chromium is installed. Elsewhere it is skipped with that reason, but under CI it fails. */
export const describeInBrowser = (name: string, suite: () => void): void => {
  const isHere = existsSync(executablePath) || process.env['CI'] === 'true';
  if (!isHere)
    process.stderr.write(`chromium is not installed (looked for ${executablePath}): "${name}" is skipped here; it fails under CI\n`);
  (isHere ? describe : describe.skip)(name, suite);
};
