/** One record of the compute resource SKUs API, as far as it is read. */
export interface ResourceSku {
  readonly resourceType?: string | undefined;
  readonly name?: string | undefined;
  readonly size?: string | undefined;
  readonly family?: string | undefined;
  readonly capabilities?: readonly SkuCapability[] | undefined;
  readonly locationInfo?: readonly SkuLocationInfo[] | undefined;
  readonly restrictions?: readonly SkuRestriction[] | undefined;
}

export interface SkuCapability {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
}

export interface SkuLocationInfo {
  readonly location?: string | undefined;
  readonly zones?: readonly string[] | undefined;
  readonly zoneDetails?:
    readonly { readonly name?: readonly string[] | undefined; readonly capabilities?: readonly SkuCapability[] | undefined }[] | undefined;
}

export interface SkuRestriction {
  /** `Location` or `Zone`. */
  readonly type?: string | undefined;
  readonly values?: readonly string[] | undefined;
  readonly restrictionInfo?:
    { readonly locations?: readonly string[] | undefined; readonly zones?: readonly string[] | undefined } | undefined;
}
