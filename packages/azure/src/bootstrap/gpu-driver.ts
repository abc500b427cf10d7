/** Which NVIDIA driver a node's image installs. */
export interface GpuDriver {
  readonly type: 'cuda' | 'cuda-lts' | 'grid' | 'grid-v20';
  readonly version: string;
  readonly imageSuffix: string;
}

const DRIVERS: readonly (readonly [RegExp, GpuDriver])[] = [
  [/rtxpro6000/i, { type: 'grid-v20', version: '595.58.03', imageSuffix: '20260609172331' }],
  [/_A10_v[45]$/i, { type: 'grid', version: '570.211.01', imageSuffix: '20260522192315' }],
  [/^Standard_NC\d+r?(_Promo)?$/i, { type: 'cuda', version: '470.82.01', imageSuffix: '20260629214430' }],
];
const DEFAULT: GpuDriver = { type: 'cuda-lts', version: '580.159.04', imageSuffix: '20260629214430' };

/** The driver of an NVIDIA size. Source: the original's `pkg/utils/gpu.go`. */
export const gpuDriverOf = (skuName: string): GpuDriver => DRIVERS.find(([pattern]) => pattern.test(skuName))?.[1] ?? DEFAULT;
