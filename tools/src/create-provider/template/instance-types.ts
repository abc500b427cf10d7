import { type InstanceType, labelRequirements, labels, requirementsOf, resourcesOf } from '@karpenter/core';
import { standInPricePerHour } from '@karpenter/core/provider-kit';
import type { Host } from './node-class.ts';

const PODS = '110';
const OVERHEAD = { cpu: '100m', memory: '512Mi' };

/** Hosts of one size are one type: `ssh-4-16gi`. */
export const typeNameOf = ({ cpu, memory }: Host): string => `ssh-${cpu}-${memory}`.toLowerCase();

export const labelsOf = (host: Host): Readonly<Record<string, string>> => ({
  [labels.instanceType]: typeNameOf(host),
  [labels.arch]: 'amd64',
  [labels.os]: 'linux',
  [labels.zone]: host.zone,
  [labels.capacityType]: 'on-demand',
});

export const hostCapacityOf = ({ cpu, memory }: Host) => ({ cpu, memory, pods: PODS });

const typeOf = (hosts: readonly [Host, ...Host[]], isTaken: (host: Host) => boolean): InstanceType => {
  const capacity = resourcesOf(hostCapacityOf(hosts[0]));
  const zones = [...new Set(hosts.map(({ zone }) => zone))].sort();
  const { [labels.zone]: _zone, ...own } = labelsOf(hosts[0]);
  return {
    name: typeNameOf(hosts[0]),
    capacity,
    overhead: resourcesOf(OVERHEAD),
    requirements: requirementsOf([
      ...Object.entries(own).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })),
      { key: labels.zone, operator: 'In', values: zones },
    ]),
    offerings: zones.map((zone) => ({
      ...{ zone, capacityType: 'on-demand', pricePerHour: standInPricePerHour(capacity) },
      isAvailable: hosts.some((host) => host.zone === zone && !isTaken(host)),
      requirements: labelRequirements({ [labels.zone]: zone, [labels.capacityType]: 'on-demand' }),
    })),
  };
};

/** What is on offer: the sizes of all hosts, also of those that are taken. */
export const typesOfHosts = (hosts: readonly Host[], isTaken: (host: Host) => boolean): readonly InstanceType[] =>
  [...Map.groupBy(hosts, typeNameOf).values()].flatMap(([first, ...rest]) => (first ? [typeOf([first, ...rest], isTaken)] : []));
