import type { ArmAccount } from './account.ts';
import type { ArmEmulator } from './arm-emulator.ts';
import { ArmEmulatorError } from './arm-emulator-error.ts';
import { authorityRoutes, FEDERATED_AUDIENCE } from './auth/authority-routes.ts';
import { TokenService } from './auth/token-service.ts';
import { diskRoutes } from './compute/disk-routes.ts';
import { diskRecordOf, Disks } from './compute/disks.ts';
import { extensionRoutes } from './compute/extension-routes.ts';
import { ImageVersions } from './compute/image-versions.ts';
import { locationRoutes } from './compute/location-routes.ts';
import { QuotaLedger } from './compute/quota-ledger.ts';
import { skuCatalog } from './compute/sku-catalog.ts';
import { VirtualMachines } from './compute/virtual-machines.ts';
import { capacityTypeOf, vmRecordOf } from './compute/vm-entry.ts';
import { vmRoutes } from './compute/vm-routes.ts';
import { aksImages } from './data/aks-images.ts';
import { pricedRegions } from './data/on-demand-prices.ts';
import { accountFor } from './default-account.ts';
import { ArmFaults } from './faults/arm-faults.ts';
import { graphRoutes } from './graph/graph-routes.ts';
import { WriteLog } from './graph/write-log.ts';
import { IdSource } from './id-source.ts';
import { NetworkInterfaces } from './network/network-interfaces.ts';
import { nicRecordOf } from './network/nic-entry.ts';
import { nicRoutes } from './network/nic-routes.ts';
import { topologyOf } from './network/topology.ts';
import { topologyRoutes } from './network/topology-routes.ts';
import { AsyncOperations } from './operations/async-operations.ts';
import { operationRoutes } from './operations/operation-replies.ts';
import { type ArmEmulatorOptions, DEFAULT_LATENCIES, DEFAULT_QUOTAS } from './options.ts';
import { PRICES_PATH, priceRoutes } from './prices/price-routes.ts';
import { ArmService } from './serve/arm-service.ts';
import { createArmCertificates } from './serve/certificates.ts';
import { listenHttps } from './serve/https-server.ts';
import { RateLimiter } from './serve/rate-limiter.ts';
import { RequestLog } from './serve/request-log.ts';
import type { Route } from './serve/route.ts';
import type { ArmWorld } from './world.ts';

const DEFAULT_SUBNET = '10.224.0.0/16';
const SERVICE_ACCOUNT = 'system:serviceaccount:kube-system:karpenter-sa';

interface Identity {
  readonly account: ArmAccount;
  readonly tokens: TokenService;
  readonly federation: TokenService;
}

const identityFor = (ids: IdSource, options: ArmEmulatorOptions): Identity => {
  const federation = new TokenService(ids.uuid('federation-secret'));
  const account = accountFor(ids, {
    location: options.location ?? 'eastus',
    clusterName: options.clusterName ?? 'demo',
    federatedToken: federation.issue(FEDERATED_AUDIENCE, SERVICE_ACCOUNT),
  });
  return { account, tokens: new TokenService(ids.uuid('token-secret')), federation };
};

const worldFor = (ids: IdSource, options: ArmEmulatorOptions, at: { readonly account: ArmAccount; readonly url: string }): ArmWorld => {
  const images = new ImageVersions();
  for (const image of aksImages) images.publish(image);
  return {
    clock: options.clock,
    ...at,
    latencies: { ...DEFAULT_LATENCIES, ...options.latencies },
    ids,
    operations: new AsyncOperations(options.clock, ids),
    images,
    pollAfterSeconds: options.pollAfterSeconds ?? 1,
    pageSize: options.pageSize,
  };
};

interface Resources {
  readonly nics: NetworkInterfaces;
  readonly disks: Disks;
  readonly vms: VirtualMachines;
  readonly routes: readonly Route[];
}

const resourcesFor = (world: ArmWorld, options: ArmEmulatorOptions): Resources => {
  const subnetPrefix = options.subnetPrefix ?? DEFAULT_SUBNET;
  const writes = new WriteLog(world.clock, world.latencies.resourceGraphDelayMs);
  const catalog = skuCatalog(world.account.location);
  const quota = new QuotaLedger(world.account.location, { ...DEFAULT_QUOTAS, ...options.quotas });
  const disks = new Disks();
  const nics = new NetworkInterfaces(world, topologyOf(world.account, subnetPrefix), writes);
  const vms = new VirtualMachines({ world, nics, disks, catalog, quota, writes });
  const routes = [
    ...vmRoutes(world, vms),
    ...extensionRoutes(world, vms),
    ...nicRoutes(world, nics),
    ...diskRoutes({ world, disks, writes }),
    ...operationRoutes(world),
    ...topologyRoutes(world, subnetPrefix),
    ...locationRoutes({ world, catalog, quota }),
    ...graphRoutes(world, writes),
    ...priceRoutes(world),
  ];
  return { nics, disks, vms, routes };
};

const evictSpot = (vms: VirtualMachines, vmName: string): void => {
  const vm = vms.all().find((candidate) => candidate.name === vmName && capacityTypeOf(candidate.body) === 'spot');
  if (vm === undefined) throw new ArmEmulatorError('NoSuchSpotVm', `there is no spot VM "${vmName}" to evict`);
  vms.evict(vm);
};

/**
 * Starts an Azure of one's own. It holds no global state: many fit into one process.
 *
 * Errors: `ArmEmulatorError` with `UnknownLocation`; whatever the port refuses is thrown as Node throws it.
 */
export const startArmEmulator = async (options: ArmEmulatorOptions): Promise<ArmEmulator> => {
  const location = options.location ?? 'eastus';
  if (!pricedRegions.includes(location)) {
    throw new ArmEmulatorError('UnknownLocation', `location is "${location}", expected one of ${pricedRegions.join(', ')}`);
  }
  const ids = new IdSource(options.seed ?? 1);
  const certificates = options.certificates ?? (await createArmCertificates());
  const server = await listenHttps(certificates, options.port ?? 0);
  const url = `https://127.0.0.1:${String(server.port)}`;
  const { account, tokens, federation } = identityFor(ids, options);
  const world = worldFor(ids, options, { account, url });
  const { nics, disks, vms, routes } = resourcesFor(world, options);
  const faults = new ArmFaults(() => ids.chance('fault'));
  const log = new RequestLog();
  const limiter = new RateLimiter(options.clock, options.throttling ?? false);
  const allRoutes = [...routes, ...authorityRoutes({ world, tokens, federation })];
  const service = new ArmService({ world, routes: allRoutes, tokens, audience: url, faults, limiter, log });
  server.serve((request) => service.answer(request), options.clock);
  const close = async (): Promise<void> => {
    world.operations.close();
    await server.close();
  };
  return {
    url,
    authorityUrl: url,
    pricesUrl: `${url}${PRICES_PATH}`,
    caPem: certificates.caPem,
    account,
    faults,
    requests: log,
    images: world.images,
    environmentFile: () => ({
      name: 'Emulated',
      resourceManagerEndpoint: url,
      activeDirectoryEndpoint: url,
      tokenAudience: url,
      retailPricesEndpoint: `${url}${PRICES_PATH}`,
    }),
    vms: () => vms.all().map(vmRecordOf),
    nics: () => nics.all().map(nicRecordOf),
    disks: () => disks.all().map(diskRecordOf),
    onVm: (listener) => vms.onEvent(listener),
    evict: (vmName) => evictSpot(vms, vmName),
    revokeTokens: () => tokens.revokeAll(),
    close,
    [Symbol.asyncDispose]: close,
  };
};
