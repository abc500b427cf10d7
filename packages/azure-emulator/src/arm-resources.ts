import { aksMachineRoutes } from './aks/aks-machine-routes.ts';
import { AksMachineStore } from './aks/aks-machines.ts';
import { nodeBootstrappingRoute } from './aks/node-bootstrapping-route.ts';
import { CapacityReservations } from './compute/reservations/capacity-reservations.ts';
import { diskRoutes } from './compute/disks/disk-routes.ts';
import { Disks } from './compute/disks/disks.ts';
import { extensionRoutes } from './compute/vms/extension-routes.ts';
import { locationRoutes } from './compute/location-routes.ts';
import { QuotaLedger } from './compute/quota-ledger.ts';
import { reservationRoutes } from './compute/reservations/reservation-routes.ts';
import { skuCatalog } from './compute/sizes/sku-catalog.ts';
import { VirtualMachines } from './compute/vms/virtual-machines.ts';
import { vmRoutes } from './compute/vms/vm-routes.ts';
import { graphRoutes } from './graph/graph-routes.ts';
import { WriteLog } from './graph/write-log.ts';
import { NetworkInterfaces } from './network/network-interfaces.ts';
import { nicRoutes } from './network/nic-routes.ts';
import { topologyOf } from './network/topology.ts';
import { topologyRoutes } from './network/topology-routes.ts';
import { operationRoutes } from './operations/operation-replies.ts';
import { type ArmEmulatorOptions, DEFAULT_NETWORK, DEFAULT_QUOTAS } from './options.ts';
import { AccessRules } from './subscription/access-rules.ts';
import { subscriptionRoutes } from './subscription/subscription-routes.ts';
import { registeredVersions } from './subscription/registered-versions.ts';
import { PriceChanges, priceRoutes } from './prices/price-routes.ts';
import type { ArmRoute } from './serve/route.ts';
import type { ArmWorld } from './world.ts';

/** All that lives in one emulated subscription, and how it is reached. */
export interface ArmResources {
  readonly nics: NetworkInterfaces;
  readonly disks: Disks;
  readonly vms: VirtualMachines;
  readonly machines: AksMachineStore;
  readonly quota: QuotaLedger;
  readonly reservations: CapacityReservations;
  readonly access: AccessRules;
  readonly prices: PriceChanges;
  readonly routes: readonly ArmRoute[];
}

export const armResources = (world: ArmWorld, options: ArmEmulatorOptions): ArmResources => {
  const topology = topologyOf(world.account, options.network ?? DEFAULT_NETWORK);
  const writes = new WriteLog(world.clock, world.latencies.resourceGraphDelayMs);
  const { sizes = 'all' } = options;
  const catalog = skuCatalog(world.account.location, sizes);
  const quota = new QuotaLedger(world.account.location, { ...DEFAULT_QUOTAS, ...options.quotas });
  const disks = new Disks();
  const nics = new NetworkInterfaces(world, topology, writes);
  const reservations = new CapacityReservations({ world, catalog, quota });
  const vms = new VirtualMachines({ world, nics, disks, catalog, quota, reservations, writes });
  const machines = new AksMachineStore({ world, nics, vms, catalog });
  const access = new AccessRules();
  const prices = new PriceChanges();
  const routes: readonly ArmRoute[] = [
    ...vmRoutes(world, vms),
    ...extensionRoutes(world, vms),
    ...nicRoutes(world, nics),
    ...diskRoutes({ world, disks, writes }),
    ...reservationRoutes(world, reservations),
    ...operationRoutes(world),
    ...topologyRoutes(world, topology),
    ...locationRoutes({ world, catalog, quota }),
    ...graphRoutes(world, writes),
    ...priceRoutes({ world, sizes, changes: prices }),
    nodeBootstrappingRoute(world),
    ...aksMachineRoutes({ world, machines, catalog }),
  ];
  const ofSubscription = subscriptionRoutes({ world, access, vms, nics, disks, routes, apiVersions: registeredVersions(options) });
  return { nics, disks, vms, machines, quota, reservations, access, prices, routes: [...routes, ...ofSubscription] };
};
