import { describe, expect, test } from '@jest/globals';
import { parseVmSize, seriesOf } from './vm-size.ts';

describe('the name of a VM size', () => {
  test.each([
    ['D2s_v3', { family: 'D', subfamily: '', vCpus: 2, features: 's', accelerator: undefined, version: '3' }],
    ['D16plds_v5', { family: 'D', subfamily: '', vCpus: 16, features: 'plds', accelerator: undefined, version: '5' }],
    ['DS2_v2', { family: 'D', subfamily: 'S', vCpus: 2, features: '', accelerator: undefined, version: '2' }],
    ['B20ms', { family: 'B', subfamily: '', vCpus: 20, features: 'ms', accelerator: undefined, version: undefined }],
    ['NC24ads_A100_v4', { family: 'N', subfamily: 'C', vCpus: 24, features: 'ads', accelerator: 'A100', version: '4' }],
    ['NC16as_T4_v3', { family: 'N', subfamily: 'C', vCpus: 16, features: 'as', accelerator: 'T4', version: '3' }],
    ['NV12s_v3', { family: 'N', subfamily: 'V', vCpus: 12, features: 's', accelerator: undefined, version: '3' }],
    ['M96s_1_v3', { family: 'M', subfamily: '', vCpus: 96, features: 's', accelerator: undefined, version: '3' }],
    ['M416s_8_v2', { family: 'M', subfamily: '', vCpus: 416, features: 's', accelerator: undefined, version: '2' }],
    ['DS3_v2_Promo', { family: 'D', subfamily: 'S', vCpus: 3, features: '', accelerator: undefined, version: '2' }],
    ['L8aos_v4', { family: 'L', subfamily: '', vCpus: 8, features: 'aos', accelerator: undefined, version: '4' }],
    ['ND96isr_MI300X_v5', { family: 'N', subfamily: 'D', vCpus: 96, features: 'isr', accelerator: 'MI300X', version: '5' }],
    ['D16nlds_v6', { family: 'D', subfamily: '', vCpus: 16, features: 'nlds', accelerator: undefined, version: '6' }],
    [
      'NC36lds_xl_RTXPRO6000BSE_v6',
      { family: 'N', subfamily: 'C', vCpus: 36, features: 'lds', accelerator: 'RTXPRO6000BSE', version: '6' },
    ],
    ['ND128isr_NDR_GB200_v6', { family: 'N', subfamily: 'D', vCpus: 128, features: 'isr', accelerator: 'GB200', version: '6' }],
    ['ND96isf_H100_v5', { family: 'N', subfamily: 'D', vCpus: 96, features: 'isf', accelerator: 'H100', version: '5' }],
    ['ND96is_flex_H100_v5', { family: 'N', subfamily: 'D', vCpus: 96, features: 'is', accelerator: 'H100', version: '5' }],
    ['ND96ams_A100_flex_v4', { family: 'N', subfamily: 'D', vCpus: 96, features: 'ams', accelerator: 'A100', version: '4' }],
  ])('%s', (size, parts) => {
    expect(parseVmSize(size)).toMatchObject(parts);
  });

  test('a constrained size says how many vCPUs are usable', () => {
    expect(parseVmSize('M8-2ms')).toMatchObject({ vCpus: 8, constrainedVCpus: 2, features: 'ms' });
  });

  test.each(['', 'nonsense', 'D_v5', '2D', 'd2s_v3'])('"%s" is no size', (size) => {
    expect(parseVmSize(size)).toBeUndefined();
  });

  test.each([`D2${'C'.repeat(5000)}!`, `D2${'NP'.repeat(5000)}_`, `D${'9'.repeat(5000)}s_v5`])(
    'that takes a pattern with nested repetitions hours is no size, at once',
    (size) => expect(parseVmSize(size)).toBeUndefined(),
  );

  test.each([
    ['D2pls_v6', 'Dpls_v6'],
    ['NC24ads_A100_v4', 'NCads_v4'],
    ['B20ms', 'Bms'],
  ])('%s is of the series %s', (size, series) => {
    const parsed = parseVmSize(size);
    expect(parsed && seriesOf(parsed)).toBe(series);
  });
});
