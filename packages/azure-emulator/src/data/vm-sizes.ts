import rows from '../../data/vm-sizes.json' with { type: 'json' };

/** A VM size of the public cloud, as far as one list of all sizes knows it. */
export interface ListedVmSize {
  /** `Standard_D2s_v3` */
  readonly name: string;
  readonly family: string;
  readonly vCpus: number;
  readonly memoryMiB: number;
  readonly gpus: number;
  readonly architecture: 'amd64' | 'arm64';
}

/** All 1,369 sizes, by name. */
export const vmSizes: readonly ListedVmSize[] = rows.map(([name, family, vCpus, memoryMiB, gpus, architecture]) => ({
  name: String(name),
  family: String(family),
  vCpus: Number(vCpus),
  memoryMiB: Number(memoryMiB),
  gpus: Number(gpus),
  architecture: architecture === 'arm64' ? 'arm64' : 'amd64',
}));
