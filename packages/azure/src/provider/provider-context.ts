import type { Clock, Logger } from '@karpenter/runtime';
import type { ApiVersions } from '../arm/api-versions/api-versions.ts';
import type { ArmApi } from '../arm/arm-api.ts';
import type { SubscriptionApi } from '../arm/subscription-api.ts';
import type { InstanceTypeCatalog, UnavailableOfferings } from '../catalog/index.ts';
import type { AksMachines, MachineList, MachineStock, NetworkFacts, NodeSubnets, SpotScores, ToldOfLaunch } from '../machines/index.ts';
import type { AzureOptions } from '../options/index.ts';
import type { ReservationBook } from '../reservations/index.ts';
import type { AzureKube } from './azure-kube.ts';
import type { AzureMetrics } from './azure-metrics.ts';
import type { ReadClusterFacts } from './cluster-facts.ts';
import type { CompleteMachine } from './launch/complete-machine.ts';
import type { LaunchFollower } from './launch/launch-follower.ts';
import type { MachineLaunch } from './launch/launch-source.ts';
import type { LaunchTries } from './launch/launch-tries.ts';
import type { NodePreparation } from './launch/node-preparation.ts';
import type { NodeStarter } from './launch/start-node.ts';

/** Asks Azure for the machine of a launch. Throws `ArmError`, and what keeps the launch from being asked for. */
export type Launching = (context: ProviderContext, launch: MachineLaunch, signal: AbortSignal) => Promise<ToldOfLaunch | 'exists'>;

/** What the parts of the provider share. */
export interface ProviderContext extends AzureMetrics {
  readonly options: AzureOptions;
  /** Base64 of PEM: whom nodes trust as API server. */
  readonly caBundle: string;
  readonly arm: ArmApi;
  readonly subscription: SubscriptionApi;
  readonly versions: ApiVersions;
  readonly backend: MachineStock;
  readonly launching: Launching;
  /** Machines of the agent pool; absent: there are none. */
  readonly aksMachines: AksMachines | undefined;
  readonly machines: MachineList;
  readonly catalog: InstanceTypeCatalog;
  readonly unavailable: UnavailableOfferings;
  readonly reservations: ReservationBook;
  readonly network: NetworkFacts;
  readonly subnets: NodeSubnets;
  /** Absent: spot sizes are chosen by price alone. */
  readonly spotScores: SpotScores | undefined;
  readonly facts: ReadClusterFacts;
  readonly kube: AzureKube;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly follower: LaunchFollower;
  readonly complete: CompleteMachine;
  readonly prepare: NodePreparation;
  readonly starter: NodeStarter;
  /** Names of the extensions that machines have. */
  readonly extensions: readonly string[];
  /** Claims that this process has tried to launch, and when it began. */
  readonly tries: LaunchTries;
}
