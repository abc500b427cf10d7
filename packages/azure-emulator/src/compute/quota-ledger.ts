import { knownRefusals } from '../faults/known-refusals.ts';
import type { ArmRefusal } from '../faults/arm-error.ts';
import type { ArmQuotas } from '../options.ts';
import type { VmCapacityType } from './vms/vm-record.ts';

/** What a VM takes of the quota. */
export interface QuotaClaim {
  readonly family: string;
  readonly vCpus: number;
  readonly capacityType: VmCapacityType;
}

export interface QuotaUsage {
  readonly unit: 'Count';
  readonly currentValue: number;
  readonly limit: number;
  readonly name: { readonly value: string; readonly localizedValue: string };
}

const usage = (name: { readonly value: string; readonly localizedValue: string }, currentValue: number, limit: number): QuotaUsage => ({
  unit: 'Count',
  currentValue,
  limit,
  name,
});

/**
 * Which vCPUs of the subscription are taken. Spot machines count against the spot quota only, the others against their
 * family and the region.
 */
export class QuotaLedger {
  readonly #location: string;
  readonly #limits: ArmQuotas;
  readonly #byFamily = new Map<string, number>();
  #spot = 0;
  #regional = 0;
  #machines = 0;

  constructor(location: string, limits: ArmQuotas) {
    this.#location = location;
    this.#limits = limits;
  }

  /** Takes a claim's vCPUs, or says which quota does not allow it and takes nothing. */
  take(claim: QuotaClaim): ArmRefusal | undefined {
    const refusal = this.#refusalOf(claim);
    if (refusal === undefined) this.#add(claim, 1);
    return refusal;
  }

  putBack(claim: QuotaClaim): void {
    this.#add(claim, -1);
  }

  /** The usages API's rows: the region's totals first, then the families in the order given. */
  usages(families: readonly string[]): readonly QuotaUsage[] {
    return [
      usage({ value: 'cores', localizedValue: 'Total Regional vCPUs' }, this.#regional, this.#limits.cores),
      usage({ value: 'virtualMachines', localizedValue: 'Virtual Machines' }, this.#machines, 25_000),
      usage({ value: 'lowPriorityCores', localizedValue: 'Total Regional Spot vCPUs' }, this.#spot, this.#limits.lowPriorityCores),
      ...families.map((family) =>
        usage({ value: family, localizedValue: `${family} vCPUs` }, this.#byFamily.get(family) ?? 0, this.#limitOf(family)),
      ),
    ];
  }

  #refusalOf({ family, vCpus, capacityType }: QuotaClaim): ArmRefusal | undefined {
    const figures = (limit: number, used: number) => ({ location: this.#location, limit, usage: used, required: vCpus });
    if (capacityType === 'spot') {
      const limit = this.#limits.lowPriorityCores;
      return this.#spot + vCpus > limit ? knownRefusals.lowPriorityQuota(figures(limit, this.#spot)) : undefined;
    }
    const used = this.#byFamily.get(family) ?? 0;
    if (used + vCpus > this.#limitOf(family)) return knownRefusals.familyQuota(family, figures(this.#limitOf(family), used));
    if (this.#regional + vCpus > this.#limits.cores) return knownRefusals.regionalQuota(figures(this.#limits.cores, this.#regional));
    return undefined;
  }

  #limitOf(family: string): number {
    return this.#limits.families[family] ?? this.#limits.coresPerFamily;
  }

  #add({ family, vCpus, capacityType }: QuotaClaim, sign: 1 | -1): void {
    this.#machines += sign;
    if (capacityType === 'spot') {
      this.#spot += sign * vCpus;
      return;
    }
    this.#regional += sign * vCpus;
    this.#byFamily.set(family, (this.#byFamily.get(family) ?? 0) + sign * vCpus);
  }
}
