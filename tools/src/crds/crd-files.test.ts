import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { crdFiles } from './crd-files.ts';

const folder = new URL('../../../apps/controller/chart-crds/templates/', import.meta.url);

describe('the CRDs of the chart', () => {
  test('are those that the schemas give, no more and no fewer', () =>
    expect(readdirSync(folder).sort()).toEqual([...crdFiles().keys()].sort()));

  test.each([...crdFiles().keys()])('%s regenerates to no difference', (name) =>
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(crdFiles().get(name)),
  );
});
