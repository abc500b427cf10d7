import type { VirtualMachine } from '@azure/arm-compute';
import type { NetworkInterface } from '@azure/arm-network';
import { expect, jest, test } from '@jest/globals';
import { type ArmEmulator, startArmEmulator } from '@karpenter/azure-emulator';
import { scaledClock, systemClock } from '@karpenter/runtime';
import { nicBodyOf, nicIdOf, vmBodyOf } from '../../machines/index.ts';
import type { VmSource } from '../../machines/vm-body.ts';
import { armClients } from '../arm-clients.ts';
import { createArmApi } from '../create-arm-api.ts';
import { credentialOf } from '../sign-in/credential.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

const signal = new AbortController().signal;
const NAME = 'aks-general-a';

const nicOf = ({ account }: ArmEmulator): NetworkInterface =>
  nicBodyOf({
    name: NAME,
    location: account.location,
    tags: { team: 'web' },
    subnetId: account.subnetId,
    backendPools: { ipv4: account.backendPoolIds, ipv6: [] },
    isDualStack: false,
    isAccelerated: true,
    networkSecurityGroupId: account.networkSecurityGroupId,
    podAddresses: 2,
  });

const vmOf = ({ account }: ArmEmulator, more: Partial<VmSource>): VirtualMachine =>
  vmBodyOf({
    name: NAME,
    location: account.location,
    tags: { team: 'web' },
    size: 'Standard_D4s_v3',
    zone: '2',
    isSpot: false,
    spotMaxPricePerHour: undefined,
    imageId: '/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2/images/2204gen2TLcontainerd/versions/202611.03.0',
    osDiskSizeGB: 64,
    ephemeral: undefined,
    diskEncryptionSetId: undefined,
    nicId: nicIdOf(account, NAME),
    identityIds: [account.kubeletIdentityId],
    adminUsername: 'azureuser',
    sshPublicKey: 'ssh-rsa AAAA',
    customData: 'aGVsbG8=',
    security: undefined,
    hasUltraSsd: false,
    capacityReservationGroupId: undefined,
    proximityPlacementGroupId: undefined,
    ...more,
  });

/** Without what ARM keeps to itself and what it fills in. */
const echoed = ({ osProfile: { customData: _secret, ...osProfile } = {}, identity: _filled, ...vm }: VirtualMachine): VirtualMachine => ({
  ...vm,
  osProfile,
});

// The SDK drops what its own types do not know, on the way there and on the way back.
test.each<[string, (arm: ArmEmulator) => Partial<VmSource>]>([
  ['on spot, with an ephemeral disk', () => ({ isSpot: true, spotMaxPricePerHour: 0.06, ephemeral: 'CacheDisk' })],
  [
    'with every kind of encryption and trusted launch',
    ({ account }) => ({
      diskEncryptionSetId: account.diskEncryptionSetId,
      security: { encryptionAtHost: true, trustedLaunch: { vtpm: true, secureBoot: true } },
    }),
  ],
  ['without a zone', () => ({ zone: undefined })],
  [
    'that is a confidential VM with its whole disk encrypted by a set',
    ({ account, images }) => {
      const gallery = 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2';
      images.publish({ gallery, definition: '2404gen2CVMcontainerd', version: '202611.03.0', publishedAtMs: 0 });
      return {
        size: 'Standard_DC4as_v5',
        imageId: `/CommunityGalleries/${gallery}/images/2404gen2CVMcontainerd/versions/202611.03.0`,
        diskEncryptionSetId: account.diskEncryptionSetId,
        security: { confidentialVM: { osDiskEncryption: 'DiskWithVMGuestState' } },
      };
    },
  ],
  [
    'out of a capacity reservation',
    ({ reservations }) => ({
      capacityReservationGroupId: reservations.reserve({ group: 'web', name: 'd4', size: 'Standard_D4s_v3', zone: '2', quantity: 1 }),
    }),
  ],
])('a machine %s is read back as it was written', async (_name, more) => {
  const clock = scaledClock(systemClock, 100);
  await using arm = await startArmEmulator({ clock });
  const environment = { ...arm.environmentFile(), hasBillingExtension: false };
  const { clientId, clientSecret, tenantId, subscriptionId, nodeResourceGroup, location } = arm.account;
  const variables = { AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret };
  const credential = credentialOf({ environment, tenantId, variables, caPem: arm.caPem });
  const clients = armClients({ environment, subscriptionId, credential, clock, caPem: arm.caPem });
  const api = createArmApi(clients, { subscriptionId, nodeResourceGroup, location, retailPricesUrl: undefined }, clock);
  const [nic, vm] = [nicOf(arm), vmOf(arm, more(arm))];
  await api.putNic(NAME, nic, signal);
  expect(await api.putVm(NAME, vm, signal)).toBe('accepted');
  expect(await api.vmMade(NAME, signal)).toBe(true);
  expect(await api.getNic(NAME, signal)).toMatchObject({ ...nic });
  const known = await api.getVm(NAME, signal);
  expect(known).toMatchObject({ ...echoed(vm) });
  expect(Object.keys(known?.identity?.userAssignedIdentities ?? {})).toEqual([arm.account.kubeletIdentityId]);
  expect(await api.putVm(NAME, vm, signal)).toBe('exists');
});
