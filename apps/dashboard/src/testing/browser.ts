import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { chromiumPath } from './built-page.ts';

/** A suite that runs where Chromium is installed. Elsewhere it is skipped with that reason, but under CI it fails. */
export const describeInBrowser = (name: string, suite: () => void): void => {
  const isHere = existsSync(chromiumPath) || process.env['CI'] === 'true';
  if (!isHere)
    process.stderr.write(`chromium is not installed (searched for ${chromiumPath}): "${name}" is skipped here; it fails under CI\n`);
  (isHere ? describe : describe.skip)(name, suite);
};
