import type { NodeClaim, NodeClassRef, NodePool } from '../apis/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import type { Node, Taint } from '../kube/index.ts';
import type { LabelCatalog } from '../requirements/index.ts';
import type { UnsupportedVolumes } from '../scheduling/index.ts';

/**
 * What Karpenter needs of a cloud. The method names are the field's; "not found" is an outcome, never an error; every
 * failure is a `CloudProviderError`.
 */
export interface CloudProvider {
  /** Short name, used as a metric label: `azure`. */
  readonly name: string;
  /** The kinds of NodeClass that this provider reads; the first is the default. Always the same. */
  getSupportedNodeClasses(): readonly NodeClassKind[];
  readonly labelCatalog: LabelCatalog;

  /**
   * Launches the machine of a NodeClaim and returns once the cloud has accepted it. Later failures are reported by
   * `reportFailedLaunch` of the kit.
   *
   * Guarantees: safe to repeat. A second call for the same claim name adopts the machine of the first.
   * Errors: `insufficient-capacity` (the claim is deleted, its pods are planned again), `node-class-not-ready` (likewise),
   * `offering-unavailable` (the claim stays; tried again at once), `launch-failed` and `throttled` (the claim stays; tried
   * again with backoff).
   */
  create(claim: NodeClaim, options: CreateOptions): Promise<Machine>;
  /** Deletes the machine: `terminating` until a later call says `gone`. */
  delete(claim: NodeClaim, options: CallOptions): Promise<DeleteOutcome>;
  get(providerId: string, options: CallOptions): Promise<Machine | undefined>;
  /** Every machine that belongs to this cluster, including those whose claim is unknown here. */
  list(options: CallOptions): Promise<readonly Machine[]>;
  /**
   * Everything the provider could launch for the pool, including what is out of stock. On the hot path: cached by the
   * provider, which returns the same objects until something changes.
   */
  getInstanceTypes(nodePool: NodePool, options: CallOptions): Promise<readonly InstanceType[]>;
  /** Why the machine no longer matches its NodeClass; undefined while it does. */
  isDrifted(claim: NodeClaim, options: CallOptions): Promise<string | undefined>;
  /** Node conditions by which a node is replaced, and how long to tolerate them. */
  readonly repairPolicies: readonly RepairPolicy[];
  /** Further conditions before a node may take pods; asked again until all are satisfied. Left out: none. */
  readonly registrationHooks?: readonly RegistrationHook[];
  /** How long a claim may take to launch before it is deleted and its pods are planned again. Left out: five minutes. */
  readonly launchTimeoutMs?: number;
  /** `spec.terminationGracePeriod` of claims whose NodePool states none: `24h`. Left out: they have none. */
  readonly defaultTerminationGracePeriod?: string;
  /** Volumes that no node of this provider can have: pods with such a volume are rejected, and say why. Left out: none. */
  readonly unsupportedVolumes?: UnsupportedVolumes;
  /**
   * The interruption that the cloud has announced for the node's machine, as the Node shows it; undefined when there is
   * none. Left out: this cloud announces none. Pure; called whenever a node changes.
   */
  interruptionOf?(node: Node): Interruption | undefined;
}

/** The cloud takes a machine away, whatever anybody does. */
export interface Interruption {
  /** CamelCase, for people: `Preempt`. */
  readonly reason: string;
  /** Epoch ms from which on the machine may be gone. */
  readonly deadlineMs: number;
}

/**
 * A provider's own condition for registering a node: until it is satisfied, the taint `karpenter.sh/unregistered` keeps
 * pods off.
 */
export interface RegistrationHook {
  /** CamelCase, for the claim's condition. */
  readonly name: string;
  /**
   * Called at each reconcile of the claim; should answer from memory. Errors: `CloudProviderError`, called again with
   * backoff.
   */
  check(claim: NodeClaim, options: CallOptions): Promise<HookAnswer>;
}

/** What a hook adds to a claim and its node before the node takes pods. The hook's values win over the claim's. */
export interface NodeAdditions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Of the node alone: the spec of a claim does not change. */
  readonly taints?: readonly Taint[];
}

/** Whether the claim may go on, or has to wait. */
export type HookAnswer =
  | { readonly kind: 'satisfied'; readonly adds?: NodeAdditions }
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

/**
 * The provider's types as they count for a claim: with the prices and resources that NodeOverlays state. In the order
 * given. Pure.
 */
export type TypesAsPlanned = (claim: NodeClaim, types: readonly InstanceType[]) => readonly InstanceType[];

/** What goes with a launch. */
export interface CreateOptions extends CallOptions {
  /**
   * A provider picks the machine of a claim among these. By its own prices it would buy another than was planned;
   * without the resources, one that lacks room. The same function for all claims. Left out: types count as they are.
   *
   * Errors: `node-pool-unevaluated`.
   */
  readonly asPlanned?: TypesAsPlanned;
}

/** `gone`: there is no such machine any more; `terminating`: it is on its way, ask again. */
export type DeleteOutcome = 'terminating' | 'gone';

/** A machine as the cloud knows it: what goes into the labels and status of its NodeClaim. */
export interface Machine {
  /** `azure:///subscriptions/…`; equals `spec.providerID` of the node. */
  readonly providerId: string;
  /** Name of the NodeClaim that the machine was made for, where the cloud knows it. */
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

/** A condition of a Node that makes it unhealthy once it has lasted for `tolerationMs`. */
export interface RepairPolicy {
  readonly conditionType: string;
  readonly conditionStatus: 'True' | 'False' | 'Unknown';
  readonly tolerationMs: number;
}

/** Whether the reference names a NodeClass of this provider. */
export const isManaged = ({ group, kind }: NodeClassRef, provider: Pick<CloudProvider, 'getSupportedNodeClasses'>): boolean =>
  provider.getSupportedNodeClasses().some((each) => each.group === group && each.kind === kind);
