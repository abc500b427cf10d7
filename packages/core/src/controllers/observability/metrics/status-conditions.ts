import { requeueAfter } from '@karpenter/runtime';
import type { CacheChange, RecordedEvent, SingletonController } from '@karpenter/runtime';
import type { FollowedCache, MetricLabels, Metrics } from '../../../ports/index.ts';
import { epochMsOf, getOrMake } from '../../../base/index.ts';
import type { Condition, ObjectMeta } from '../../../kube/index.ts';
import { labels, nodeClassLabelKey } from '../../../apis/index.ts';
import type { Shell } from '../../shell.ts';
import { objectGauges, shownConditions } from '../gauges/object-gauges.ts';
import type { Conditioned } from '../../../actions/index.ts';

/** 0.5 s to about two hours. */
const BUCKETS = Array.from({ length: 15 }, (_, index) => 0.5 * 2 ** index);
const LABELS = ['type', 'status', 'reason'];

/**
 * The metrics about the conditions of one kind, `nodeclaim` or another; the names are operatorpkg's. `objectLabels`: what
 * they say of the object.
 */
const conditionMetrics = (metrics: Metrics, kind: string, objectLabels: readonly string[]) => ({
  transitions: metrics.counter({
    name: `operator_${kind}_status_condition_transitions_total`,
    help: 'The count of transitions of a given object, type and status.',
    labelNames: [...LABELS, ...objectLabels],
  }),
  seconds: metrics.histogram({
    name: `operator_${kind}_status_condition_transition_seconds`,
    help: 'The amount of time a condition was in a given state before transitioning.',
    labelNames: ['type', 'status', ...objectLabels],
    buckets: BUCKETS,
  }),
  terminationSeconds: metrics.histogram({
    name: `operator_${kind}_termination_duration_seconds`,
    help: 'The amount of time taken by an object to terminate completely.',
    labelNames: objectLabels,
    buckets: BUCKETS,
  }),
});

type ConditionMetrics = ReturnType<typeof conditionMetrics>;

/** A condition that says something else than before. */
interface ConditionTransition {
  readonly type: string;
  /** Absent where the condition is new. */
  readonly from?: Condition['status'];
  readonly to: Condition['status'];
  readonly reason: string;
  readonly message: string;
  /** How long it was as it was; 0 where it is new. */
  readonly lastedMs: number;
}

/**
 * What changed between two states of an object: conditions with another status now. A condition that was not there was
 * Unknown. Source: awslabs/operatorpkg, `status/controller.go`.
 */
const conditionTransitions = (before: Conditioned, after: Conditioned, nowMs: number): readonly ConditionTransition[] => {
  const previous = new Map(shownConditions(before).map((condition) => [condition.type, condition]));
  return shownConditions(after).flatMap(({ type, status: to, reason = '', message = '', lastTransitionTime }) => {
    const last = previous.get(type);
    if ((last?.status ?? 'Unknown') === to) return [];
    if (last === undefined) return [{ type, to, reason, message, lastedMs: 0 }];
    const atMs = epochMsOf(lastTransitionTime) ?? nowMs;
    const lastedMs = Math.max(0, atMs - (epochMsOf(last.lastTransitionTime) ?? atMs));
    return [{ type, from: last.status, to, reason, message, lastedMs }];
  });
};

/** Of one label of a metric so many values get series of their own: whoever may write an object's status may invent them. */
const MOST_VALUES = 200;
const OTHER = 'other';

/** The values of metrics' labels as they are shown: those beyond `MOST_VALUES` of a label as `other`. */
class ShownValues {
  readonly #known = new Map<string, Set<string>>();

  of(labels: MetricLabels): MetricLabels {
    return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, this.#shown(name, value)]));
  }

  #shown(name: string, value: string): string {
    const known = getOrMake(this.#known, name, () => new Set<string>());
    if (!known.has(value) && known.size === MOST_VALUES) return OTHER;
    known.add(value);
    return value;
  }
}

/** One kind whose conditions are followed. */
interface Followed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly cache: FollowedCache<Conditioned>;
  /** Whether people who describe the object read of its transitions: a node has its own events. */
  readonly isReported: boolean;
  readonly isOurs: (object: Conditioned) => boolean;
  /** Keys of labels of the object that its metrics have as well. */
  readonly labelKeys: readonly string[];
}

/** `karpenter.sh/nodepool` → `karpenter_sh_nodepool`. */
const metricLabelOf = (key: string): string => key.replaceAll(/[./-]/g, '_');

const labelsOf = ({ labelKeys }: Followed, { metadata }: Conditioned): MetricLabels =>
  Object.fromEntries(labelKeys.map((key) => [metricLabelOf(key), metadata.labels?.[key] ?? '']));

const PERIOD_MS = 10_000;

const eventOf = (
  { apiVersion, kind }: Followed,
  { name, namespace, uid }: ObjectMeta,
  { type, from, to, reason, message }: ConditionTransition,
): RecordedEvent => ({
  subject: { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }) },
  type: 'Normal',
  reason: type,
  message: `Status condition transitioned, Type: ${type}, Status: ${from} -> ${to}, Reason: ${reason}${message === '' ? '' : `, Message: ${message}`}`,
});

interface Counting {
  readonly metrics: ConditionMetrics;
  readonly shown: ShownValues;
}

const countTransition = (
  { metrics, shown }: Counting,
  { type, from, to, reason, lastedMs }: ConditionTransition,
  objectLabels: MetricLabels,
): void => {
  metrics.transitions.increment(shown.of({ type, status: to, reason, ...objectLabels }));
  if (from !== undefined) metrics.seconds.observe(lastedMs / 1000, shown.of({ type, status: from, ...objectLabels }));
};

const plain = { isReported: true, isOurs: (): boolean => true, labelKeys: [] };

type Following = Pick<Shell, 'caches' | 'provider'>;

const nodeClassesOf = ({ caches, provider }: Following): readonly Followed[] =>
  provider.getSupportedNodeClasses().flatMap(({ group, version, kind }) => {
    const cache = caches.nodeClasses.get(kind);
    return cache === undefined ? [] : [{ ...plain, apiVersion: `${group}/${version}`, kind, cache }];
  });

const followedOf = (shell: Following): readonly Followed[] => {
  const { nodeClaims, nodePools, nodes, capacityBuffers } = shell.caches;
  const own = { ...plain, apiVersion: 'karpenter.sh/v1' };
  const labelKeys = [...shell.provider.getSupportedNodeClasses().map(nodeClassLabelKey), labels.nodePool];
  const isOfPool = ({ metadata }: Conditioned): boolean => metadata.labels?.[labels.nodePool] !== undefined;
  return [
    { ...own, kind: 'NodeClaim', cache: nodeClaims, labelKeys },
    { ...own, kind: 'NodePool', cache: nodePools },
    { apiVersion: 'v1', kind: 'Node', cache: nodes, isReported: false, isOurs: isOfPool, labelKeys: [...labelKeys, labels.initialized] },
    ...(capacityBuffers === undefined
      ? []
      : [{ ...own, apiVersion: 'autoscaling.x-k8s.io/v1beta1', kind: 'CapacityBuffer', cache: capacityBuffers }]),
    ...nodeClassesOf(shell),
  ];
};

/**
 * Metrics of the conditions of claims, pools, their nodes and NodeClasses, and metrics and events of every change of them.
 * Source: awslabs/operatorpkg, `status/controller.go`. Differs: conditions that were there at the start do not count. It follows from its first reconcile on: only the leader reports.
 */
export const statusConditions = (
  { clock, events, ...shell }: Following & Pick<Shell, 'clock' | 'events'>,
  { metrics, showsObjects }: { readonly metrics: Metrics; readonly showsObjects: boolean },
): SingletonController => {
  let isFollowing = false;
  const kinds = followedOf(shell).map((each) => {
    const kind = each.kind.toLowerCase();
    const objects = (): readonly Conditioned[] => (isFollowing ? each.cache.list().filter(each.isOurs) : []);
    const labelNames = each.labelKeys.map(metricLabelOf);
    const source = { kind, objects, nowMs: () => clock.now(), labelNames, labelsOf: (object: Conditioned) => labelsOf(each, object) };
    if (showsObjects) objectGauges(metrics, source);
    return { ...each, metrics: conditionMetrics(metrics, kind, labelNames), shown: new ShownValues() };
  });

  const see = (followed: (typeof kinds)[number], change: CacheChange<Conditioned>): void => {
    const { isReported, isOurs, metrics: own, shown } = followed;
    const { object } = change;
    if (!isOurs(object)) return;
    const nowMs = clock.now();
    if (change.type === 'deleted') {
      const askedMs = epochMsOf(object.metadata.deletionTimestamp);
      if (askedMs !== undefined) own.terminationSeconds.observe(Math.max(0, nowMs - askedMs) / 1000, shown.of(labelsOf(followed, object)));
    }
    if (change.type !== 'updated') return;
    for (const transition of conditionTransitions(change.previous, object, nowMs)) {
      countTransition(followed, transition, labelsOf(followed, object));
      if (isReported && transition.from !== undefined) events.record(eventOf(followed, object.metadata, transition));
    }
  };

  return {
    name: 'status.conditions',
    reconcile() {
      if (!isFollowing) for (const each of kinds) each.cache.subscribe((change) => see(each, change));
      isFollowing = true;
      return Promise.resolve(requeueAfter(PERIOD_MS));
    },
  };
};
