import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodePool } from '@karpenter/core';
import { fakeClock, type FakeClock, type Logger } from '@karpenter/runtime';
import {
  type ArmCertificates,
  type ArmEmulator,
  type ArmEmulatorOptions,
  createArmCertificates,
  EVERY_BEHAVIOUR,
  EVERYDAY_SIZES,
  type ReservationOrder,
  startArmEmulator,
} from '@karpenter/azure-emulator';
import type { AKSNodeClass } from '../apis/index.ts';
import { type AzureOptions, parseAzureOptions } from '../options/index.ts';
import type { ReachSource } from '../preflight/reach.ts';
import { type AzureProvider, createAzureProvider } from '../plugin/create-azure-provider.ts';
import { FakeCluster, type NamedObject } from './fake-cluster.ts';
import { type Observed, observing } from './observed.ts';
import { roundOf } from './maintenance.ts';

/** Options of a call that nobody aborts. */
export const unendingCall = { signal: new AbortController().signal };

/** The provider, the Azure that it talks to, and a cluster with a NodeClass and a pool, on a fake clock. */
export interface AzureWorld extends AsyncDisposable {
  readonly arm: ArmEmulator;
  readonly clock: FakeClock;
  readonly cluster: FakeCluster;
  /** Events, metrics and logs of all providers of this world. */
  readonly observed: Observed;
  /** A provider with no memory, as after a restart, and with the prices of its Azure: the one before is no more. */
  provider(variables?: Readonly<Record<string, string>>): Promise<AzureProvider>;
  /** What a preflight of this world reads. */
  preflightSource(variables?: Readonly<Record<string, string>>): Pick<ReachSource, 'options' | 'variables' | 'clock' | 'caPem'>;
  /** Lets time pass until the promise is settled. */
  passing<T>(promise: Promise<T>): Promise<T>;
  /** Lets time pass until it is so. */
  until(isSo: () => boolean): Promise<void>;
}

export const aNodeClass = (): AKSNodeClass & NamedObject => ({
  apiVersion: 'karpenter.azure.com/v1beta1',
  kind: 'AKSNodeClass',
  metadata: { name: 'default', generation: 1 },
  spec: { imageFamily: 'Ubuntu2204', osDiskSizeGB: 128, tags: { team: 'web/shop' } },
});

export const aPool: NodePool & NamedObject = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' } } } },
};

/** What a mode of provisioning needs beside its name. */
const environmentFor = (arm: ArmEmulator, mode: string | undefined): Readonly<Record<string, string>> =>
  mode?.startsWith('aksmachineapi') === true
    ? { USE_SIG: 'true', SIG_SUBSCRIPTION_ID: arm.account.imageSubscriptionId, AKS_MACHINES_POOL_NAME: arm.account.machinesPoolName }
    : {};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const environmentOf = (arm: ArmEmulator, path: string): Record<string, string> => ({
  CLUSTER_NAME: arm.account.clusterName,
  CLUSTER_ENDPOINT: 'https://api.example:443',
  KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
  SSH_PUBLIC_KEY: 'ssh-rsa AAAA',
  VNET_SUBNET_ID: arm.account.subnetId,
  AZURE_NODE_RESOURCE_GROUP: arm.account.nodeResourceGroup,
  ARM_RESOURCE_GROUP: arm.account.clusterResourceGroup,
  NODEBOOTSTRAPPING_SERVER_URL: arm.nodeBootstrappingUrl,
  LOCATION: arm.account.location,
  ARM_SUBSCRIPTION_ID: arm.account.subscriptionId,
  ARM_TENANT_ID: arm.account.tenantId,
  DNS_SERVICE_IP: '10.0.0.10',
  AZURE_ENVIRONMENT_FILEPATH: path,
  AZURE_CLIENT_ID: arm.account.clientId,
  AZURE_CLIENT_SECRET: arm.account.clientSecret,
});

/** Lets the controllers of NodeClasses see the class once. */
export const resolveClasses = async (azure: AzureProvider, cluster: FakeCluster): Promise<void> => {
  for (const controller of azure.nodeClassControllers) {
    const nodeClass = cluster.nodeClass();
    if (nodeClass !== undefined) await controller.reconcile(nodeClass, unendingCall);
  }
};

const passingOn =
  (clock: FakeClock): AzureWorld['passing'] =>
  async (promise) => {
    let isSettled = false;
    const done = promise.finally(() => (isSettled = true));
    done.catch(() => undefined);
    while (!isSettled) {
      await turn();
      await clock.advance(20);
    }
    return done;
  };

const untilOn =
  (clock: FakeClock): AzureWorld['until'] =>
  async (isSo) => {
    while (!isSo()) {
      await turn();
      await clock.advance(100);
    }
  };

const optionsOf = (env: Readonly<Record<string, string>>): AzureOptions => {
  const parsed = parseAzureOptions({ env, flags: {} });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return parsed.options;
};

const reachSourceOf = (variables: Readonly<Record<string, string>>, clock: FakeClock, caPem: string) => ({
  ...{ options: optionsOf(variables), variables, clock, caPem },
});

/** As Azure answers where nobody else writes at the same time and every feature is registered. */
const AZURE_ALONE = { ...EVERY_BEHAVIOUR, ownImageVersions: false, missingFeatures: [], networkWrites: undefined };

let shared: Promise<ArmCertificates> | undefined;

/** What is different from a world of defaults. */
export interface WorldOptions extends Partial<Omit<ArmEmulatorOptions, 'clock' | 'certificates'>> {
  /** Name of the environment: one of Azure's own clouds has the billing extension. */
  readonly cloud?: string;
  /** Environment variables of the controller. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Called before each warning is logged. */
  readonly onWarning?: (message: string) => void;
  /** Capacity reservations in Azure; the controller gets their groups as options. */
  readonly reserved?: readonly ReservationOrder[];
}

const heardBy = (logger: Logger, onWarning: WorldOptions['onWarning']): Logger => ({
  ...logger,
  warn: (message, fields) => {
    onWarning?.(message);
    logger.warn(message, fields);
  },
});

/** A new world; all worlds of one process share their certificates, which are slow to make. */
export const azureWorld = async ({ cloud, variables, onWarning, reserved = [], ...azure }: WorldOptions = {}): Promise<AzureWorld> => {
  const clock = fakeClock();
  const certificates = await (shared ??= createArmCertificates());
  const arm = await startArmEmulator({ behaviours: AZURE_ALONE, sizes: EVERYDAY_SIZES, ...azure, clock, certificates });
  (globalThis as { readonly secretsOfTest?: string[] }).secretsOfTest?.push(arm.account.clientSecret);
  const folder = await mkdtemp(join(tmpdir(), 'azure-'));
  const path = join(folder, 'environment.json');
  await writeFile(path, JSON.stringify({ ...arm.environmentFile(), ...(cloud !== undefined && { name: cloud }) }));
  const cluster = new FakeCluster();
  cluster.put(aNodeClass());
  cluster.put(aPool);
  const groups = { CAPACITY_RESERVATION_GROUPS: [...new Set(reserved.map((order) => arm.reservations.reserve(order)))].join() };
  const environment = { ...environmentOf(arm, path), ...groups, ...environmentFor(arm, variables?.['PROVISION_MODE']), ...variables };
  let lifetime = new AbortController();
  const { observed, ears } = observing();
  const passing = passingOn(clock);
  return {
    arm,
    clock,
    cluster,
    observed,
    passing,
    until: untilOn(clock),
    preflightSource: (more = {}) => reachSourceOf({ ...environment, ...more }, clock, arm.caPem),
    provider: async (more = {}) => {
      lifetime.abort();
      lifetime = new AbortController();
      const azure = createAzureProvider({
        options: optionsOf({ ...environment, ...more }),
        kube: cluster.kube(),
        caBundle: 'Y2E=',
        serverVersion: () => Promise.resolve('v1.33.4'),
        clock,
        ...ears,
        logger: heardBy(ears.logger, onWarning),
        variables: environment,
        caPem: arm.caPem,
      });
      await passing(azure.start(lifetime.signal));
      await passing(roundOf(azure, 'pricing'));
      await passing(resolveClasses(azure, cluster));
      return azure;
    },
    [Symbol.asyncDispose]: async () => {
      lifetime.abort();
      await arm.close();
      await rm(folder, { recursive: true });
    },
  };
};

/** One pass of the controller that updates machines in place. */
export const updateInPlace = async (world: AzureWorld, azure: AzureProvider) => {
  const controller = azure.nodeClassControllers.find(({ name }) => name === 'nodeclaim.inplaceupdate');
  const nodeClass = world.cluster.nodeClass();
  if (controller === undefined || nodeClass === undefined) throw new Error('nothing to update');
  return world.passing(controller.reconcile(nodeClass, unendingCall));
};
