import { decimalIn, wholeNumberIn } from '@karpenter/core';
import type { ResourceSku, SkuCapability } from './resource-sku.ts';
import { parseVmSize, type VmSize } from './vm-size.ts';

/** A VM size as one region sells it. */
export interface Sku {
  /** `Standard_D2s_v3` */
  readonly name: string;
  readonly size: VmSize;
  /** Quota family, `standardDSv3Family`; some names have spaces. */
  readonly family: string;
  readonly vCpus: number;
  /** What Azure calls MemoryGB and is GiB; may be a fraction. */
  readonly memoryGiB: number;
  readonly gpus: number;
  readonly architecture: 'amd64' | 'arm64';
  /** `1` and `2`. */
  readonly hyperVGenerations: readonly string[];
  /** Logical zones (`1`) in which the subscription may use the size, in order; empty in a region without zones. */
  readonly zones: readonly string[];
  /** Logical zones where ultra disks can be attached. */
  readonly ultraSsdZones: readonly string[];
  readonly isRestrictedInLocation: boolean;
  has(capability: string): boolean;
  /** A whole-number capability; 0 when it is absent or none. */
  amount(capability: string): number;
  text(capability: string): string;
}

const same = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

const restrictedZones = (record: ResourceSku): ReadonlySet<string> =>
  new Set((record.restrictions ?? []).filter((r) => same(r.type, 'Zone')).flatMap((r) => r.restrictionInfo?.zones ?? []));

const isRestrictedIn = (record: ResourceSku, location: string): boolean =>
  (record.restrictions ?? []).some((r) => same(r.type, 'Location') && (r.values ?? []).some((value) => same(value, location)));

const locationOf = (record: ResourceSku, location: string) => (record.locationInfo ?? []).filter((info) => same(info.location, location));

const zonesOf = (record: ResourceSku, location: string): readonly string[] => {
  if (isRestrictedIn(record, location)) return [];
  const restricted = restrictedZones(record);
  const zones = new Set(locationOf(record, location).flatMap((info) => info.zones ?? []));
  return [...zones].filter((zone) => !restricted.has(zone)).sort();
};

const isTrue = (capability: SkuCapability, name: string): boolean => capability.name === name && same(capability.value, 'true');

const ultraSsdZonesOf = (record: ResourceSku, location: string): readonly string[] =>
  locationOf(record, location)
    .flatMap((info) => info.zoneDetails ?? [])
    .filter((detail) => (detail.capabilities ?? []).some((capability) => isTrue(capability, 'UltraSSDAvailable')))
    .flatMap((detail) => detail.name ?? [])
    .sort();

const architectureOf = (text: string): Sku['architecture'] | undefined =>
  same(text, 'x64') ? 'amd64' : same(text, 'arm64') ? 'arm64' : undefined;

const wholeNumber = (text: string): number => wholeNumberIn(text) ?? 0;

/** GiB of a size. */
const MEMORY = { min: 0, max: 2 ** 20 };

/**
 * Reads one record for a location; undefined for what is no virtual machine, has a name outside the grammar, or does
 * not say its architecture.
 */
export const skuOf = (record: ResourceSku, location: string): Sku | undefined => {
  const name = record.name ?? '';
  const size = parseVmSize(record.size ?? '');
  const values = new Map((record.capabilities ?? []).map((capability) => [capability.name ?? '', capability.value ?? '']));
  const text = (capability: string): string => values.get(capability) ?? '';
  const architecture = architectureOf(text('CpuArchitectureType'));
  if (!same(record.resourceType, 'virtualMachines') || size === undefined || architecture === undefined) return undefined;
  return {
    name,
    size,
    family: record.family ?? '',
    vCpus: wholeNumber(text('vCPUs')),
    memoryGiB: decimalIn(text('MemoryGB'), MEMORY) ?? 0,
    gpus: wholeNumber(text('GPUs')),
    architecture,
    hyperVGenerations: text('HyperVGenerations')
      .split(',')
      .filter((generation) => generation !== '')
      .map((generation) => generation.replace(/^V/i, '')),
    zones: zonesOf(record, location),
    ultraSsdZones: ultraSsdZonesOf(record, location),
    isRestrictedInLocation: isRestrictedIn(record, location),
    has: (capability) => same(text(capability), 'true'),
    amount: (capability) => wholeNumber(text(capability)),
    text,
  };
};
