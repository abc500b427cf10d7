import { join } from 'node:path';
import { type ControlPlanePrograms, startControlPlanePrograms } from '@karpenter/kube-api-contract/programs';
import { type ArmEmulator, type ArmEmulatorOptions, startArmEmulator } from '@karpenter/azure-emulator';
import { karpenterKinds } from '@karpenter/core/controllers';
import {
  type ClusterConnection,
  createKubeClient,
  createTransport,
  type KubeClient,
  kindTable,
  type ResourceKind,
  systemClock,
} from '@karpenter/runtime';
import { azureEnvironment } from '../cluster/assembly/azure-environment.ts';
import { type FailedBootstrap, joinAzure } from '../cluster/assembly/join-azure.ts';
import { createWorkingFolder } from '../cluster/assembly/working-folder.ts';
import { crdKind, installCrds } from './install-crds.ts';
import { hollowKubelets } from './hollow-kubelets.ts';
import { startRemoteNodes } from './remote-nodes.ts';

export interface RealClusterOptions {
  /** The folder of `etcd`, `kube-apiserver`, `kube-controller-manager` and `kube-scheduler`. */
  readonly assets: string;
  /** CustomResourceDefinitions as YAML text, several documents allowed; served when the cluster has started. */
  readonly crds?: readonly string[] | undefined;
  /** What `client` reads and writes beside the kinds that Karpenter and this cluster know. */
  readonly kinds?: readonly ResourceKind[] | undefined;
  readonly azure?: Omit<ArmEmulatorOptions, 'clock'> | undefined;
  /** Gates that are on beside those that Kubernetes turns on itself. */
  readonly featureGates?: readonly string[] | undefined;
  /** The program `hollow-kubelet`: nodes register and run their pods by it. Default: what stands in for kubelets here. */
  readonly hollowKubelet?: string | undefined;
}

/**
 * Kubernetes' own control plane in processes of its own, over nodes and an Azure that are made up. Disposing ends all
 * of it.
 */
export interface RealCluster extends AsyncDisposable {
  /** The file that `KUBECONFIG` names. */
  readonly kubeconfigPath: string;
  readonly programs: ControlPlanePrograms;
  readonly client: KubeClient;
  readonly arm: ArmEmulator;
  readonly failedBootstraps: readonly FailedBootstrap[];
  /** What kubelets could not do, with its cause; they tried again a second later. */
  readonly troubles: readonly unknown[];
  /** Environment variables for a process that is to manage this cluster. */
  environment(): Readonly<Record<string, string>>;
}

const ownKinds: readonly ResourceKind[] = [
  crdKind,
  { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
];

const connectionTo = ({ url, ca, token }: ControlPlanePrograms): ClusterConnection => ({
  server: url,
  tls: { ca },
  credentials: {
    headers: () => Promise.resolve({ authorization: `Bearer ${token}` }),
    refresh: () => Promise.resolve(),
  },
});

/**
 * Starts the programs of a real control plane, and an Azure in this process whose VMs become its nodes. Also starts
 * what stands in for their kubelets and for the cloud's own controller. Time is real.
 */
export const startRealCluster = async (options: RealClusterOptions): Promise<RealCluster> => {
  const { assets, crds = [], kinds = [], azure = {}, featureGates, hollowKubelet } = options;
  await using started = new AsyncDisposableStack();
  const clock = systemClock;
  const programs = started.use(await startControlPlanePrograms(assets, { featureGates }));
  const folder = started.use(createWorkingFolder());
  const arm = await startArmEmulator({ ...azure, clock });
  started.defer(() => arm.close());
  const transport = createTransport(connectionTo(programs), { clock });
  started.defer(() => transport.close());
  const client = createKubeClient(transport, kindTable([...karpenterKinds, ...ownKinds, ...kinds]));
  await installCrds(client, crds);
  const nodes = started.use(startRemoteNodes(client, clock));
  const { kubeconfigPath } = programs;
  const hollow =
    hollowKubelet === undefined
      ? undefined
      : started.use(hollowKubelets({ program: hollowKubelet, kubeconfigPath, folder: join(programs.folder, 'kubelets') }));
  const joined = started.use(
    joinAzure({
      arm,
      kubelets: hollow ?? nodes,
      onScheduledEvent: (event) => {
        nodes.handleScheduledEvent(event);
      },
    }),
  );
  nodes.watchOver(joined.cloud);
  const variables = { KUBECONFIG: kubeconfigPath, SYSTEM_NAMESPACE: 'kube-system', ...azureEnvironment(arm, programs.url, folder) };
  const running = started.move();
  return {
    ...{ kubeconfigPath, programs, client, arm, failedBootstraps: joined.failedBootstraps, troubles: nodes.troubles },
    environment: () => variables,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
};
