import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ClassApi, startClassApi } from '../../testing/class-api.ts';

let api: ClassApi;
beforeAll(async () => {
  api = await startClassApi();
});
afterAll(() => api.close());

const vtpm = { trustedLaunch: { vtpm: true } };
const secureBoot = { trustedLaunch: { secureBoot: true } };
const off = { trustedLaunch: { vtpm: false, secureBoot: false } };
const fips = (imageFamily: string, security?: object) => ({ fipsMode: 'FIPS', imageFamily, ...(security && { security }) });
const confidential = (osDiskEncryption?: string) => ({ confidentialVM: { ...(osDiskEncryption !== undefined && { osDiskEncryption }) } });
const sysctls = (of: object) => ({ linuxOSConfig: { sysctls: of } });
const swap = (kubelet?: object) => ({ linuxOSConfig: { swapFileSize: '1Gi' }, ...(kubelet && { kubelet }) });
const thresholds = (high: number, low: number) => ({ kubelet: { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } });
const no2404 = 'FIPS is not available for Ubuntu2404';
const needsTrust = 'FIPS with Ubuntu2204 requires trusted launch (vtpm or secureBoot)';
const noTrust = 'FIPS together with trusted launch is only available for Ubuntu and Ubuntu2204';
const needsSwapOn = 'linuxOSConfig.swapFileSize requires kubelet.failSwapOn to be false';
const needsDriver = 'gpu.mig MIG1g to MIG7g requires gpu.mode Driver';
const aboveMax = (lower: string, upper: string) => `${lower} must not be greater than ${upper}`;
const [T1, T2, T3] = ['netIPv4NeighDefaultGcThresh1', 'netIPv4NeighDefaultGcThresh2', 'netIPv4NeighDefaultGcThresh3'] as const;

/** Fields that must agree; an empty refusal: accepted. */
const RULES: readonly (readonly [name: string, spec: object, refusal: string])[] = [
  ['FIPS with the family that is the default', { fipsMode: 'FIPS' }, ''],
  ['FIPS with Ubuntu', fips('Ubuntu'), ''],
  ['FIPS with AzureLinux', fips('AzureLinux'), ''],
  ['FIPS with Ubuntu2404', fips('Ubuntu2404'), no2404],
  ['FIPS with Ubuntu2404 and trusted launch', fips('Ubuntu2404', vtpm), no2404],
  ['no FIPS with Ubuntu2404', { fipsMode: 'Disabled', imageFamily: 'Ubuntu2404' }, ''],
  ['FIPS with Ubuntu2204 alone', fips('Ubuntu2204'), needsTrust],
  ['FIPS with Ubuntu2204 and trusted launch that is off', fips('Ubuntu2204', off), needsTrust],
  ['FIPS with Ubuntu2204 and a TPM', fips('Ubuntu2204', vtpm), ''],
  ['FIPS with Ubuntu2204 and secure boot', fips('Ubuntu2204', secureBoot), ''],
  ['FIPS with Ubuntu and trusted launch', fips('Ubuntu', vtpm), ''],
  ['FIPS with AzureLinux and a TPM', fips('AzureLinux', vtpm), noTrust],
  ['FIPS with AzureLinux and secure boot', fips('AzureLinux', secureBoot), noTrust],
  ['trusted launch with AzureLinux', { imageFamily: 'AzureLinux', security: vtpm }, ''],
  ['a confidential VM with the family that is the default', { security: confidential() }, ''],
  ['a confidential VM with Ubuntu2404', { imageFamily: 'Ubuntu2404', security: confidential() }, ''],
  [
    'a confidential VM with Ubuntu2204',
    { imageFamily: 'Ubuntu2204', security: confidential() },
    'no images of Ubuntu2204 for confidential VMs',
  ],
  ['a confidential VM with FIPS', fips('AzureLinux', confidential()), 'no FIPS images for confidential VMs'],
  ['a confidential VM with a TPM of its own', { security: { ...confidential(), ...vtpm } }, 'trustedLaunch must not be enabled with it'],
  ['a confidential VM with trusted launch that is off', { security: { ...confidential(), ...off } }, ''],
  ['a confidential VM encrypted at the host', { security: { ...confidential(), encryptionAtHost: true } }, ''],
  [
    'a confidential VM encrypted at the host with a whole disk',
    { security: { ...confidential('DiskWithVMGuestState'), encryptionAtHost: true } },
    'encryptionAtHost is not available with the osDiskEncryption DiskWithVMGuestState',
  ],
  [
    'a confidential VM with a whole disk, not encrypted at the host',
    { security: { ...confidential('DiskWithVMGuestState'), encryptionAtHost: false } },
    '',
  ],
  ['a swap file alone', swap(), needsSwapOn],
  ['a swap file with a kubelet that says nothing of it', swap({}), needsSwapOn],
  ['a swap file with a kubelet that fails on it', swap({ failSwapOn: true }), needsSwapOn],
  ['a swap file with a kubelet that does not', swap({ failSwapOn: false }), ''],
  ['GPUs that are split when the node starts', { gpu: { mig: 'MIG1g' } }, ''],
  ['such GPUs without the driver', { gpu: { mig: 'MIG3g', mode: 'None' } }, needsDriver],
  ['GPUs that are split as pods claim parts, with a driver of the user', { gpu: { mig: 'Dynamic', mode: 'None' } }, ''],
  ['a proxy that is none', { httpProxyConfig: { noProxy: ['a'] } }, 'httpProxyConfig requires httpProxy or httpsProxy'],
  ['a proxy for HTTPS alone', { httpProxyConfig: { httpsProxy: 'https://proxy' } }, ''],
  ['image thresholds in order', thresholds(85, 80), ''],
  ['equal image thresholds', thresholds(80, 80), 'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent'],
  ['image thresholds turned round', thresholds(10, 20), 'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent'],
  ['equal receive buffers', sysctls({ netCoreRmemDefault: 300000, netCoreRmemMax: 300000 }), ''],
  [
    'a receive buffer above its maximum',
    sysctls({ netCoreRmemDefault: 300001, netCoreRmemMax: 300000 }),
    aboveMax('netCoreRmemDefault', 'netCoreRmemMax'),
  ],
  [
    'a send buffer above its maximum',
    sysctls({ netCoreWmemDefault: 300001, netCoreWmemMax: 300000 }),
    aboveMax('netCoreWmemDefault', 'netCoreWmemMax'),
  ],
  ['a receive buffer without a maximum', sysctls({ netCoreRmemDefault: 300000 }), ''],
  ['neighbour thresholds in order', sysctls({ [T1]: 2000, [T2]: 2000, [T3]: 3000 }), ''],
  ['a first neighbour threshold above the second', sysctls({ [T1]: 2001, [T2]: 2000 }), aboveMax(T1, T2)],
  ['a second neighbour threshold above the third', sysctls({ [T2]: 3001, [T3]: 3000 }), aboveMax(T2, T3)],
  ['a first neighbour threshold above the third', sysctls({ [T1]: 3001, [T3]: 3000 }), aboveMax(T1, T3)],
];

describe('fields that must agree', () => {
  test.each(RULES)('%s', (_, spec, refusal) => {
    for (const version of ['v1beta1', 'v1alpha2'] as const) {
      const said = api.admit(spec, version).refusal;
      if (refusal === '') expect(said).toBe('');
      else expect(said).toContain(refusal);
    }
  });
});
