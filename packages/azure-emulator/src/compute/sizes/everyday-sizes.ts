/** `Standard_D2s_v3`, `Standard_D4s_v3` and so on. */
const seriesOf = (head: string, cores: readonly number[], tail: string): readonly string[] =>
  cores.map((count) => `Standard_${head}${count}${tail}`);

/**
 * Some of every sort that `eastus` offers: both architectures and generations, AMD and Intel, local disks, GPUs of both
 * vendors, confidential and constrained sizes. An emulator that offers only these starts sooner.
 */
export const EVERYDAY_SIZES: readonly string[] = [
  ...seriesOf('D', [2, 4, 8, 16, 32, 48, 64], 's_v3'),
  ...seriesOf('D', [2, 4], '_v3'),
  ...seriesOf('D', [2, 4, 8, 16, 32, 64, 96], 's_v5'),
  ...seriesOf('D', [2, 4, 8, 16], 'as_v5'),
  ...seriesOf('D', [2, 4, 8, 16], 'ds_v5'),
  ...seriesOf('D', [2, 4, 8, 16], 'ps_v5'),
  ...seriesOf('D', [2, 4, 8], 'pds_v5'),
  ...seriesOf('D', [2, 4, 8], 'ads_v6'),
  ...seriesOf('E', [2, 4, 8, 16], 's_v5'),
  ...seriesOf('E', [2, 4], 's_v3'),
  ...seriesOf('E', [2, 4], 'ps_v5'),
  ...seriesOf('F', [2, 4, 8, 16], 's_v2'),
  ...seriesOf('B', [2, 4], 'ms'),
  ...seriesOf('L', [8, 80], 's_v3'),
  ...seriesOf('DC', [2, 4], 'as_v5'),
  ...seriesOf('DC', [2, 4], 'ds_v3'),
  ...seriesOf('NC', [4, 16, 64], 'as_T4_v3'),
  ...seriesOf('NC', [24, 48], 'ads_A100_v4'),
  ...['Standard_NV28adms_V710_v5', 'Standard_NC40ads_H100_v5', 'Standard_ND96isr_H100_v5', 'Standard_NV6ads_A10_v5', 'Standard_NP10s'],
  ...['Standard_M8-2ms', 'Standard_HB120rs_v3', 'Standard_HB120-16rs_v3', 'Standard_E64-16s_v3'],
];
