import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const packages = join(import.meta.dirname, '..', '..', '..', 'packages');
const names = readdirSync(packages);

const manifestOf = (name: string): unknown => JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));

describe.each(names)('the package %s', (name) => {
  // What names the repository, `pnpm check:release` asks of who publishes.
  test('states its licence and that it is published with where it comes from', () => {
    expect(manifestOf(name)).toMatchObject({
      license: 'Apache-2.0',
      publishConfig: { access: 'public', provenance: true },
    });
  });

  test('explains itself', () => expect(existsSync(join(packages, name, 'README.md'))).toBe(true));
});
