import type { ApiObject } from '@karpenter/api-server';

/** A kind as `kubectl` names it in full. */
export type StageKind = 'Deployment' | 'DaemonSet' | 'Pod' | 'Node' | 'NodeClaim' | 'NodePool' | 'AKSNodeClass';

/** What machines are read at. */
export const COMPUTE_API_VERSION = '2024-11-01';

/** A virtual machine as Azure Resource Manager answers it. */
export interface StageVm {
  readonly id: string;
  readonly name: string;
  readonly zones?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly properties: {
    readonly hardwareProfile: { readonly vmSize: string };
    readonly priority?: string;
    readonly storageProfile: {
      readonly osDisk: {
        readonly diskSizeGB?: number;
        readonly diffDiskSettings?: { readonly option?: string };
        readonly managedDisk?: { readonly diskEncryptionSet?: { readonly id: string } };
      };
    };
  };
}

/** How a node runs, as its kernel says it. */
export interface NodeKernel {
  readonly swappiness: string;
  /** Transparent huge pages: what is chosen among the words of the kernel. */
  readonly hugePages: { readonly enabled: string; readonly defrag: string };
  readonly swapMB: number;
}

/**
 * A cluster with its Azure and a controller that runs: what the acceptance cases see. The emulator and a real AKS
 * cluster both fill it.
 */
export interface Stage {
  readonly location: string;
  /** Creates objects, those of namespaced kinds in `default`. */
  create(...objects: readonly ApiObject[]): Promise<void>;
  /** Merges into the object. */
  patch(kind: StageKind, name: string, body: object): Promise<void>;
  /** Without waiting until it is gone. An object that is not there is no failure. */
  remove(kind: StageKind, name: string): Promise<void>;
  list<T extends ApiObject>(kind: StageKind): Promise<readonly T[]>;
  /** The machines of the node resource group, as Azure Resource Manager lists them. */
  vms(): Promise<readonly StageVm[]>;
  /** What the kernel of a node says of itself. */
  kernelOf(nodeName: string): Promise<NodeKernel>;
  /** Lets Azure take a spot machine back. */
  evict(vmName: string): Promise<void>;
  /** Checks again and again. Throws with `what` when it is not so within the minutes. */
  until(what: string, isSo: () => Promise<boolean>, minutes?: number): Promise<void>;
  pass(ms: number): Promise<void>;
  /** Starts the controller again with these variables beside its own; those of an earlier call count no more. */
  restart(variables: Readonly<Record<string, string>>): Promise<void>;
  /** ARM id of a disk encryption set that the controller may read. */
  diskEncryptionSet(): Promise<string>;
  /** An image that waits for a signal, in the registry that nodes of the cluster may read. */
  registryImage(): Promise<string>;
  /** ARM id of a subnet with three addresses for nodes, in the network of the cluster. */
  smallSubnet(): Promise<string>;
  /** Gives the nodes of the cluster another kubelet identity, for which AKS makes its machines again. */
  changeKubeletIdentity(): Promise<void>;
  /** Starts an update of the cluster that takes minutes. Returns what waits for its end. */
  startUpdate(): Promise<() => Promise<void>>;
  /** Upgrades the control plane. Returns the new version: `1.36.0`. */
  upgrade(): Promise<string>;
}

/** One case of a suite of the original, written once for every stage. */
export interface AcceptanceCase {
  /** The folder of `test/suites` in Azure/karpenter-provider-azure. */
  readonly suite: string;
  readonly title: string;
  /** Runs in each CI run, on the emulator. */
  readonly isFast?: boolean;
  /** True: only where AKS makes the machines. False: only where Karpenter makes them. */
  readonly isOfAgentPool?: boolean;
  run(stage: Stage): Promise<void>;
}
