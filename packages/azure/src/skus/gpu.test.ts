import { expect, test } from '@jest/globals';
import { gpuOf } from './gpu.ts';

const BOTH = ['Ubuntu', 'AzureLinux'] as const;
const UBUNTU = ['Ubuntu'] as const;

/** One of each series and of each spelling in it. */
test.each<[names: string, manufacturer: string, supports: readonly string[]]>([
  ['NC6s_v3 NC24rs_v3 ND40rs_v2 ND40s_v3', 'nvidia', BOTH],
  ['NC4as_T4_v3 NC8ads_A10_v4 NC24ads_A100_v4 NC40ads_H100_v5 NC80adis_H100_v5', 'nvidia', BOTH],
  ['ND96asr_v4 ND112asr_A100_v4 ND96amsr_A100_v4 ND96ams_v4 ND96ams_A100_v4', 'nvidia', BOTH],
  ['ND96ams_A100_flex_v4 ND96amsf_A100_v4 ND96amsrf_A100_v4', 'nvidia', BOTH],
  ['ND96isr_H100_v5 ND96is_H100_v5 ND96is_flex_H100_v5 ND96is_noIB_H100_v5 ND96isf_H100_v5 ND96isrf_H100_v5', 'nvidia', BOTH],
  ['ND96isr_H200_v5 ND96is_H200_v5 ND96isf_H200_v5 ND96isrf_H200_v5', 'nvidia', BOTH],
  ['NV6ads_A10_v5 NV36adms_A10_v5', 'nvidia', BOTH],
  ['NC6 NC24r NC6_Promo NC6s_v2 NC24rs_v2 ND6s ND24rs', 'nvidia', UBUNTU],
  ['NV6 NV24r NV12_Promo NV12s_v3', 'nvidia', UBUNTU],
  ['NC24lds_xl_RTXPRO6000BSE_v6 NC288ds_xl_RTXPRO6000BSE_v6 ND128isr_NDR_GB200_v6 ND128isr_GB300_v6', 'nvidia', UBUNTU],
  ['NV4ads_V710_v5 NV28adms_V710_v5 ND96isr_MI300X_v5 ND96is_MI300X_v5', 'amd', UBUNTU],
])('%s are of %s and have drivers on %p', (names, manufacturer, supports) => {
  for (const name of names.split(' ')) expect({ name, gpu: gpuOf(`Standard_${name}`) }).toEqual({ name, gpu: { manufacturer, supports } });
});

test.each(['D4s_v5', 'NV4as_v4', 'NP10s', 'NG8ads_V620_v1', 'NM16ads_MA35D'])('%s has none that nodes can use', (name) => {
  expect(gpuOf(`Standard_${name}`)).toBeUndefined();
});
