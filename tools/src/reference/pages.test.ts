import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { referencePages } from './pages.ts';

const folder = new URL('../../../docs/reference/', import.meta.url);
const pages = await referencePages();

describe('the reference', () => {
  test('has the pages that the code gives, no more and no fewer', () =>
    expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort()));

  test.each([...pages])('%s is what `pnpm generate:reference` writes', (name, content) =>
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(content),
  );
});
