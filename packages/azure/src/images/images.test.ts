import { describe, expect, test } from '@jest/globals';
import type { AKSNodeClassSpec } from '../apis/index.ts';
import { imageDefinitionsOf } from './image-definition.ts';
import { resolveFamily } from './image-family.ts';
import { newestVersionOf } from './image-version.ts';

const secureBoot = { trustedLaunch: { secureBoot: true } };

describe('the image family', () => {
  test.each<[AKSNodeClassSpec, string, string]>([
    [{}, '1.33.4', 'Ubuntu2204'],
    [{}, '1.34.0', 'Ubuntu2404'],
    [{ imageFamily: 'Ubuntu' }, '1.33.4', 'Ubuntu2204'],
    [{ imageFamily: 'Ubuntu', security: secureBoot }, '1.35.0', 'Ubuntu2204'],
    [{ imageFamily: 'Ubuntu', fipsMode: 'FIPS' }, '1.35.0', 'Ubuntu2004'],
    [{ imageFamily: 'Ubuntu', fipsMode: 'FIPS', security: secureBoot }, '1.35.0', 'Ubuntu2204'],
    [{ imageFamily: 'Ubuntu2404' }, '1.30.0', 'Ubuntu2404'],
    [{ imageFamily: 'AzureLinux' }, '1.31.9', 'AzureLinux2'],
    [{ imageFamily: 'AzureLinux' }, '1.32.0', 'AzureLinux3'],
    [{ imageFamily: 'AzureLinux' }, 'unknown', 'AzureLinux2'],
  ])('%j on %s is %s', (spec, version, family) => {
    expect(resolveFamily(spec, version)).toBe(family);
  });
});

describe('the images of a class', () => {
  test('generation 2 comes first, then generation 1, then arm64', () => {
    expect(imageDefinitionsOf({ imageFamily: 'Ubuntu2204' }, '1.33.0').map((image) => image.name)).toEqual([
      '2204gen2containerd',
      '2204containerd',
      '2204gen2arm64containerd',
    ]);
  });

  test('trusted launch has one image', () => {
    expect(imageDefinitionsOf({ imageFamily: 'AzureLinux', security: secureBoot }, '1.33.0').map((image) => image.name)).toEqual([
      'V3gen2TL',
    ]);
  });

  test('the community galleries have none with FIPS', () => {
    expect(imageDefinitionsOf({ imageFamily: 'AzureLinux', fipsMode: 'FIPS' }, '1.33.0')).toEqual([]);
  });
});

describe('image versions', () => {
  test('the newest is the one published last', () => {
    expect(
      newestVersionOf([
        { name: '202501.02.0', publishedAtMs: 2 },
        { name: '202509.01.0', publishedAtMs: 1 },
      ]),
    ).toBe('202501.02.0');
    expect(newestVersionOf([])).toBeUndefined();
  });
});
