/** The parts of a VM size's name: `M96ds_1_v3` is family M, 96 vCPUs, features `ds`, version 3. */
export interface VmSize {
  readonly family: string;
  readonly subfamily: string;
  readonly vCpus: number;
  /** `M8-2ms` has 8 vCPUs, and 2 are usable. */
  readonly constrainedVCpus: number | undefined;
  readonly features: string;
  /** `A100`, `T4`. */
  readonly accelerator: string | undefined;
  /** Digits without the `v`; undefined when the name has none. */
  readonly version: string | undefined;
}

const SIZE = new RegExp(
  '^(?<family>[A-Z])(?<subfamily>[A-Z]{0,2}?)(?<vcpus>\\d{1,4})(?:-(?<constrained>\\d{1,4}))?' +
    '(?<features>(?:NP|[CabcdefilmnotspPr]){0,16})' +
    '(?:_(?:xl|NDR|flex|no[iI][bB]))?' +
    '(?:_?(?<accelerator>[A-Z]{1,16}\\d{1,8}[A-Z]{0,16}))?' +
    '(?:_flex)?(?:_cc)?(?:_\\d+)?(?:_(?:MI300X|H100))*' +
    '(?:_?v(?<version>[1-9]))?(?:_Promo)?$',
);

/**
 * Reads a size without its `Standard_`; undefined when the name does not follow Azure's grammar. Source:
 * `Azure/skewer`, `vmsize.go`. Differs: knows the letters f, n and o (Laos v4, Dns v6), and the names around the newest
 * accelerators (`_xl_RTXPRO6000BSE`, `_NDR_GB200`). The original leaves out their sizes.
 */
export const parseVmSize = (size: string): VmSize | undefined => {
  const parts = SIZE.exec(size)?.groups;
  if (parts === undefined) return undefined;
  return {
    family: parts.family ?? '',
    subfamily: parts.subfamily ?? '',
    vCpus: Number(parts.vcpus),
    constrainedVCpus: parts.constrained === undefined ? undefined : Number(parts.constrained),
    features: parts.features ?? '',
    accelerator: parts.accelerator,
    version: parts.version,
  };
};

/** `Dpls_v6`: sizes of one series differ in the number of vCPUs only. */
export const seriesOf = (size: VmSize): string =>
  `${size.family}${size.subfamily}${size.features}${size.version === undefined ? '' : `_v${size.version}`}`;
