import type { ArmAccount } from './account.ts';
import type { ArmEmulator } from './arm-emulator.ts';
import { ArmEmulatorError } from './arm-emulator-error.ts';
import { AUXILIARY_TOKENS_PATH, auxiliaryTokenRoute } from './auth/auxiliary-token-route.ts';
import { authorityRoutes, FEDERATED_AUDIENCE } from './auth/authority-routes.ts';
import { TokenService } from './auth/token-service.ts';
import { diskRecordOf } from './compute/disks/disks.ts';
import { vmCapacityTypeOf, vmRecordOf } from './compute/vms/vm-entry.ts';
import { pricedRegions } from './data/on-demand-prices.ts';
import { type ArmResources, armResources } from './arm-resources.ts';
import { accountFor } from './account-for.ts';
import { ArmFaults } from './faults/arm-faults.ts';
import type { AzureEnvironmentFile } from './environment-file.ts';
import { IdSource } from './id-source.ts';
import { worldFor } from './world-for.ts';
import { nicRecordOf } from './network/nic-entry.ts';
import { type ArmEmulatorOptions, DEFAULT_NETWORK } from './options.ts';
import { PRICES_PATH } from './prices/price-routes.ts';
import { ArmService } from './serve/arm-service.ts';
import { createArmCertificates } from './serve/certificates.ts';
import { listenHttps } from './serve/https-server.ts';
import { RateLimiter } from './serve/rate-limiter.ts';
import { RequestLog } from './serve/request-log.ts';
import { registeredVersions } from './subscription/registered-versions.ts';

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
    network: options.network ?? DEFAULT_NETWORK,
    federatedToken: federation.issue(FEDERATED_AUDIENCE, SERVICE_ACCOUNT),
  });
  return { account, tokens: new TokenService(ids.uuid('token-secret')), federation };
};

const environmentFileAt = (url: string): AzureEnvironmentFile => ({
  name: 'Emulated',
  resourceManagerEndpoint: url,
  activeDirectoryEndpoint: url,
  tokenAudience: url,
  retailPricesEndpoint: `${url}${PRICES_PATH}`,
});

const urlsAt = (url: string) => ({
  url,
  authorityUrl: url,
  pricesUrl: `${url}${PRICES_PATH}`,
  auxiliaryTokensUrl: `${url}${AUXILIARY_TOKENS_PATH}`,
  nodeBootstrappingUrl: url,
});

const evictSpot = ({ vms }: ArmResources, vmName: string): void => {
  const vm = vms.all().find((candidate) => candidate.name === vmName && vmCapacityTypeOf(candidate.body) === 'spot');
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
  const world = worldFor(ids, options, { account, tokens, url });
  const resources = armResources(world, options);
  const { nics, disks, vms, routes } = resources;
  const faults = new ArmFaults(() => ids.chance('fault'));
  const log = new RequestLog();
  const limiter = new RateLimiter(options.clock, options.throttling ?? false);
  const service = new ArmService({
    ...{ world, tokens, faults, limiter, log },
    routes: [...routes, ...authorityRoutes({ world, tokens, federation }), auxiliaryTokenRoute(world)],
    audience: url,
    access: resources.access,
    apiVersions: registeredVersions(options),
  });
  server.serve((request) => service.answer(request), options.clock);
  const close = async (): Promise<void> => {
    world.operations.close();
    await server.close();
  };
  return {
    ...urlsAt(url),
    caPem: certificates.caPem,
    account,
    ...{ faults, requests: log },
    access: resources.access,
    images: world.images,
    reservations: resources.reservations,
    environmentFile: () => environmentFileAt(url),
    vms: () => vms.all().map(vmRecordOf),
    nics: () => nics.all().map(nicRecordOf),
    disks: () => disks.all().map(diskRecordOf),
    onVm: (listener) => vms.onEvent(listener),
    driftMachines: (action) => resources.machines.drift(action),
    evict: (vmName) => evictSpot(resources, vmName),
    updateNetwork: (id, forMs) => nics.writers.update(id, forMs),
    changePrices: (shareOf) => resources.prices.change(shareOf),
    revokeTokens: () => tokens.revokeAll(),
    close,
    [Symbol.asyncDispose]: close,
  };
};
