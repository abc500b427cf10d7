import { expect, test } from '@jest/globals';
import { distroOf } from './distro.ts';

const GALLERY = '/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2';

test.each([
  ['2204gen2containerd', 'aks-ubuntu-containerd-22.04-gen2'],
  ['2204containerd', 'aks-ubuntu-containerd-22.04'],
  ['2404gen2arm64containerd', 'aks-ubuntu-arm64-containerd-24.04-gen2'],
  ['2404gen2TLcontainerd', 'aks-ubuntu-containerd-24.04-tl-gen2'],
  ['2004gen2fipscontainerd', 'aks-ubuntu-fips-containerd-20.04-gen2'],
  ['2204gen2fipsTLcontainerd', 'aks-ubuntu-fips-containerd-22.04-tl-gen2'],
  ['2404gen2CVMcontainerd', 'aks-ubuntu-containerd-24.04-cvm-gen2'],
  ['V3gen2CVM', 'aks-azurelinux-v3-cvm-gen2'],
  ['V2', 'aks-azurelinux-v2'],
  ['V3gen2', 'aks-azurelinux-v3-gen2'],
  ['V3gen2arm64', 'aks-azurelinux-v3-arm64-gen2'],
  ['V2gen2TL', 'aks-azurelinux-v2-gen2-tl'],
  ['V3gen2arm64fips', 'aks-azurelinux-v3-arm64-gen2-fips'],
])('the image %s is the distro %s', (definition, distro) => {
  expect(distroOf(`${GALLERY}/images/${definition}/versions/202611.03.0`)).toBe(distro);
});

test('an image of somebody else is no distro of AKS', () => {
  expect(distroOf(`${GALLERY}/images/golden/versions/1.0.0`)).toBeUndefined();
  expect(distroOf('/subscriptions/s/images/2204gen2containerd')).toBeUndefined();
});
