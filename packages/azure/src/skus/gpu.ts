export interface Gpu {
  readonly manufacturer: 'nvidia' | 'amd';
  /** Image families that have a driver for it. */
  readonly supports: readonly ('Ubuntu' | 'AzureLinux')[];
}

const nvidia: Gpu = { manufacturer: 'nvidia', supports: ['Ubuntu', 'AzureLinux'] };
const amd: Gpu = { manufacturer: 'amd', supports: ['Ubuntu'] };

/** Size series by pattern, first match wins. Source: the original's `pkg/utils/supported-gpus.yaml`, as patterns of its 89 names. */
const SERIES: readonly (readonly [RegExp, Gpu])[] = [
  [/^nv\d+ads_v710_v5$/, amd],
  [/^nd\d+isr_mi300x_v5$/, amd],
  [/^nc\d+r?$/, nvidia],
  [/^nc\d+r?s_v[23]$/, nvidia],
  [/^nc\d+as_t4_v3$/, nvidia],
  [/^nc\d+ads_a10_v4$/, nvidia],
  [/^nc\d+ads_a100_v4$/, nvidia],
  [/^nc\d+ad(is|s)_h100_v5$/, nvidia],
  [/^nc\d+(l|ld|ad|d)?s_xl_rtxpro6000bse_v6$/, nvidia],
  [/^nd\d+r?s(_v2)?$/, nvidia],
  [/^nd\d+rs_v2$/, nvidia],
  [/^nd\d+am?sr_(a100_)?v4$/, nvidia],
  [/^nd\d+isrf?_(h100|h200)_v5$/, nvidia],
  [/^nd\d+isr_(gb200|gb300)(_ndr)?_v6$/, nvidia],
  [/^nv\d+$/, nvidia],
  [/^nv\d+s_v[23]$/, nvidia],
  [/^nv\d+adm?s_a10_v5$/, nvidia],
];

/**
 * The GPU of a size (`Standard_NC24ads_A100_v4`); undefined when the size has none that nodes can use (NVv4 and NP among them).
 * Differs: the original lists names; a new member of a known series is known here at once.
 */
export const gpuOf = (skuName: string): Gpu | undefined => {
  const size = skuName
    .toLowerCase()
    .replace(/^standard_/, '')
    .replace(/_promo$/, '');
  return SERIES.find(([pattern]) => pattern.test(size))?.[1];
};
