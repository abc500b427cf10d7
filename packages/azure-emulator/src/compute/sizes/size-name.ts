/** What a size's name says by Azure's naming convention: `Standard_D16plds_v5`. */
export interface SizeName {
  /** Capital letters: `D`, `DS`, `NC`. */
  readonly family: string;
  /** Additive feature letters: `plds`. */
  readonly features: string;
  /** 1 when the name has none. */
  readonly version: number;
  readonly promo: boolean;
  /** The number behind a dash: the vCPUs that are left of the parent size's. */
  readonly constrainedVCpus: number | undefined;
}

const NAME = /^(?:Standard|Basic)_([A-Z]+)\d+(?:-(\d+))?([a-zA-Z]*)/;

export const sizeNameOf = (name: string): SizeName => {
  const match = NAME.exec(name);
  const version = /_v(\d+)/.exec(name)?.[1];
  return {
    family: match?.[1] ?? '',
    features: match?.[3] ?? '',
    version: version === undefined ? 1 : Number(version),
    promo: name.endsWith('_Promo'),
    constrainedVCpus: match?.[2] === undefined ? undefined : Number(match[2]),
  };
};
