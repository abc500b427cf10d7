import type { InstanceType, Offering } from '../catalog/index.ts';
import type { LeftOut } from '../cluster/index.ts';
import type { NodeClaimSpec } from '../apis/index.ts';
import type { Pod, Resources } from '../kube/index.ts';
import type { Rejection } from './rejection/rejection.ts';

/** What to do about the pending pods: nodes to create, pods that go on nodes there are, and why each pod that is left over found no place. */
export interface Plan {
  readonly plannedNodes: readonly PlannedNode[];
  /** Node name → pods that will fit there. */
  readonly placements: ReadonlyMap<string, readonly Pod[]>;
  readonly rejections: readonly Rejection[];
  /** Sum over planned nodes of their cheapest offering. */
  readonly pricePerHour: number;
  /** What of the snapshot could not be read, and counted as not there; absent where all of it could. */
  readonly leftOut?: readonly LeftOut[];
}

/** A machine to be created, and the pods it is meant for. */
export interface PlannedNode {
  readonly nodePoolName: string;
  readonly pods: readonly Pod[];
  /** Compatible instance types, cheapest first, at most `maxInstanceTypes`; never empty. */
  readonly instanceTypes: readonly InstanceType[];
  /** The cheapest available offering among them that meets the requirements. */
  readonly cheapest: { readonly instanceType: InstanceType; readonly offering: Offering };
  /** Requests of the pods and of the daemon pods that will run there. */
  readonly requests: Resources;
  /** What the NodeClaim is to say, ready to be written. */
  readonly claim: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly spec: NodeClaimSpec;
  };
}
