import type { Condition, NodeSelectorRequirement, ObjectMeta, ResourceList, Taint } from '../kube/index.ts';
import { durationOrNeverMs, structuralHash } from '../base/index.ts';
import { annotations } from './names.ts';

/** Names the provider's object (say, an AKSNodeClass) that says how machines are made. */
export interface NodeClassRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** karpenter.sh/v1 NodePool as plain JSON. Which fields hold what, and their defaults: the CRD beside the chart. */
export interface NodePool {
  readonly apiVersion: 'karpenter.sh/v1';
  readonly kind: 'NodePool';
  readonly metadata: ObjectMeta;
  readonly spec: NodePoolSpec;
  readonly status?: NodePoolStatus;
}

/**
 * What nodes a pool makes, how many of them, and when they may be disrupted. `weight`: 1 to 100, the heaviest is tried
 * first.
 */
export interface NodePoolSpec {
  readonly template: NodeClaimTemplate;
  readonly disruption?: Disruption;
  /** Resource → most that all nodes of the pool may have together; the pseudo-resource `nodes` counts nodes. */
  readonly limits?: ResourceList;
  /**
   * Resource → what the nodes of a dynamic pool have together at least, whether or not pods need it; `nodes` counts
   * nodes. Limits come first.
   */
  readonly minimum?: ResourceList;
  /** 1–100; a pool with a higher weight is tried first. Absent is 0. */
  readonly weight?: number;
  /** Present: the pool is static and keeps this many nodes. */
  readonly replicas?: number;
}

/** What the NodeClaims of a pool are made from. */
export interface NodeClaimTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: NodeClaimTemplateSpec;
}

/** What the machines of a pool have in common. Durations are as Go writes them (`720h`), or `Never`. */
export interface NodeClaimTemplateSpec {
  readonly taints?: readonly Taint[];
  readonly startupTaints?: readonly Taint[];
  readonly requirements: readonly RequirementSpec[];
  readonly nodeClassRef: NodeClassRef;
  /** Go duration (`30m`); absent: drain waits as long as it takes. */
  readonly terminationGracePeriod?: string;
  /** Go duration or `Never`. Default `720h`. */
  readonly expireAfter?: string;
}

/**
 * A requirement as NodePools and NodeClaims write it: `minValues` asks for that many distinct values among the instance
 * types.
 */
export interface RequirementSpec extends NodeSelectorRequirement {
  readonly minValues?: number;
}

/** When consolidation may remove a node: without pods only, or also when fewer or cheaper nodes would do. */
export type ConsolidationPolicy = 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | 'Balanced';
/** Why a node is disrupted; budgets may name it. */
export type DisruptionReason = 'Underutilized' | 'Empty' | 'Drifted';

/** When the nodes of a pool may be disrupted, and how many at once. */
export interface Disruption {
  /** Go duration or `Never`. Default `0s`. */
  readonly consolidateAfter?: string;
  /** Default `WhenEmptyOrUnderutilized`. */
  readonly consolidationPolicy?: ConsolidationPolicy;
  /** Default one budget of `10%`. */
  readonly budgets?: readonly Budget[];
}

/**
 * How many nodes may be disrupted at once: a count or a share (`10%`), always or from each moment of a cron schedule
 * (UTC) for a duration.
 */
export interface Budget {
  /** `"10%"` or `"5"`. */
  readonly nodes: string;
  /** Absent: all reasons. */
  readonly reasons?: readonly DisruptionReason[];
  /** Five-field cron or `@daily` and its like, in UTC; goes together with `duration`. */
  readonly schedule?: string;
  readonly duration?: string;
}

/** What the pool is made of now. Amounts are Kubernetes quantities. */
export interface NodePoolStatus {
  readonly resources?: ResourceList;
  readonly nodes?: number;
  /** How many of the provider's instance types meet the requirements. */
  readonly instanceTypes?: number;
  readonly nodeClassObservedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

/** The label by which claims and nodes name their NodeClass: `karpenter.azure.com/aksnodeclass`. */
export const nodeClassLabelKey = ({ group, kind }: Pick<NodeClassRef, 'group' | 'kind'>): string => `${group}/${kind.toLowerCase()}`;

/** That label and the name of the NodeClass. */
export const nodeClassLabel = (ref: NodeClassRef): readonly [string, string] => [nodeClassLabelKey(ref), ref.name];

const DEFAULT_EXPIRE_AFTER = '720h';

/** `spec.disruption` with nothing left open. */
export interface DefaultedDisruption extends Disruption {
  readonly consolidateAfter: string;
  readonly consolidationPolicy: ConsolidationPolicy;
  readonly budgets: readonly Budget[];
}

/**
 * The pool's disruption settings, defaults where it is silent. An empty list of budgets is none at all: nothing limits
 * the pool.
 */
export const disruptionOf = (nodePool: NodePool): DefaultedDisruption => {
  const {
    consolidateAfter = '0s',
    consolidationPolicy = 'WhenEmptyOrUnderutilized',
    budgets = [{ nodes: '10%' }],
  } = nodePool.spec.disruption ?? {};
  return { consolidateAfter, consolidationPolicy, budgets };
};

/** The pool as the API server stores it: the CRD's defaults filled in. Filling in twice changes nothing. */
export const withDefaults = (nodePool: NodePool): NodePool => {
  const { template } = nodePool.spec;
  const expireAfter = template.spec.expireAfter ?? DEFAULT_EXPIRE_AFTER;
  return {
    ...nodePool,
    spec: { ...nodePool.spec, template: { ...template, spec: { ...template.spec, expireAfter } }, disruption: disruptionOf(nodePool) },
  };
};

/**
 * Names the rule of `nodePoolHash`. The original's hashes carry versions such as `v3`. A claim with another version
 * is not compared: the nodes of a cluster that is taken over stay. The hash controller rewrites their annotations.
 */
const NODE_POOL_HASH_VERSION = 'karpenter-ts-v1';

const meaningOf = (duration: string | undefined): number | string | undefined => {
  if (duration === undefined) return undefined;
  const ms = durationOrNeverMs(duration);
  // JSON knows no Infinity.
  return ms === undefined || ms === Number.POSITIVE_INFINITY ? duration : ms;
};

/**
 * The hash of what nodes of the pool are made with: labels, annotations, taints, startup taints, node class, expiry and
 * grace period. Nodes whose annotation says otherwise have drifted. Requirements are not in it (they are compared with
 * the node's labels), nor are limits, weight and disruption. Durations count by their length: `720h` is `43200m`.
 */
export const nodePoolHash = (nodePool: NodePool): string => {
  const { metadata, spec } = withDefaults(nodePool).spec.template;
  return structuralHash({
    labels: metadata?.labels,
    annotations: metadata?.annotations,
    taints: spec.taints,
    startupTaints: spec.startupTaints,
    nodeClassRef: spec.nodeClassRef,
    expireAfter: meaningOf(spec.expireAfter),
    terminationGracePeriod: meaningOf(spec.terminationGracePeriod),
  });
};

/**
 * What a pool, and each claim made from it, says about the template's content: the two differ once the template was edited.
 */
export const hashAnnotations = (pool: NodePool): Readonly<Record<string, string>> => ({
  [annotations.nodePoolHash]: nodePoolHash(pool),
  [annotations.nodePoolHashVersion]: NODE_POOL_HASH_VERSION,
});
