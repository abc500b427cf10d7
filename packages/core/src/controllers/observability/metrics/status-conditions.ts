import { requeueAfter } from '@karpenter/runtime';
import type { CacheChange, RecordedEvent, SingletonController } from '@karpenter/runtime';
import { labels } from '../../../apis/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import type { ObjectMeta } from '../../../kube/index.ts';
import type { FollowedCache, Metrics } from '../../../ports/index.ts';
import type { Shell } from '../../shell.ts';
import { conditionMetrics } from './condition-metrics.ts';
import type { ConditionMetrics } from './condition-metrics.ts';
import { conditionTransitions } from './condition-transitions.ts';
import type { ConditionTransition } from './condition-transitions.ts';
import { objectGauges } from '../gauges/object-gauges.ts';
import type { Conditioned } from '../gauges/object-gauges.ts';

/** One kind whose conditions are followed. */
interface Followed {
  readonly kind: 'NodeClaim' | 'NodePool' | 'Node';
  readonly cache: FollowedCache<Conditioned>;
  /** Whether people who describe the object read of its transitions: a node has its own events. */
  readonly isTold: boolean;
  readonly isOurs: (object: Conditioned) => boolean;
}

const PERIOD_MS = 10_000;

const eventOf = (kind: string, { name, uid }: ObjectMeta, { type, from, to, reason, message }: ConditionTransition): RecordedEvent => ({
  subject: { apiVersion: 'karpenter.sh/v1', kind, name, ...(uid === undefined ? {} : { uid }) },
  type: 'Normal',
  reason: type,
  message: `Status condition transitioned, Type: ${type}, Status: ${from} -> ${to}, Reason: ${reason}${message === '' ? '' : `, Message: ${message}`}`,
});

const countTransition = (metrics: ConditionMetrics, { type, from, to, reason, lastedMs }: ConditionTransition): void => {
  metrics.transitions.increment({ type, status: to, reason });
  metrics.seconds.observe(lastedMs / 1000, { type, status: from });
};

const always = (): boolean => true;

/**
 * Tells of every condition that changes on claims, pools and their nodes, in metrics and events, and shows what they say.
 * Source: awslabs/operatorpkg, `status/controller.go`. It follows from its first reconcile on, so that only the leader tells.
 */
export const statusConditions = (
  { caches, clock, events }: Pick<Shell, 'caches' | 'clock' | 'events'>,
  { metrics, showsObjects }: { readonly metrics: Metrics; readonly showsObjects: boolean },
): SingletonController => {
  const followed: readonly Followed[] = [
    { kind: 'NodeClaim', cache: caches.nodeClaims, isTold: true, isOurs: always },
    { kind: 'NodePool', cache: caches.nodePools, isTold: true, isOurs: always },
    { kind: 'Node', cache: caches.nodes, isTold: false, isOurs: ({ metadata }) => metadata.labels?.[labels.nodePool] !== undefined },
  ];
  let isFollowing = false;
  const kinds = followed.map((each) => {
    const kind = each.kind.toLowerCase();
    const objects = (): readonly Conditioned[] => (isFollowing ? each.cache.list().filter(each.isOurs) : []);
    if (showsObjects) objectGauges(metrics, { kind, objects, nowMs: () => clock.now() });
    return { ...each, metrics: conditionMetrics(metrics, kind) };
  });

  const see = ({ kind, isTold, isOurs, metrics: own }: (typeof kinds)[number], change: CacheChange<Conditioned>): void => {
    const { object } = change;
    if (!isOurs(object)) return;
    const nowMs = clock.now();
    if (change.type === 'deleted') {
      const askedMs = epochMsOf(object.metadata.deletionTimestamp);
      if (askedMs !== undefined) own.terminationSeconds.observe(Math.max(0, nowMs - askedMs) / 1000);
    }
    if (change.type !== 'updated') return;
    for (const transition of conditionTransitions(change.previous.status?.conditions, object.status?.conditions, nowMs)) {
      countTransition(own, transition);
      if (isTold) events.record(eventOf(kind, object.metadata, transition));
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
