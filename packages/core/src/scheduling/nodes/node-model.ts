import { labels } from '../../apis/index.ts';
import { hasValue } from '../../requirements/index.ts';
import type { Requirement, Requirements, ValueSet } from '../../requirements/index.ts';
import type { BitSet, TrieNode } from '../../base/index.ts';
import type { CompiledCatalog, ResourceRanks } from '../../catalog/index.ts';
import type { ClusterLimits, DaemonGroup, NodePoolView } from '../../cluster/index.ts';
import type { Taint } from '../../kube/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';

/**
 * The first value that a set has: of a list by name, of all but some the smallest integer from its lower bound (or
 * zero) on.
 */
export const firstValueOf = (values: ValueSet): string | undefined => {
  if (values.kind === 'in') return [...values.values].sort()[0];
  let candidate = values.gte ?? Math.min(0, values.lte ?? 0);
  while (values.values.has(String(candidate))) candidate++;
  return hasValue(values, String(candidate)) ? String(candidate) : undefined;
};

/** The one value that a label must have; undefined where there is a choice, or where the label may be missing. */
export const onlyValueOf = ({ values, mayBeAbsent }: Requirement): string | undefined => {
  if (mayBeAbsent || values.kind !== 'in' || values.values.size !== 1) return undefined;
  const [value] = values.values;
  return value;
};

/**
 * Labels that a node gets while it joins: pods may select them, NodeClaims do not require them. No pod can name a node
 * that does not exist yet, but it may say which node it must not be.
 */
export const joinedLabels = {
  [labels.registered]: 'true',
  [labels.initialized]: 'true',
  [labels.hostname]: 'a name that is not known yet',
} as const;

/** One resource of a template's types: what is left for ordinary pods once the daemons of each type have come. */
export interface Column {
  readonly amounts: Float64Array;
  readonly ranks: ResourceRanks;
  /** The amount where all types have the same, as of most host ports; then only that is compared. */
  readonly uniform?: number;
}

/** The types that the limits of a pool still allow. Sets with the same `id` are equal. */
export interface AllowedTypes {
  readonly id: string;
  readonly types: BitSet;
}

/**
 * A NodePool as the solver sees it: what its nodes have in common, and the columns of its types. A pool has one
 * template for each reservation that it may launch into, and one for everything else.
 */
export interface NodeTemplate {
  readonly pool: NodePoolView;
  readonly name: string;
  /** The limits that the templates of all pools share. */
  readonly clusterLimits: ClusterLimits | undefined;
  readonly taints: readonly Taint[];
  readonly wellKnown: ReadonlySet<string>;
  readonly catalog: CompiledCatalog;
  readonly requirements: Requirements;
  readonly columns: readonly Column[];
  readonly resourceNames: readonly string[];
  readonly daemonGroups: readonly DaemonGroup[];
  /** What each node costs beside its machine, in dollars an hour. */
  readonly nodePricePerHour: number;
  /** Whether no node may offer less than `minValues` asks for. */
  readonly enforcesMinValues: boolean;
  /** Whether pods must not reduce the variety that a node offers of `minValues`, even where it is less than they ask for. */
  readonly prefersMinValues: boolean;
  readonly states: Map<string, NodeState>;
  /** By the text of the requirements on keys that offerings have. */
  readonly meetingOfferings: Map<string, MeetingOfferings>;
  readonly everyType: AllowedTypes;
  /** The reservation that its nodes are launched into. Undefined: into none. */
  readonly reservation: string | undefined;
  /** The available offerings that its nodes may be launched from: those of the reservation, or all that belong to none. */
  readonly launchable: BitSet;
  /** The state of a node before any pod; undefined when the pool's requirements leave no instance type. */
  readonly initial: NodeState | undefined;
}

/** Available offerings that meet some requirements, and the types that have one of them. */
export interface MeetingOfferings {
  readonly offerings: BitSet;
  readonly types: BitSet;
  /** Type → the number of its cheapest offering among them; `NO_OFFERING` for a type without one. */
  readonly cheapest: Int32Array;
}

export const NO_OFFERING = 2 ** 31 - 1;

/** A type and the number of its cheapest offering in some state. */
export interface PricedType {
  readonly type: number;
  readonly offering: number;
}

/**
 * What is settled about a new node, its size aside: the template and all requirements so far. States are interned
 * and remember where each term leads, so that narrowing a node is one look-up.
 */
export interface NodeState {
  readonly template: NodeTemplate;
  readonly requirements: Requirements;
  /**
   * Types that meet the requirements and have a single available offering that meets them too, zone and capacity type
   * together.
   */
  readonly types: BitSet;
  /** Available offerings that meet the requirements; the first is the cheapest. */
  readonly offerings: BitSet;
  /** Type → the number of the cheapest of these; see `MeetingOfferings`. */
  readonly cheapestOfType: Int32Array;
  readonly next: Map<NodeTerm, NodeState | undefined>;
  /** Id of the allowed types → rank of the load in each resource → the fit. */
  readonly fits: TrieNode<Fit | 'none'>;
  /** Types by their cheapest offering, filled when first asked for. */
  typesByPrice: readonly PricedType[] | undefined;
}

/**
 * The instance types that can carry a load in a state. Loads of the same rank in every resource share one fit, so that
 * thousands of nodes share a few.
 */
export interface Fit {
  readonly state: NodeState;
  readonly types: BitSet;
  /**
   * Resource → the least and the most that any of the types has for pods. Up to `least` nothing changes, beyond `most`
   * nothing fits.
   */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly cheapest: PricedType;
}
