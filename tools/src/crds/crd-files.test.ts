import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { repository } from '../repository.ts';
import { crdFiles, kwokCrdFiles } from './crd-files.ts';

describe.each([
  ['apps/controller/chart-crds/templates', crdFiles()],
  ['packages/kwok/crds', kwokCrdFiles()],
])('the CRDs in %s', (folder, files) => {
  test('are those that the schemas give, no more and no fewer', () =>
    expect(readdirSync(repository(folder)).sort()).toEqual([...files.keys()].sort()));

  test.each([...files.keys()])('%s regenerates to no difference', (name) =>
    expect(readFileSync(repository(`${folder}/${name}`), 'utf8')).toBe(files.get(name)),
  );
});
