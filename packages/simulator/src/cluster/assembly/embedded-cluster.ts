import type { ArmEmulator, ArmEmulatorOptions, NodeBootstrap } from '@karpenter/azure-emulator';
import type { Clock } from '@karpenter/runtime';
import type { AccessControl, Faults, LocalApi } from '@karpenter/api-server';
import type { KubeletHost } from '../kubelet/kubelet-host.ts';
import type { KubeletDelays } from '../kubelet/kubelet-delays.ts';
import type { CloudView } from '../nodes/cloud-view.ts';
import type { FailedBootstrap } from './join-azure.ts';
import type { SystemPool } from './system-pool.ts';

/** How an embedded cluster is started. */
export interface EmbeddedClusterOptions {
  /** Default the machine's clock. */
  readonly clock?: Clock | undefined;
  /** How many times as fast as `clock` the cluster lives. Default 1. */
  readonly speed?: number | undefined;
  /** Port of the API server; default any free one. */
  readonly port?: number | undefined;
  /** CustomResourceDefinitions: YAML text (several documents allowed), or paths of files with it. */
  readonly crds?: readonly string[] | undefined;
  /** The Azure beside the cluster; false for none. Default one in `eastus`. */
  readonly azure?: Omit<ArmEmulatorOptions, 'clock'> | false | undefined;
  /** Nodes that are there before Karpenter, with what AKS itself runs; false for an empty cluster. Default two. */
  readonly systemPool?: SystemPool | false | undefined;
  readonly delays?: Partial<KubeletDelays> | undefined;
  /** Whether roles and their bindings decide who may do what. Default `AlwaysAllow`: everybody may everything. */
  readonly authorization?: 'AlwaysAllow' | 'RBAC' | undefined;
  /**
   * Whether owner references are held to the rights of those who write them, as the admission plugin
   * OwnerReferencesPermissionEnforcement does. Default false, as in kube-apiserver.
   */
  readonly ownerReferencesPermissionEnforcement?: boolean | undefined;
}

/** A running cluster: API server, control plane, kubelets, and an Azure in which its nodes are VMs. */
export interface EmbeddedCluster extends AsyncDisposable {
  readonly apiUrl: string;
  /** The file that `KUBECONFIG` names. */
  readonly kubeconfigPath: string;
  kubeconfig(): string;
  readonly local: LocalApi;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly access: AccessControl;
  /** The API server answers as this version of Kubernetes from now on: `1.36.0`. Nodes keep theirs. */
  upgrade(version: string): void;
  /** Boots machines of one's own, outside Azure. */
  readonly kubelets: KubeletHost;
  readonly arm: ArmEmulator | undefined;
  /** VMs whose customData made no node. */
  readonly failedBootstraps: readonly FailedBootstrap[];
  /** Node → what its VM started with. */
  readonly bootstraps: ReadonlyMap<string, NodeBootstrap>;
  /** Environment variables for a process that is to manage this cluster. */
  environment(): Readonly<Record<string, string>>;
  /** Lets the cloud controller ask another cloud too, such as that of `createSimulatedCloudProvider`. */
  addCloud(cloud: CloudView): void;
  /** Creates objects of YAML text (several documents), as `kubectl create -f` would. */
  create(yaml: string): void;
  stop(): Promise<void>;
}
