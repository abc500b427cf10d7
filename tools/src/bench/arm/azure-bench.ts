import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AKSNodeClass, type AzureProvider, createAzureProvider, parseAzureOptions } from '@karpenter/azure';
import type { NodeClaim } from '@karpenter/core';
import { type ArmEmulator, startArmEmulator } from '@karpenter/azure-emulator';
import { type Clock, scaledClock, systemClock } from '@karpenter/runtime';
import { armObjectStore } from './object-store.ts';

/** Machines come in seconds instead of minutes; the pace of calls is scaled alike. */
const SPEED = 10;
const call = { signal: new AbortController().signal };
/** Nobody listens to the events of the provider. */
const unheard = {
  logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  events: { record: () => undefined },
  metrics: {
    counter: () => ({ increment: () => undefined }),
    gauge: () => ({ set: () => undefined }),
  },
};

const nodeClass: AKSNodeClass = {
  apiVersion: 'karpenter.azure.com/v1beta1',
  kind: 'AKSNodeClass',
  metadata: { name: 'default', generation: 1 },
};

/** Ways to make machines that are measured. */
export type BenchMode = 'aksscriptless' | 'aksmachineapi' | 'aksmachineapiheaderbatch';

/** The provider and an Azure that throttles, on one fast clock. */
export interface AzureBench extends AsyncDisposable {
  readonly mode: BenchMode;
  readonly arm: ArmEmulator;
  readonly clock: Clock;
  readonly azure: AzureProvider;
  /** Makes a NodeClaim and its machine, again and again where it has to wait, as core does. */
  launch(name: string): Promise<void>;
}

/** What machines of an agent pool need beside. */
const poolOf = ({ account }: ArmEmulator): Readonly<Record<string, string>> => ({
  ARM_RESOURCE_GROUP: account.clusterResourceGroup,
  AKS_MACHINES_POOL_NAME: account.machinesPoolName,
  USE_SIG: 'true',
  SIG_SUBSCRIPTION_ID: account.imageSubscriptionId,
});

const environmentOf = async (arm: ArmEmulator, folder: string, mode: BenchMode): Promise<Record<string, string>> => {
  const { account } = arm;
  const path = join(folder, 'environment.json');
  // By this name the provider takes it for a cloud with a billing extension, whose calls are to be counted too.
  await writeFile(path, JSON.stringify({ ...arm.environmentFile(), name: 'AzurePublicCloud' }));
  return {
    CLUSTER_NAME: account.clusterName,
    CLUSTER_ENDPOINT: 'https://api.example:443',
    KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
    SSH_PUBLIC_KEY: 'ssh-rsa AAAA',
    VNET_SUBNET_ID: account.subnetId,
    AZURE_NODE_RESOURCE_GROUP: account.nodeResourceGroup,
    LOCATION: account.location,
    ARM_SUBSCRIPTION_ID: account.subscriptionId,
    ARM_TENANT_ID: account.tenantId,
    DNS_SERVICE_IP: '10.0.0.10',
    AZURE_ENVIRONMENT_FILEPATH: path,
    AZURE_CLIENT_ID: account.clientId,
    AZURE_CLIENT_SECRET: account.clientSecret,
    PROVISION_MODE: mode,
    ...(mode !== 'aksscriptless' && poolOf(arm)),
  };
};

const claimOf = (name: string, nowMs: number): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name, labels: { 'karpenter.sh/nodepool': 'general' }, creationTimestamp: new Date(nowMs).toISOString() },
  spec: {
    requirements: [
      { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['Standard_D2s_v3'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
    ],
    nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
    resources: { requests: { cpu: '1', memory: '1Gi' } },
  },
});

const retryAfterMsOf = (error: unknown): number =>
  error instanceof Error && 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : 1000;

/** Starts both, with one class that is ready. */
export const startAzureBench = async (mode: BenchMode): Promise<AzureBench> => {
  const clock = scaledClock(systemClock, SPEED);
  const arm = await startArmEmulator({ clock, throttling: true });
  const folder = await mkdtemp(join(tmpdir(), 'bench-arm-'));
  const variables = await environmentOf(arm, folder, mode);
  const parsed = parseAzureOptions({ env: variables, flags: {} });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  const store = armObjectStore(nodeClass);
  const lifetime = new AbortController();
  const { options } = parsed;
  const serverVersion = () => Promise.resolve('v1.33.4');
  const world = { ...unheard, kube: store.kube, caBundle: 'Y2E=', serverVersion, clock, variables };
  const azure = createAzureProvider({ ...world, options, caPem: arm.caPem });
  await azure.start(lifetime.signal);
  for (const controller of azure.nodeClassControllers) {
    const known = await store.kube.get<AKSNodeClass>('AKSNodeClass', { name: 'default' }, call);
    if (known !== undefined) await controller.reconcile(known, call);
  }
  const launch = async (name: string): Promise<void> => {
    const claim = claimOf(name, clock.now());
    store.put(claim);
    for (;;) {
      try {
        await azure.provider.create(claim, call);
        return;
      } catch (error) {
        await clock.sleep(retryAfterMsOf(error));
      }
    }
  };
  return {
    mode,
    arm,
    clock,
    azure,
    launch,
    [Symbol.asyncDispose]: async () => {
      lifetime.abort();
      await arm.close();
      await rm(folder, { recursive: true });
    },
  };
};
