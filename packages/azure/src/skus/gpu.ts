export interface Gpu {
  readonly manufacturer: 'nvidia' | 'amd';
  /** Image families that have a driver for it. */
  readonly supports: readonly ('Ubuntu' | 'AzureLinux')[];
}

const nvidia: Gpu = { manufacturer: 'nvidia', supports: ['Ubuntu', 'AzureLinux'] };
/** Too old or too new for the drivers of Azure Linux. */
const onUbuntu: Gpu = { manufacturer: 'nvidia', supports: ['Ubuntu'] };
const amd: Gpu = { manufacturer: 'amd', supports: ['Ubuntu'] };

/**
 * Size series by pattern, first match wins. Source: the original's `pkg/utils/supported-gpus.yaml`, as patterns of its
 * 89 names.
 */
const SERIES: readonly (readonly [RegExp, Gpu])[] = [
  [/^nv\d+adm?s_v710_v5$/, amd],
  [/^nd\d+isr?_mi300x_v5$/, amd],
  [/^nc\d+r?(s_v2)?$/, onUbuntu],
  [/^nc\d+rs_v2$/, onUbuntu],
  [/^nc\d+r?s_v3$/, nvidia],
  [/^nc\d+as_t4_v3$/, nvidia],
  [/^nc\d+ads_a10_v4$/, nvidia],
  [/^nc\d+ads_a100_v4$/, nvidia],
  [/^nc\d+adi?s_h100_v5$/, nvidia],
  [/^nc\d+l?ds_xl_rtxpro6000bse_v6$/, onUbuntu],
  [/^nd\d+r?s$/, onUbuntu],
  [/^nd\d+r?s_v[23]$/, nvidia],
  [/^nd\d+a(m?sr|ms)f?(_a100)?(_flex)?_v4$/, nvidia],
  [/^nd\d+isr?f?(_flex|_noib)?_h[12]00_v5$/, nvidia],
  [/^nd\d+isrf?(_ndr)?_gb[23]00_v6$/, onUbuntu],
  [/^nv\d+r?$/, onUbuntu],
  [/^nv\d+s_v3$/, onUbuntu],
  [/^nv\d+adm?s_a10_v5$/, nvidia],
];

/**
 * The GPU of a size (`Standard_NC24ads_A100_v4`); undefined when the size has none that nodes can use (NVv4 and NP
 * among them). Differs: the original lists names; a new member of a known series is known here at once.
 */
export const gpuOf = (skuName: string): Gpu | undefined => {
  const size = skuName
    .toLowerCase()
    .replace(/^standard_/, '')
    .replace(/_promo$/, '');
  return SERIES.find(([pattern]) => pattern.test(size))?.[1];
};
