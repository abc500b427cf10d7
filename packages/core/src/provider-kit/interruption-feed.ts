import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { NodeClaim } from '../apis/index.ts';
import { epochMsOf, timestampOf } from '../base/index.ts';
import type { Interruption } from '../cloudprovider/index.ts';
import type { Condition, Node } from '../kube/index.ts';
import type { Logger } from '../ports/index.ts';
import type { ClassKube } from './node-class.ts';

/** One announcement of a cloud that uses a queue or an endpoint, not the node. */
export interface InterruptionMessage {
  readonly providerId: string;
  readonly interruption: Interruption;
  /** The message need not come again. */
  done(signal: AbortSignal): Promise<void>;
}

export interface InterruptionFeeding {
  /** Name of the controller. */
  readonly name: string;
  /** How long to wait after a poll that brought nothing. */
  readonly everyMs: number;
  /** What has been announced since; may wait for messages. */
  readonly receive: (signal: AbortSignal) => Promise<readonly InterruptionMessage[]>;
  readonly kube: Pick<ClassKube, 'list' | 'patch'>;
  readonly logger: Logger;
}

const ANNOTATION = 'karpenter.sh/interruption';
const WRITTEN = /^(\S+) (\S+)$/;

type Claims = ReadonlyMap<string | undefined, NodeClaim>;

/**
 * `CloudProvider.interruptionOf` of a cloud whose announcements come by `interruptionFeed`. Pure: reads the annotation
 * `karpenter.sh/interruption`; undefined where it is absent or malformed. The deadline has whole seconds.
 */
export const fedInterruptionOf = ({ metadata }: Pick<Node, 'metadata'>): Interruption | undefined => {
  const [, reason, time] = WRITTEN.exec(metadata.annotations?.[ANNOTATION] ?? '') ?? [];
  const deadlineMs = epochMsOf(time);
  return reason === undefined || deadlineMs === undefined ? undefined : { reason, deadlineMs };
};

/**
 * Writes on nodes, in the annotation `karpenter.sh/interruption`, what the cloud announces of their machines. A message
 * is done when it stands there, so that none is lost with the process; one about a machine whose node is still to come
 * stays with the cloud meanwhile. A message may come twice. What `receive` or the API server throws is tried again with
 * backoff. Each pass with messages lists the NodeClaims once.
 */
export const interruptionFeed = ({ name, everyMs, receive, kube, logger }: InterruptionFeeding): SingletonController => {
  /** Whether the message is done with. */
  const pass = async ({ providerId, interruption }: InterruptionMessage, claims: Claims, signal: AbortSignal): Promise<boolean> => {
    const { reason, deadlineMs } = interruption;
    const claim = claims.get(providerId);
    if (claim === undefined) {
      logger.warn('the cloud announces the end of a machine without a NodeClaim', { providerId, reason });
      return true;
    }
    const nodeName = claim.status?.nodeName;
    if (nodeName === undefined) return false;
    const body = { metadata: { annotations: { [ANNOTATION]: `${reason} ${timestampOf(deadlineMs)}` } } };
    await kube.patch('Node', { name: nodeName }, { type: 'merge', body, signal });
    return true;
  };
  return {
    name,
    async reconcile({ signal }) {
      const messages = await receive(signal);
      if (messages.length === 0) return requeueAfter(everyMs);
      const { items } = await kube.list<NodeClaim>('NodeClaim', { signal });
      const claims = new Map(items.map((claim) => [claim.status?.providerID, claim]));
      let isAllDone = true;
      for (const message of messages) {
        if (await pass(message, claims, signal)) await message.done(signal);
        else isAllDone = false;
      }
      return requeueAfter(isAllDone ? 0 : everyMs);
    },
  };
};

/** What a condition says of a machine's end. */
export interface AnnouncedEnd {
  /** CamelCase: `Preempt`. */
  readonly reason: string;
  /** In milliseconds of Unix time. Left out: the least notice that the cloud gives, from when the condition became true. */
  readonly deadlineMs?: number;
}

export interface EndReading {
  /** Reason → the least notice that the cloud gives, in milliseconds. Other reasons end no machine. */
  readonly noticeMs: Readonly<Record<string, number>>;
  /** The announcements of a condition that is true. Pure. */
  readonly read: (condition: Condition) => readonly AnnouncedEnd[];
}

/**
 * `CloudProvider.interruptionOf` of a cloud that announces ends in the conditions of its nodes; of several the first to
 * come.
 */
export const interruptionInConditions =
  ({ noticeMs, read }: EndReading) =>
  ({ status }: Node): Interruption | undefined =>
    (status?.conditions ?? [])
      .filter((condition) => condition.status === 'True')
      .flatMap((condition) =>
        read(condition).flatMap(({ reason, deadlineMs }) => {
          const notice = noticeMs[reason];
          const sinceMs = epochMsOf(condition.lastTransitionTime) ?? 0;
          return notice === undefined ? [] : [{ reason, deadlineMs: deadlineMs ?? sinceMs + notice }];
        }),
      )
      .sort((a, b) => a.deadlineMs - b.deadlineMs)[0];
