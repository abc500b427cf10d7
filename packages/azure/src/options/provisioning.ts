/** How machines that are requested at about the same time share one request. */
export interface MachineBatching {
  /** How long a machine waits for another one to come along. */
  readonly idleMs: number;
  /** The longest that a machine waits. */
  readonly maxMs: number;
  /** The most machines of one call. */
  readonly most: number;
}

/** An agent pool of mode `Machines`. */
export interface AgentPool {
  readonly poolName: string;
  /** Holds the managed cluster. */
  readonly clusterResourceGroup: string;
}

/** How machines are made, and what only that way needs. */
export type Provisioning =
  /** VMs whose user data is written here. */
  | { readonly kind: 'aksscriptless' }
  /** VMs whose user data is written by the node bootstrapping service of AKS. */
  | {
      readonly kind: 'bootstrappingclient';
      readonly serverUrl: string;
      /** Holds the managed cluster. */
      readonly clusterResourceGroup: string;
    }
  /** Machines of an agent pool of mode `Machines`, which AKS puts together. */
  | ({
      readonly kind: 'aksmachineapi';
      /** Absent: one request for each machine. */
      readonly batching: MachineBatching | undefined;
    } & AgentPool);

/** Machines that are known: those that are made now and those that another way of making them has left. */
export interface KnownMachines {
  readonly provisioning: Provisioning;
  /** Whose machines were made before, while VMs are made now; absent: there are none. */
  readonly formerPool: AgentPool | undefined;
}

/** The agent pool whose machines are known. */
export const agentPoolOf = ({ provisioning, formerPool }: KnownMachines): AgentPool | undefined =>
  provisioning.kind === 'aksmachineapi' ? provisioning : formerPool;
