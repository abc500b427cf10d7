import type { MachineBatching } from './machine-batching.ts';

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
  | {
      readonly kind: 'aksmachineapi';
      readonly poolName: string;
      readonly clusterResourceGroup: string;
      /** Absent: each machine is asked for by itself. */
      readonly batching: MachineBatching | undefined;
    };
