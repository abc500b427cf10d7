import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const packages = join(import.meta.dirname, '..', '..', '..', 'packages');
const names = readdirSync(packages);

const manifestOf = (name: string): unknown => JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));

describe.each(names)('the package %s', (name) => {
  test('says what npm asks for before it attests where a package comes from', () => {
    expect(manifestOf(name)).toMatchObject({
      license: 'Apache-2.0',
      repository: { type: 'git', url: expect.stringMatching(/^git\+https:/), directory: `packages/${name}` },
      publishConfig: { access: 'public', provenance: true },
    });
  });

  test('explains itself', () => expect(existsSync(join(packages, name, 'README.md'))).toBe(true));
});
