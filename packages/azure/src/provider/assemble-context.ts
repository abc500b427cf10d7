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
import { subscriptionApi } from '../arm/subscription-api.ts';
import { clusterLabelOf, instanceTypeCatalog, unavailableOfferings } from '../catalog/index.ts';
import {
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
import { azureMetrics, reportCircuits, reportReservations } from './azure-metrics.ts';
import type { AzureKube } from './azure-kube.ts';
import type { AzureProviderSource } from './azure-provider-source.ts';
import { bootstrappingServiceOf } from './bootstrapping-service-of.ts';
import { clusterFacts } from './cluster-facts.ts';
import { completingMachines } from './launch/complete-machine.ts';
import { launchAttemptOf } from './launch/launch-attempt.ts';
import { launchFollower } from './launch/launch-follower.ts';
import { launchingAksMachines, launchingVms } from './launch/launching.ts';
import { launchTries } from './launch/launch-tries.ts';
import { preparingAlone, preparingByService } from './launch/node-preparation.ts';
import type { Launching, ProviderContext } from './provider-context.ts';
import { scriptAgain } from './launch/script-again.ts';
import { type NodeStarterSource, selfStarting, startedByExtension } from './launch/start-node.ts';

interface Reach {
  readonly environment: AzureEnvironment;
  readonly credential: TokenCredential;
}

interface Reached {
  readonly clients: ArmClients;
  readonly versions: ApiVersions;
}

const versionsOf = ({ options, logger }: AzureProviderSource): ApiVersions =>
  apiVersions({
    chosen: options.apiVersions,
    onFallback: ({ type, wanted, used, lacks }) =>
      logger.warn('calls are made at another api-version than was wanted', { type, wanted, used, lacks: lacks ?? 'nothing known' }),
  });

const reachedBy = (source: AzureProviderSource, { environment, credential }: Reach): Reached => {
  const { options, clock, caPem, logger } = source;
  const { subscriptionId, sharedGalleries, logsSdkCalls } = options;
  const sdkLogger = logsSdkCalls ? logger : undefined;
  const versions = versionsOf(source);
  const calls = { environment, subscriptionId, credential, clock, sharedGalleries, caPem, sdkLogger };
  return { clients: armClients({ ...calls, apiVersions: versions }), versions };
};

const armOf = ({ options, clock, caPem, logger }: AzureProviderSource, { environment }: Reach, clients: ArmClients): ArmApi => {
  const retailPricesUrl = options.retailPricesUrl ?? environment.retailPricesEndpoint;
  return createArmApi(clients, { ...options, retailPricesUrl, caPem, logger }, clock);
};

/** How nodes learn what they are to be, and who starts them. */
const nodesOf = (
  source: AzureProviderSource,
  { environment, credential }: Reach,
  starting: Omit<NodeStarterSource, 'location' | 'logger'>,
): Pick<ProviderContext, 'prepare' | 'starter'> => {
  const { options, clock, logger, caPem } = source;
  const service = bootstrappingServiceOf({ options, environment, credential, clock, caPem });
  if (service === undefined) return { prepare: preparingAlone, starter: selfStarting };
  return { prepare: preparingByService(service), starter: startedByExtension({ ...starting, location: options.location, logger }) };
};

interface Making {
  readonly backend: MachineStock;
  readonly launching: Launching;
  readonly pool: AksMachines | undefined;
}

interface MakingParts {
  readonly vms: MachineBackend;
  readonly lifetime: AbortSignal;
}

/** How machines are made. Those of another way stay known: VMs always, machines of an agent pool where that is said. */
const makingOf = ({ options, clock, logger }: AzureProviderSource, clients: ArmClients, { vms, lifetime }: MakingParts): Making => {
  const { provisioning } = options;
  const agentPool = agentPoolOf(options);
  if (agentPool === undefined) return { backend: vms, launching: launchingVms(vms), pool: undefined };
  const isUsed = provisioning.kind === 'aksmachineapi';
  const batching = isUsed ? provisioning.batching : undefined;
  const arm = aksMachineCalls(clients, { ...options, ...agentPool, batching, logger }, clock);
  const machines = aksMachineBackend({ arm, scope: options, lifetime });
  return {
    backend: isUsed ? joinedStock(machines, vms) : joinedStock(vms, machines),
    launching: isUsed ? launchingAksMachines(machines) : launchingVms(vms),
    pool: aksMachines({ arm, scope: options, poolName: agentPool.poolName, clock }),
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

/** What the parts of the provider share. Throws `AzureEnvironmentError`. */
export const assembleContext = (source: AzureProviderSource, lifetime: AbortSignal): ProviderContext => {
  const { options, kube, clock, logger } = source;
  const environment = azureEnvironmentOf(options.cloud);
  const reach = { environment, credential: credentialOf({ environment, tenantId: options.tenantId, ...source }) };
  const { clients, versions } = reachedBy(source, reach);
  const arm = armOf(source, reach, clients);
  const { location, vmMemoryOverheadPercent } = options;
  const unavailable = unavailableOfferings(clock);
  const reservations = new ReservationBook(options, clock);
  reportReservations(source.metrics, reservations);
  const subnets = new NodeSubnets({
    ...{ arm, clock, logger },
    addressedWithinMs: options.provisioning.kind === 'aksmachineapi' ? 300_000 : 0,
  });
  const settings = { location, vmMemoryOverheadPercent, clusterLabel: clusterLabelOf(options.nodeResourceGroup) };
  const extensions = extensionsOf(options, environment);
  const { backend, launching, pool } = makingOf(source, clients, { vms: vmBackend({ arm, location, lifetime }), lifetime });
  const complete = completingMachines({ arm, location, logger, hasBillingExtension: environment.hasBillingExtension });
  const nodes = nodesOf(source, reach, { arm, scriptOf: (claimName, signal) => scriptAgain(context, claimName, signal) });
  const metrics = azureMetrics(source.metrics);
  reportCircuits(source.metrics, clients.circuits);
  const follower = launchFollower({
    ...{ backend, unavailable, subnets, logger, failures: metrics.launchesFailed },
    attemptOf: (vm) => launchAttemptOf(context.catalog, location, vm),
    complete: async (machine, signal) => {
      if (isTaggedAsOfPool(machine.tags)) return;
      await nodes.starter.start(machine, signal);
      await complete(machine, signal);
    },
    hasJoined: (claimName, signal) => hasJoined(kube, claimName, signal),
    onLaunchFailed: (failure, signal) => reportFailedLaunch(kube, failure, { signal }),
  });
  const context: ProviderContext = {
    ...{ options, arm, backend, unavailable, subnets, reservations, kube, clock, logger, complete, extensions, follower },
    ...metrics,
    ...nodes,
    versions,
    subscription: subscriptionApi(clients, options.subscriptionId, clock),
    launching,
    aksMachines: pool,
    caBundle: options.clusterCaBundle ?? source.caBundle,
    machines: machineList(arm, options, pool),
    catalog: instanceTypeCatalog({ ...options, settings, prices: staticPricesOf(location), unavailable, reservations, clock }),
    network: networkFacts(arm, clock),
    facts: clusterFacts({ options, kube, arm }),
    tries: launchTries(clock),
    spotScores: options.usesSpotPlacementScores ? new SpotScores({ arm, clock, logger }) : undefined,
  };
  return context;
};
