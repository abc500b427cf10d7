import type { NodeClaim, NodePool } from '../apis/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import type { Node } from '../kube/index.ts';
import type { LabelCatalog } from '../requirements/index.ts';

/**
 * What Karpenter needs of a cloud. The method names are the field's; "not found" is an outcome, never an error; every failure is a
 * `CloudProviderError`.
 */
export interface CloudProvider {
  /** Short name, used as a metric label: `azure`. */
  readonly name: string;
  /** The kinds of NodeClass that this provider reads; the first is the default. */
  readonly supportedNodeClasses: readonly NodeClassKind[];
  readonly labelCatalog: LabelCatalog;

  /**
   * Launches the machine of a NodeClaim and returns once the cloud has accepted it.
   *
   * Guarantees: safe to repeat. A second call for the same claim name adopts the machine of the first.
   * Errors: `insufficient-capacity` (the claim is deleted, its pods are planned again), `node-class-not-ready` (likewise),
   * `launch-failed` and `throttled` (the claim stays; tried again with backoff).
   */
  create(claim: NodeClaim, options: CallOptions): Promise<Machine>;
  /** Asks for the machine's end: `terminating` until a later call says `gone`. */
  delete(claim: NodeClaim, options: CallOptions): Promise<DeleteOutcome>;
  get(providerId: string, options: CallOptions): Promise<Machine | undefined>;
  /** Every machine that carries this cluster's mark, also those whose claim is unknown here. */
  list(options: CallOptions): Promise<readonly Machine[]>;
  /**
   * Everything the provider could launch for the pool, also what is out of stock. On the hot path: cached by the provider, which
   * returns the same objects until something changed.
   */
  getInstanceTypes(nodePool: NodePool, options: CallOptions): Promise<readonly InstanceType[]>;
  /** Why the machine no longer is what its NodeClass asks for; undefined when it is. */
  isDrifted(claim: NodeClaim, options: CallOptions): Promise<string | undefined>;
  /** Node conditions that mean "give this node up", and how long to bear them. */
  readonly repairPolicies: readonly RepairPolicy[];
  /** What else must be so before a node may take pods; all are asked again until all are satisfied. Left out: nothing. */
  readonly registrationHooks?: readonly RegistrationHook[];
  /**
   * The end of the node's machine that the cloud has announced, as its node tells it; undefined when there is none. Left out: this cloud
   * announces nothing. Pure; asked whenever a node changes.
   */
  interruptionOf?(node: Node): Interruption | undefined;
}

/** The cloud takes a machine away, whatever anybody does. */
export interface Interruption {
  /** CamelCase, for people: `Preempt`. */
  readonly reason: string;
  /** From then on the machine may be gone, in milliseconds of Unix time. */
  readonly deadlineMs: number;
}

/** A condition of the provider's own for a node's registration: it stays closed by the taint `karpenter.sh/unregistered` until then. */
export interface RegistrationHook {
  /** CamelCase, for the claim's condition. */
  readonly name: string;
  /** Asked at every look; should answer from memory. Errors: `CloudProviderError`, asked again with backoff. */
  check(claim: NodeClaim, options: CallOptions): Promise<HookAnswer>;
}

/** What a hook says of a claim: it may go on, or it waits. */
export type HookAnswer =
  | { readonly kind: 'satisfied' }
  /** `inMs`: when to ask again; left out: after a second. */
  | { readonly kind: 'waiting'; readonly inMs?: number };

/** A kind of NodeClass that a provider reads. */
export interface NodeClassKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

/** What goes with every call to a cloud. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

/** `gone`: there is no such machine any more; `terminating`: it is on its way, ask again. */
export type DeleteOutcome = 'terminating' | 'gone';

/** A machine as the cloud knows it: what a launched NodeClaim learns into its labels and status. */
export interface Machine {
  /** `azure:///subscriptions/…`; equals `spec.providerID` of the node. */
  readonly providerId: string;
  /** Name of the NodeClaim that the machine was made for, where the cloud can tell. */
  readonly claimName?: string;
  /** Instance type, zone, capacity type and whatever else is known to be true of the node. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly imageId?: string;
  /** Kubernetes quantities, as the claim's status shows them. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly createdAt?: string;
  readonly isTerminating?: boolean;
}

/** A condition of a Node by which it counts as broken once it has lasted long enough. */
export interface RepairPolicy {
  readonly conditionType: string;
  readonly conditionStatus: 'True' | 'False' | 'Unknown';
  readonly tolerationMs: number;
}
