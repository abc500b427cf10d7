import { describe, expect, test } from '@jest/globals';
import type { AKSNodeClassSpec } from '../apis/index.ts';
import { communityImageId, sharedImageId } from './gallery.ts';
import { imageDefinitionsOf, newestVersionOf } from './image-definition.ts';
import { resolveFamily } from './image-family.ts';
import { newestNodeImage } from './node-image-version.ts';

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
  const trusted = { security: secureBoot };
  const confidential = { security: { confidentialVM: {} } };
  test.each<[AKSNodeClassSpec, string, readonly string[]]>([
    [{ imageFamily: 'Ubuntu2204' }, '1.33.0', ['2204gen2containerd', '2204containerd', '2204gen2arm64containerd']],
    [{ imageFamily: 'Ubuntu2404' }, '1.33.0', ['2404gen2containerd', '2404containerd', '2404gen2arm64containerd']],
    [{ imageFamily: 'AzureLinux' }, '1.31.0', ['V2gen2', 'V2', 'V2gen2arm64']],
    [{ imageFamily: 'AzureLinux' }, '1.32.0', ['V3gen2', 'V3', 'V3gen2arm64']],
    [{ imageFamily: 'Ubuntu2204', ...trusted }, '1.33.0', ['2204gen2TLcontainerd']],
    [{ imageFamily: 'Ubuntu2404', ...trusted }, '1.33.0', ['2404gen2TLcontainerd']],
    [{ imageFamily: 'AzureLinux', ...trusted }, '1.31.0', ['V2gen2TL']],
    [{ imageFamily: 'AzureLinux', ...trusted }, '1.33.0', ['V3gen2TL']],
    [{ imageFamily: 'Ubuntu', fipsMode: 'FIPS' }, '1.35.0', ['2004gen2fipscontainerd', '2004fipscontainerd']],
    [{ imageFamily: 'Ubuntu', fipsMode: 'FIPS', ...trusted }, '1.35.0', ['2204gen2fipsTLcontainerd']],
    [{ imageFamily: 'Ubuntu2204', fipsMode: 'FIPS' }, '1.33.0', []],
    [{ imageFamily: 'Ubuntu2404', fipsMode: 'FIPS' }, '1.33.0', []],
    [{ imageFamily: 'AzureLinux', fipsMode: 'FIPS' }, '1.31.0', ['V2gen2fips', 'V2fips']],
    [{ imageFamily: 'AzureLinux', fipsMode: 'FIPS' }, '1.33.0', ['V3gen2fips', 'V3fips', 'V3gen2arm64fips']],
    [confidential, '1.34.0', ['2004gen2CVMcontainerd']],
    [confidential, '1.35.0', ['2404gen2CVMcontainerd']],
    [{ imageFamily: 'Ubuntu2404', ...confidential }, '1.33.0', ['2404gen2CVMcontainerd']],
    [{ imageFamily: 'AzureLinux', ...confidential }, '1.31.0', ['V3gen2CVM']],
    [{ imageFamily: 'AzureLinux', fipsMode: 'Disabled' }, '1.33.0', ['V3gen2', 'V3', 'V3gen2arm64']],
  ])('of %j on %s are %j, the preferred one first', (spec, version, names) => {
    expect(imageDefinitionsOf(spec, version).map(({ name }) => name)).toEqual(names);
  });

  test('say what a size must be to run them', () => {
    const needs = imageDefinitionsOf({ imageFamily: 'AzureLinux', fipsMode: 'FIPS' }, '1.33.0').map(({ requirements }) =>
      requirements.flatMap(({ values }) => values).join(' '),
    );
    expect(needs).toEqual(['amd64 2', 'amd64 1', 'arm64 2']);
  });

  test('are named in two ways', () => {
    const [image] = imageDefinitionsOf({ imageFamily: 'AzureLinux' }, '1.33.0');
    if (image === undefined) throw new Error('no image');
    expect(communityImageId(image, '1.2.3')).toBe(
      '/CommunityGalleries/AKSAzureLinux-f7c7cda5-1c9a-4bdc-a222-9614c968580b/images/V3gen2/versions/1.2.3',
    );
    expect(sharedImageId('s', image, '1.2.3')).toBe(
      '/subscriptions/s/resourceGroups/AKS-AzureLinux/providers/Microsoft.Compute/galleries/AKSAzureLinux/images/V3gen2/versions/1.2.3',
    );
  });
});

describe('the node images of AKS', () => {
  const [wanted] = imageDefinitionsOf({ imageFamily: 'AzureLinux' }, '1.33.0');
  const newest = (...versions: readonly string[]): string | undefined =>
    wanted && newestNodeImage([...versions.map((version) => ({ os: 'AKSAzureLinux', sku: 'V3gen2', version })), other], wanted);
  const other = { os: 'AKSUbuntu', sku: 'V3gen2', version: '999999.1.0' };

  test.each([
    [['202409.30.0', '202410.09.0'], '202410.09.0'],
    [['202410.9.0', '202410.10.0'], '202410.10.0'],
    [['202410.09.0', '202410.09.0.1'], '202410.09.0.1'],
    [['latest', '202409.30.0'], '202409.30.0'],
    [[], undefined],
  ])('of %j the newest is %s', (versions, version) => {
    expect(newest(...versions)).toBe(version);
    expect(newest(...versions.toReversed())).toBe(version);
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
