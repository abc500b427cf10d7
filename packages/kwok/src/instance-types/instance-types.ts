import {
  defaultLabelCatalog,
  type InstanceType,
  type LabelCatalog,
  labelRequirements,
  labels,
  mergeLabelCatalogs,
  type Offering,
  requirementsOf,
  resourcesOf,
} from '@karpenter/core';
import { KWOK_GROUP, kwokLabels, offeringLabels } from '../apis/kwok-names.ts';
import type { InstanceTypeEntry, OfferingEntry } from './instance-type-entry.ts';

const OVERHEAD = { cpu: '100m', memory: '10Mi' };
/** `m5.2xlarge`: the size stands behind the dot. */
const DOTTED_SIZE = /^\w+\.(nano|micro|small|medium|large|\d*xlarge|metal)$/;

const familyOf = (name: string): string => {
  const [family = '', ...rest] = name.split(/[.-]/);
  return rest.length > 0 ? family : name.slice(0, 1);
};

/** Labels of all nodes of a type. Source: the original's `kwok/cloudprovider/helpers.go`. */
export const typeLabels = ({ name, architecture, operatingSystem, resources }: InstanceTypeEntry): Readonly<Record<string, string>> => {
  const { cpu = '', memory = '' } = resources;
  return {
    [labels.instanceType]: name,
    [labels.arch]: architecture,
    [labels.os]: operatingSystem,
    [kwokLabels.instanceSize]: DOTTED_SIZE.exec(name)?.[1] ?? cpu,
    [kwokLabels.instanceFamily]: familyOf(name),
    [kwokLabels.instanceCpu]: cpu,
    [kwokLabels.instanceMemory]: memory,
  };
};

/** Names an offering of an instance type. */
export const offeringKey = (instanceType: string, { zone, capacityType }: Pick<OfferingEntry, 'zone' | 'capacityType'>): string =>
  `${instanceType}/${zone}/${capacityType}`;

/** What is known about labels: those of this provider, and those that offerings of the file name. */
export const labelCatalogOf = (entries: readonly InstanceTypeEntry[]): LabelCatalog => {
  const named = entries.flatMap(({ offerings }) => offerings.flatMap(({ labels: own }) => Object.keys(own)));
  return mergeLabelCatalogs(defaultLabelCatalog, {
    wellKnown: new Set([...Object.values(kwokLabels), ...named]),
    restrictedDomains: new Set([KWOK_GROUP]),
    restrictedLabels: new Set(),
    normalizedKeys: new Map(),
    normalizedValues: new Map(),
    knownValues: new Map([[labels.capacityType, new Set(['spot', 'on-demand'])]]),
  });
};

/** Whether a launch by the offering may be tried. */
export type IsInStock = (key: string) => boolean;

const typeOf = (entry: InstanceTypeEntry, catalog: LabelCatalog, isInStock: IsInStock): InstanceType => {
  const { name, offerings, resources } = entry;
  const valuesOf = (key: 'zone' | 'capacityType'): readonly string[] => [...new Set(offerings.map((offering) => offering[key]))].sort();
  const own = Object.entries(typeLabels(entry)).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  return {
    name,
    capacity: resourcesOf(resources),
    overhead: resourcesOf(OVERHEAD),
    requirements: requirementsOf(
      [
        ...own,
        { key: labels.zone, operator: 'In', values: valuesOf('zone') },
        { key: labels.capacityType, operator: 'In', values: valuesOf('capacityType') },
      ],
      catalog,
    ),
    offerings: offerings.map((offering): Offering => ({
      ...{ zone: offering.zone, capacityType: offering.capacityType, pricePerHour: offering.pricePerHour },
      isAvailable: isInStock(offeringKey(name, offering)),
      requirements: labelRequirements({ ...offeringLabels(offering.zone, offering.capacityType), ...offering.labels }, catalog),
    })),
  };
};

/** The entries as core's solver takes them. */
export const instanceTypesOf = (
  entries: readonly InstanceTypeEntry[],
  catalog: LabelCatalog,
  isInStock: IsInStock,
): readonly InstanceType[] => entries.map((entry) => typeOf(entry, catalog, isInStock));
