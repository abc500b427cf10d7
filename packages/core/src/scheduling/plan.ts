import type { InstanceType, Offering } from '../catalog/index.ts';
import type { LeftOut } from '../cluster/index.ts';
import type { NodeClaimSpec } from '../apis/index.ts';
import type { Pod, Resources } from '../kube/index.ts';
import type { RelaxedPods } from './relaxed-preferences.ts';
import type { Rejection } from './rejection/rejection.ts';

/**
 * What to do about the pending pods: nodes to create, pods for existing nodes, and for each remaining pod the reason
 * why it found no place.
 */
export interface Plan {
  readonly plannedNodes: readonly PlannedNode[];
  /** Node name → pods that will fit there. */
  readonly placements: ReadonlyMap<string, readonly Pod[]>;
  readonly rejections: readonly Rejection[];
  /** Sum over planned nodes of their cheapest offering. */
  readonly pricePerHour: number;
  /**
   * Pods that wait for the next plan, in the order in which they are due; absent where there are none.
   * `policy.postponed` of that plan takes them.
   */
  readonly postponed?: readonly Pod[];
  /** Groups of pods that are placed without some of their preferences; absent where all got theirs. */
  readonly relaxed?: readonly RelaxedPods[];
  /** Objects of the snapshot that could not be read and were ignored; absent where there are none. */
  readonly leftOut?: readonly LeftOut[];
}

/** A machine to create, and the pods that it is for. */
export interface PlannedNode {
  readonly nodePoolName: string;
  readonly pods: readonly Pod[];
  /** Compatible instance types, cheapest first, at most `maxInstanceTypes`; never empty. */
  readonly instanceTypes: readonly InstanceType[];
  /** The cheapest available offering among them that meets the requirements. */
  readonly cheapest: { readonly instanceType: InstanceType; readonly offering: Offering };
  /** Requests of the pods and of the daemon pods that will run there. */
  readonly requests: Resources;
  /** The content of the NodeClaim, ready to be written. */
  readonly claim: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly spec: NodeClaimSpec;
  };
}
