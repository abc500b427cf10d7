import type { CloudProvider, Node } from '@karpenter/core';
import { nodeClassHashing, nodeClassTermination, StartError } from '@karpenter/core/provider-kit';
import type { Controller, SingletonController } from '@karpenter/runtime';
import { type AKSNodeClass, NODE_CLASS_FINALIZER, nodeClassHash } from '../apis/index.ts';
import {
  imageDiscovery,
  inPlaceUpdate,
  machineMaintenance,
  memoryLearning,
  nicAndDiskCollection,
  nodeClassStatus,
  priceKeeper,
  quotaRefresh,
  reservationDemotion,
  reservationKeeper,
  skuKeeper,
  subnetSpaceKeeper,
  triedSizes,
} from '../controllers/index.ts';
import { aksNodeClassKind } from '../provider/azure-kube.ts';
import { azureProvider } from '../provider/azure-provider.ts';
import type { AzureProviderSource } from '../provider/azure-provider-source.ts';
import { missingPoolWarning } from '../provider/missing-agent-pool.ts';
import { reportingRefusedDeletes } from '../provider/refused-deletes.ts';
import { readOfferedVersions } from '../provider/offered-versions.ts';
import { startWarningsOf } from '../provider/start-warnings.ts';
import { assembleContext, type ProviderContext } from './provider-context.ts';

export interface AzureProvider {
  readonly provider: CloudProvider;
  readonly nodeClassControllers: readonly Controller<AKSNodeClass>[];
  readonly nodeControllers: readonly Controller<Node>[];
  readonly singletons: readonly SingletonController[];
  /**
   * Reads sizes and reservations once, so that the first plan has a catalog; prices come when they come. Until the
   * signal is aborted launches are followed. Throws `ArmError` when Azure cannot be reached or refuses, `StartError`
   * when the region sells no sizes.
   */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when no accepted launch is being followed. */
  idle(): Promise<void>;
}

/** A region that nobody has lists no sizes, without a word; and without one nothing can ever be launched. */
const requireSizes = ({ catalog, options: { location } }: Pick<ProviderContext, 'catalog' | 'options'>): void => {
  if (catalog.skus.size > 0) return;
  throw new StartError(`Azure lists no VM sizes in LOCATION "${location}": expected a region of this cloud, such as eastus`);
};

/** A failure to read says nothing: the first machine shows it. */
const warnOfMissingPool = async (
  { aksMachines, options, logger }: Pick<ProviderContext, 'aksMachines' | 'options' | 'logger'>,
  signal: AbortSignal,
): Promise<void> => {
  const isThere = await aksMachines?.isThere(signal).catch(() => true);
  if (isThere !== false) return;
  const { message, fields } = missingPoolWarning(options);
  logger.warn(message, fields);
};

/** The provider for AKS with its own controllers. Throws `AzureEnvironmentError` when the environment file cannot be read. */
export const createAzureProvider = (source: AzureProviderSource): AzureProvider => {
  const lifetime = new AbortController();
  const context = assembleContext(source, lifetime.signal);
  const { follower, kube } = context;
  const prices = priceKeeper(context);
  const skus = skuKeeper(context);
  const reservations = reservationKeeper(context);
  const subnetSpace = subnetSpaceKeeper({ ...context, metrics: source.metrics });
  return {
    provider: reportingRefusedDeletes(azureProvider(context), source.events),
    nodeClassControllers: [
      nodeClassStatus({
        ...{ ...context, images: imageDiscovery(context), serverVersion: source.serverVersion },
        caBundle: source.options.clusterCaBundle ?? source.caBundle,
      }),
      nodeClassHashing({ kind: aksNodeClassKind, hash: nodeClassHash, kube }),
      nodeClassTermination({ kind: aksNodeClassKind, finalizer: NODE_CLASS_FINALIZER, kube, events: source.events }),
      triedSizes(context),
      inPlaceUpdate(context),
    ],
    nodeControllers: [memoryLearning(context)],
    singletons: [
      ...[skus.controller, prices.controller, quotaRefresh(context), machineMaintenance(context), nicAndDiskCollection(context)],
      ...[reservations.controller, reservationDemotion(context), subnetSpace.controller],
    ],
    start: async (signal) => {
      const stop = (): void => {
        follower.stop();
        lifetime.abort();
      };
      signal.addEventListener('abort', stop, { once: true });
      // Not waited for: the prices of this version order sizes well enough, and a price server that is silent keeps
      // nobody from a node.
      prices.refresh(signal).catch((error: unknown) => {
        if (!signal.aborted) context.logger.error('prices could not be read; the last ones stay', { error });
      });
      await readOfferedVersions(context, signal);
      await Promise.all([skus.refresh(signal), reservations.refresh(signal), warnOfMissingPool(context, signal)]);
      requireSizes(context);
      for (const { message, fields } of startWarningsOf(context.options, context.catalog)) context.logger.warn(message, fields);
    },
    idle: () => follower.idle(),
  };
};
