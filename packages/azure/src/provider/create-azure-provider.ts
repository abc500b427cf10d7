import type { CloudProvider, Node } from '@karpenter/core';
import type { Clock, Controller, Logger, Metrics, SingletonController } from '@karpenter/core/controllers';
import { nodeClassHashing, nodeClassTermination } from '@karpenter/core/provider-kit';
import { type AKSNodeClass, NODE_CLASS_FINALIZER, nodeClassHash } from '../apis/index.ts';
import type { ArmApi } from '../arm/arm-api.ts';
import { armClients } from '../arm/arm-clients.ts';
import { type AzureEnvironment, azureEnvironmentOf } from '../arm/azure-environment.ts';
import { createArmApi } from '../arm/create-arm-api.ts';
import { credentialOf, type IdentityVariables } from '../arm/credential.ts';
import { clusterLabelOf, instanceTypeCatalog, unavailableOfferings } from '../catalog/index.ts';
import {
  imageDiscovery,
  inPlaceUpdate,
  nicAndDiskCollection,
  machineUpkeep,
  memoryLearning,
  nodeClassStatus,
  priceKeeper,
  quotaRefresh,
  skuKeeper,
} from '../controllers/index.ts';
import { machineList, networkFacts, vmBackend } from '../machines/index.ts';
import type { AzureOptions } from '../options/index.ts';
import { staticPricesOf } from '../pricing/index.ts';
import { aksNodeClassKind, type AzureKube } from './azure-kube.ts';
import { azureMetrics } from './azure-metrics.ts';
import { azureProvider } from './azure-provider.ts';
import { clusterFacts } from './cluster-facts.ts';
import { completingMachines } from './complete-machine.ts';
import { launchFollower, type LaunchFailure } from './launch-follower.ts';
import { launchTries } from './launch-tries.ts';
import type { ProviderContext } from './provider-context.ts';

export interface AzureProviderSource {
  readonly options: AzureOptions;
  /** Reads may be served by caches; they are on the hot path. Its table must hold `azureKinds`. */
  readonly kube: AzureKube;
  /** Base64 of PEM: whom the controller's own connection trusts; nodes will too, unless the options say otherwise. */
  readonly caBundle: string;
  /** `gitVersion` of the API server. */
  readonly serverVersion: (signal: AbortSignal) => Promise<string>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'counter' | 'gauge'>;
  /** `AZURE_CLIENT_ID` and its like. */
  readonly variables: IdentityVariables;
  /** Also trusted on calls to Azure; absent: what Node trusts, `NODE_EXTRA_CA_CERTS` included. */
  readonly caPem?: string;
  /** A machine was accepted and did not come. Absent: its NodeClaim is deleted, and core plans the pods again. */
  readonly onLaunchFailed?: (failure: LaunchFailure, signal: AbortSignal) => Promise<void>;
}

export interface AzureProvider {
  readonly provider: CloudProvider;
  readonly nodeClassControllers: readonly Controller<AKSNodeClass>[];
  readonly nodeControllers: readonly Controller<Node>[];
  readonly singletons: readonly SingletonController[];
  /**
   * Reads sizes and prices once, so that the first plan has a catalog; until the signal is aborted launches are followed. Throws
   * `ArmError` when Azure cannot be reached or refuses.
   */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when no accepted launch is being followed. */
  idle(): Promise<void>;
}

const deletingClaim =
  ({ kube, logger }: AzureProviderSource) =>
  async ({ claimName, error }: LaunchFailure, signal: AbortSignal): Promise<void> => {
    logger.info('a NodeClaim is given up because its machine did not come', { claim: claimName, reason: error.reason });
    await kube.delete('NodeClaim', { name: claimName }, { signal });
  };

const armOf = (source: AzureProviderSource, environment: AzureEnvironment): ArmApi => {
  const { options, clock, variables, caPem } = source;
  const credential = credentialOf({ environment, tenantId: options.tenantId, variables, caPem });
  const { subscriptionId, sharedGalleries } = options;
  const clients = armClients({ environment, subscriptionId, credential, clock, sharedGalleries, caPem });
  return createArmApi(clients, { ...options, retailPricesUrl: options.retailPricesUrl ?? environment.retailPricesEndpoint, caPem }, clock);
};

const contextOf = (source: AzureProviderSource, lifetime: AbortSignal): ProviderContext => {
  const { options, kube, clock, logger } = source;
  const environment = azureEnvironmentOf(options.cloud);
  const arm = armOf(source, environment);
  const { hasBillingExtension } = environment;
  const { location, vmMemoryOverheadPercent } = options;
  const unavailable = unavailableOfferings(clock);
  const settings = { location, vmMemoryOverheadPercent, clusterLabel: clusterLabelOf(options.nodeResourceGroup) };
  const backend = vmBackend({ arm, location, lifetime });
  const complete = completingMachines({ arm, location, logger, hasBillingExtension });
  const { launchesStarted, launchesFailed, priceAge } = azureMetrics(source.metrics);
  return {
    options,
    caBundle: options.clusterCaBundle ?? source.caBundle,
    arm,
    backend,
    machines: machineList(arm, options),
    catalog: instanceTypeCatalog({ settings, prices: staticPricesOf(location), unavailable }),
    unavailable,
    network: networkFacts(arm, clock),
    facts: clusterFacts({ options, kube, arm }),
    kube,
    clock,
    logger,
    complete,
    hasBillingExtension,
    tries: launchTries(clock),
    follower: launchFollower({
      backend,
      unavailable,
      logger,
      failures: launchesFailed,
      complete,
      onLaunchFailed: source.onLaunchFailed ?? deletingClaim(source),
    }),
    priceAge,
    launchesStarted,
  };
};

/** The provider for AKS with its own controllers. Throws `AzureEnvironmentError` when the environment file cannot be read. */
export const createAzureProvider = (source: AzureProviderSource): AzureProvider => {
  const lifetime = new AbortController();
  const context = contextOf(source, lifetime.signal);
  const { follower, kube } = context;
  const prices = priceKeeper(context);
  const skus = skuKeeper(context);
  return {
    provider: azureProvider(context),
    nodeClassControllers: [
      nodeClassStatus({ ...context, images: imageDiscovery(context), serverVersion: source.serverVersion }),
      nodeClassHashing({ kind: aksNodeClassKind, hash: nodeClassHash, kube }),
      nodeClassTermination({ kind: aksNodeClassKind, finalizer: NODE_CLASS_FINALIZER, kube }),
      inPlaceUpdate(context),
    ],
    nodeControllers: [memoryLearning(context)],
    singletons: [skus.controller, prices.controller, quotaRefresh(context), machineUpkeep(context), nicAndDiskCollection(context)],
    start: async (signal) => {
      const stop = (): void => {
        follower.stop();
        lifetime.abort();
      };
      signal.addEventListener('abort', stop, { once: true });
      await Promise.all([skus.refresh(signal), prices.refresh(signal)]);
    },
    idle: () => follower.idle(),
  };
};
