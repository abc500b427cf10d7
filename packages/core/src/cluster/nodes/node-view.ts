import type { NodeClaim } from '../../apis/index.ts';
import type { Pod, Resources, Taint } from '../../kube/index.ts';

/**
 * A machine as decisions see it: Node and NodeClaim put together, frozen at one instant. Labels, taints and resources
 * come from the claim until the node has registered, so that a machine on its way already counts.
 */
export interface NodeView {
  /** Node name, or the claim's name while there is no node. Unique in a snapshot. */
  readonly name: string;
  readonly providerId?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Less the startup and ephemeral taints while the node is not initialized. */
  readonly taints: readonly Taint[];
  readonly capacity: Resources;
  readonly allocatable: Resources;
  /** CSI driver → the most volumes that the node attaches, as far as its drivers have said so. */
  readonly volumeLimits?: Readonly<Record<string, number>>;
  /** Pods bound to the node that still run (not Succeeded or Failed), daemon pods among them. */
  readonly pods: readonly Pod[];
  /** Absent: the node is not Karpenter's; it is a place for pods, never a candidate for disruption. */
  readonly claim?: NodeClaim;
  readonly nodePoolName?: string;
  readonly hasNode: boolean;
  readonly isRegistered: boolean;
  readonly isInitialized: boolean;
  readonly isReady: boolean;
  /** Being deleted: nothing is placed there, and its pods need a new place. */
  readonly isMarkedForDeletion: boolean;
  /** Epoch ms until which a pod is expected to land there. */
  readonly nominatedUntilMs?: number;
}
