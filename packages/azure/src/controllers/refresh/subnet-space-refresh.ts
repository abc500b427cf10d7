import type { Metrics } from '@karpenter/core/controllers';
import { type Refresher, refresher } from '@karpenter/core/provider-kit';
import type { Clock, Logger } from '@karpenter/runtime';
import type { AKSNodeClass } from '../../apis/index.ts';
import type { ArmApi, SubnetSpace } from '../../arm/arm-api.ts';
import { nodeAddressesOf, subnetIdsOf } from '../../machines/index.ts';
import type { AzureOptions } from '../../options/index.ts';
import type { AzureKube } from '../../provider/azure-kube.ts';

export interface SubnetSpaceDeps {
  readonly arm: Pick<ArmApi, 'subnetSpaces'>;
  readonly kube: Pick<AzureKube, 'list'>;
  readonly options: AzureOptions;
  readonly metrics: Pick<Metrics, 'gauge'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info'>;
}

const FIVE_MINUTES_MS = 300_000;

const METRIC = {
  name: 'karpenter_azure_subnet_nodes_left',
  help: 'Nodes of a class for which a subnet has free addresses, as Azure counted at most five minutes ago. Others may take them.',
  labelNames: ['nodeclass', 'subnet'],
};

interface Room {
  readonly labels: { readonly nodeclass: string; readonly subnet: string };
  readonly value: number;
}

/** A subnet that Azure did not count has no figure. */
const roomsOf = (nodeClass: AKSNodeClass, options: AzureOptions, spaces: ReadonlyMap<string, SubnetSpace>): readonly Room[] =>
  subnetIdsOf(nodeClass, options).flatMap((id) => {
    const space = spaces.get(id.toLowerCase());
    if (space === undefined) return [];
    const value = Math.max(0, Math.floor(space.free / nodeAddressesOf(nodeClass, options)));
    return [{ labels: { nodeclass: nodeClass.metadata.name, subnet: id.replace(/^.*\//, '') }, value }];
  });

/** Shows for how many more nodes there are addresses, so that a subnet that fills up is seen before it is full. */
export const subnetSpaceKeeper = ({ arm, kube, options, metrics, clock, logger }: SubnetSpaceDeps): Refresher => {
  let rooms: readonly Room[] = [];
  let isSaid = false;
  metrics.gauge(METRIC, () => rooms);
  return refresher({
    name: 'subnetspace',
    clock,
    everyMs: FIVE_MINUTES_MS,
    read: async (signal) => {
      const { items } = await kube.list<AKSNodeClass>('AKSNodeClass', { signal });
      // The subnets of classes are in the virtual network of the cluster, which one call counts.
      const spaces = items.length === 0 ? new Map<string, SubnetSpace>() : await arm.subnetSpaces(options.vnetSubnetId, signal);
      rooms = items.flatMap((nodeClass) => roomsOf(nodeClass, options, spaces));
      isSaid = false;
      return true;
    },
    onFailure: (error) => {
      rooms = [];
      if (!isSaid) logger.info('free addresses of subnets could not be read, and are not shown', { error });
      isSaid = true;
    },
  });
};
