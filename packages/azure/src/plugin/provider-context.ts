import type { TokenCredential } from '@azure/core-auth';
import { isConditionTrue, type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { reportFailedLaunch } from '@karpenter/core/provider-kit';
import type { ArmApi } from '../arm/arm-api.ts';
import { aksMachineCalls } from '../arm/aks-machines/aks-machine-calls.ts';
import { type ApiVersions, apiVersions } from '../arm/api-versions/api-versions.ts';
import { type ArmClients, armClients } from '../arm/arm-clients.ts';
import { type AzureEnvironment, azureEnvironmentOf } from '../arm/azure-environment.ts';
import { createArmApi } from '../arm/create-arm-api.ts';
import { credentialOf } from '../arm/sign-in/credential.ts';
import { type SubscriptionApi, subscriptionApi } from '../arm/subscription-api.ts';
import { clusterLabelOf, instanceTypeCatalog, type UnavailableOfferings, unavailableOfferings } from '../catalog/index.ts';
import {
  type AksMachineOrder,
  type AksMachines,
  aksMachineBackend,
  aksMachines,
  BILLING_EXTENSION,
  isTaggedAsOfPool,
  joinedStock,
  type MachineBackend,
  type MachineStock,
  machineList,
  networkFacts,
  NodeSubnets,
  SCRIPT_EXTENSION,
  SpotScores,
  vmBackend,
} from '../machines/index.ts';
import { agentPoolOf, type AzureOptions } from '../options/index.ts';
import { staticPricesOf } from '../pricing/index.ts';
import { ReservationBook } from '../reservations/index.ts';
import { type AzureMetrics, azureMetrics, reportCircuits, reportReservations } from '../provider/azure-metrics.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import type { AzureProviderSource } from '../provider/azure-provider-source.ts';
import { bootstrappingServiceOf } from '../provider/bootstrapping-service-of.ts';
import { clusterFacts } from '../provider/cluster-facts.ts';
import { type CompleteMachine, completingMachines } from '../provider/launch/machine-completion.ts';
import type { Launcher } from '../provider/launch/create-machine.ts';
import { launchAttemptOf } from '../provider/launch/launch-attempt.ts';
import { type LaunchFollower, launchFollower } from '../provider/launch/launch-follower.ts';
import { launchingAksMachines, launchingVms, type MachineRequest } from '../provider/launch/machine-request.ts';
import { launchTries } from '../provider/launch/launch-tries.ts';
import { type NodePreparation, preparingAlone, preparingByService } from '../provider/launch/node-preparation.ts';
import { type ScriptSource, scriptAgain } from '../provider/launch/script-rebuild.ts';
import { type NodeStarter, selfStarting, extensionStarter } from '../provider/launch/node-starter.ts';
import type { MachineInventory } from '../provider/machine-inventory.ts';

/** What calls to Azure are made with. */
type CallSource = Pick<AzureProviderSource, 'options' | 'clock' | 'caPem' | 'logger'>;

interface Reach {
  readonly environment: AzureEnvironment;
  readonly credential: TokenCredential;
}

interface Reached {
  readonly clients: ArmClients;
  readonly versions: ApiVersions;
}

const versionsOf = ({ options, logger }: Pick<CallSource, 'options' | 'logger'>): ApiVersions =>
  apiVersions({
    chosen: options.apiVersions,
    onFallback: ({ type, wanted, used, lacks }) =>
      logger.warn('calls are made at another api-version than was wanted', { type, wanted, used, lacks: lacks ?? 'nothing known' }),
  });

const reachedBy = (source: CallSource, { environment, credential }: Reach): Reached => {
  const { options, clock, caPem, logger } = source;
  const { subscriptionId, sharedGalleries, logsSdkCalls } = options;
  const sdkLogger = logsSdkCalls ? logger : undefined;
  const versions = versionsOf(source);
  const calls = { environment, subscriptionId, credential, clock, sharedGalleries, caPem, sdkLogger };
  return { clients: armClients({ ...calls, apiVersions: versions }), versions };
};

const armOf = ({ options, clock, caPem, logger }: CallSource, { environment }: Reach, clients: ArmClients): ArmApi => {
  const retailPricesUrl = options.retailPricesUrl ?? environment.retailPricesEndpoint;
  return createArmApi(clients, { ...options, retailPricesUrl, caPem, logger }, clock);
};

/** How nodes learn what they are to be. */
interface Nodes {
  readonly prepare: NodePreparation;
  readonly starter: NodeStarter;
}

const nodesOf = (
  source: CallSource,
  { environment, credential }: Reach,
  scriptSource: Omit<ScriptSource, 'prepare'> & { readonly arm: ArmApi },
): Nodes => {
  const { options, clock, logger, caPem } = source;
  const service = bootstrappingServiceOf({ options, environment, credential, clock, caPem });
  if (service === undefined) return { prepare: preparingAlone, starter: selfStarting };
  const prepare = preparingByService(service);
  const scriptOf = (claimName: string, signal: AbortSignal) => scriptAgain({ ...scriptSource, prepare }, claimName, signal);
  return { prepare, starter: extensionStarter({ arm: scriptSource.arm, location: options.location, logger, scriptOf }) };
};

interface Machines {
  readonly backend: MachineStock;
  readonly pool: AksMachines | undefined;
  /** Set: new machines are made in the agent pool. */
  readonly madeInPool: MachineBackend<AksMachineOrder> | undefined;
}

interface MachineParts {
  readonly vms: MachineBackend;
  readonly lifetime: AbortSignal;
}

/** Where machines are. Those of another way stay known: VMs always, machines of an agent pool where that is said. */
const machinesOf = (
  { options, clock, logger }: Omit<CallSource, 'caPem'>,
  clients: ArmClients,
  { vms, lifetime }: MachineParts,
): Machines => {
  const { provisioning } = options;
  const agentPool = agentPoolOf(options);
  if (agentPool === undefined) return { backend: vms, pool: undefined, madeInPool: undefined };
  const isUsed = provisioning.kind === 'aksmachineapi';
  const batching = isUsed ? provisioning.batching : undefined;
  const arm = aksMachineCalls(clients, { ...options, ...agentPool, batching, logger }, clock);
  const machines = aksMachineBackend({ arm, scope: options, lifetime });
  return {
    backend: isUsed ? joinedStock(machines, vms) : joinedStock(vms, machines),
    pool: aksMachines({ arm, scope: options, poolName: agentPool.poolName, clock }),
    madeInPool: isUsed ? machines : undefined,
  };
};

const hasJoined = async (kube: Pick<AzureKube, 'get'>, claimName: string, signal: AbortSignal): Promise<boolean> => {
  const claim = await kube.get<NodeClaim>('NodeClaim', { name: claimName }, { signal });
  return isConditionTrue(claim?.status?.conditions, nodeClaimConditions.registered);
};

const extensionsOf = ({ provisioning }: AzureOptions, { hasBillingExtension }: AzureEnvironment): readonly string[] => [
  ...(provisioning.kind === 'bootstrappingclient' ? [SCRIPT_EXTENSION] : []),
  ...(hasBillingExtension ? [BILLING_EXTENSION] : []),
];

/** What the provider and its controllers are made of. Only the composition has all of it: each part names what it uses. */
export interface ProviderContext extends Launcher, MachineInventory, AzureMetrics {
  readonly kube: AzureKube;
  readonly reservations: ReservationBook;
  readonly arm: ArmApi;
  readonly subscription: SubscriptionApi;
  readonly versions: ApiVersions;
  readonly unavailable: UnavailableOfferings;
  readonly complete: CompleteMachine;
}

type FollowerParts = Pick<ProviderContext, 'backend' | 'unavailable' | 'subnets' | 'catalog' | 'starter' | 'complete' | 'launchesFailed'>;

const followerOf = (
  { options, kube, logger }: Pick<AzureProviderSource, 'options' | 'kube' | 'logger'>,
  parts: FollowerParts,
): LaunchFollower => {
  const { backend, unavailable, subnets, catalog, starter, complete, launchesFailed } = parts;
  return launchFollower({
    ...{ backend, unavailable, subnets, logger, failures: launchesFailed },
    attemptOf: (vm) => launchAttemptOf(catalog, options.location, vm),
    complete: async (machine, signal) => {
      if (isTaggedAsOfPool(machine.tags)) return;
      await starter.start(machine, signal);
      await complete(machine, signal);
    },
    hasJoined: (claimName, signal) => hasJoined(kube, claimName, signal),
    onLaunchFailed: (failure, signal) => reportFailedLaunch(kube, failure, { signal }),
  });
};

/** Throws `AzureEnvironmentError`. */
export const assembleContext = (source: AzureProviderSource, lifetime: AbortSignal): ProviderContext => {
  const { options, kube, clock, logger } = source;
  const environment = azureEnvironmentOf(options.cloud);
  const reach = { environment, credential: credentialOf({ environment, tenantId: options.tenantId, ...source }) };
  const { clients, versions } = reachedBy(source, reach);
  const arm = armOf(source, reach, clients);
  const metrics = azureMetrics(source.metrics);
  const { location, vmMemoryOverheadPercent } = options;
  const unavailable = unavailableOfferings(clock);
  const reservations = new ReservationBook(options, clock);
  reportReservations(source.metrics, reservations);
  reportCircuits(source.metrics, clients.circuits);
  const settings = { location, vmMemoryOverheadPercent, clusterLabel: clusterLabelOf(options.nodeResourceGroup) };
  const catalog = instanceTypeCatalog({ ...options, settings, prices: staticPricesOf(location), unavailable, reservations, clock });
  const subnets = new NodeSubnets({
    ...{ arm, clock, logger },
    addressedWithinMs: options.provisioning.kind === 'aksmachineapi' ? 300_000 : 0,
  });
  const vms = vmBackend({ arm, location, lifetime });
  const { backend, pool, madeInPool } = machinesOf(source, clients, { vms, lifetime });
  const cluster = {
    caBundle: options.clusterCaBundle ?? source.caBundle,
    facts: clusterFacts({ options, kube, arm }),
    network: networkFacts(arm, clock),
  };
  const launchParts = { options, ...cluster, imageSelectionErrors: metrics.imageSelectionErrors };
  const { prepare, starter } = nodesOf(source, reach, { ...launchParts, arm, kube, backend, catalog, reservations });
  const request: MachineRequest =
    madeInPool === undefined
      ? launchingVms({ ...launchParts, backend: vms, prepare, starter })
      : launchingAksMachines(madeInPool, launchParts);
  const complete = completingMachines({ arm, location, logger, hasBillingExtension: environment.hasBillingExtension });
  const follower = followerOf(source, { backend, unavailable, subnets, catalog, starter, complete, ...metrics });
  return {
    ...{ options, arm, catalog, backend, unavailable, subnets, reservations, kube, clock, logger },
    ...{ versions, complete, follower, starter, request },
    ...metrics,
    subscription: subscriptionApi(clients, options.subscriptionId, clock),
    extensions: extensionsOf(options, environment),
    aksMachines: pool,
    machines: machineList(arm, options, pool),
    tries: launchTries(clock),
    spotScores: options.usesSpotPlacementScores ? new SpotScores({ arm, clock, logger }) : undefined,
  };
};
