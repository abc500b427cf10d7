import type { RecordedEvent } from '@karpenter/runtime';
import type { Decision, KeptNode, Logger } from '../../../ports/index.ts';
import { blockerText } from './blocker-text.ts';
import type { BlockerText } from './blocker-text.ts';
import { NoticeFilter, SAID_AGAIN_AFTER_MS, aboutClaim, aboutNode, aboutPool, madeApart } from './event-subjects.ts';
import { labels } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { timestampOf, unreachable } from '../../../base/index.ts';
import type { Node } from '../../../kube/index.ts';

/**
 * While pods come and go, each pass finds other reasons for many nodes: people need the one that lasts. Differs: the
 * original says nothing else for 15 minutes, so that what can be read may have passed long ago.
 */
const REASONS_CHANGE_AFTER_MS = 60_000;

/**
 * Why a node is not consolidated is worth an event once it has been so for as long. The same holds for states that
 * each node passes through: not initialized yet, or pods on their way to it. Differs: the original says these at
 * once.
 */
const LASTING_MS = 60_000;
const PASSING: ReadonlySet<KeptNode['blocker']['kind']> = new Set(['not-initialized', 'nominated']);

/**
 * Events on nodes and their claims that state why the nodes stay. Remembers the last event of each node, because every
 * pass, some seconds apart, reports all nodes of a cluster, mostly with the same reasons.
 */
export class KeptNodeEvents {
  readonly #filter = new NoticeFilter({ changesAfterMs: REASONS_CHANGE_AFTER_MS });
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  of(kept: readonly KeptNode[], nowMs: number): readonly RecordedEvent[] {
    const silent: string[] = [];
    const saidOf = ({ node, blocker }: KeptNode) => {
      const text = blockerText(blocker);
      if (text === undefined) {
        silent.push(node.name);
        return [];
      }
      const lastingMs = text.reason === 'Unconsolidatable' || PASSING.has(blocker.kind) ? LASTING_MS : 0;
      return [{ about: node.name, what: text.sameAs ?? text.message, lastingMs, node, text }];
    };
    const texts = madeApart(kept, saidOf, { logger: this.#logger, nameOf: ({ node }) => node.name });
    return this.#filter.pick(texts, nowMs, silent).flatMap(({ node, text }) => eventsAbout(node, text));
  }
}

const eventsAbout = ({ name, claim }: KeptNode['node'], { reason, message }: BlockerText): readonly RecordedEvent[] => {
  const event = { reason, message, type: 'Normal', dedupeForMs: SAID_AGAIN_AFTER_MS } as const;
  return [{ ...event, subject: aboutNode({ name }) }, ...(claim === undefined ? [] : [{ ...event, subject: aboutClaim(claim) }])];
};

type EventText = Omit<RecordedEvent, 'subject'>;

/** Trouble with one machine. */
export type NodeTrouble = Extract<
  Decision,
  { readonly kind: 'deadline-nears' | 'drain-waiting' | 'volumes-awaited' | 'repair-blocked' | 'claim-inconsistent' | 'interrupted' }
>;

const warning = (reason: string, message: string): EventText => ({ type: 'Warning', reason, message });
const REPAIR_DEDUPE_MS = 15 * 60_000;
const DRAIN_DEDUPE_MS = 5 * 60_000;

const onBoth = ({ node, claim }: { readonly node: Node; readonly claim?: NodeClaim }, event: EventText): readonly RecordedEvent[] =>
  [aboutNode(node.metadata), ...(claim === undefined ? [] : [aboutClaim(claim)])].map((subject) => ({ ...event, subject }));

/** What is said on the node, its claim and its pool about trouble with a machine. */
export const nodeTroubleEvents = (trouble: NodeTrouble): readonly RecordedEvent[] => {
  switch (trouble.kind) {
    case 'deadline-nears': {
      return onBoth(trouble, warning('TerminationGracePeriodExpiring', `All pods will be deleted by ${trouble.deadline}`));
    }
    case 'drain-waiting': {
      // The message names pods and figures of budgets, which change at each poll while the drain goes on slowly.
      const event = { ...warning('FailedDraining', `Failed to drain node, ${trouble.message}`), dedupeBy: trouble.holds };
      return onBoth(trouble, { ...event, dedupeForMs: DRAIN_DEDUPE_MS });
    }
    case 'volumes-awaited': {
      const event: EventText = {
        ...warning('AwaitingVolumeDetachment', `Awaiting the detachment of volumes: ${trouble.volumes.join(', ')}`),
        type: 'Normal',
      };
      return onBoth(trouble, event);
    }
    case 'repair-blocked': {
      const { node, claim } = trouble;
      const nodePool = claim.metadata.labels?.[labels.nodePool];
      const event: EventText = {
        ...warning('NodeRepairBlocked', 'More than 20% of the nodes are unhealthy, so none of them is replaced'),
        dedupeForMs: REPAIR_DEDUPE_MS,
      };
      const subjects = [aboutNode(node.metadata), aboutClaim(claim), ...(nodePool === undefined ? [] : [aboutPool(nodePool)])];
      return subjects.map((subject) => ({ ...event, subject }));
    }
    case 'interrupted': {
      const { node, claim, reason, deadlineMs } = trouble;
      const event = warning(
        'Interrupted',
        `${reason}: the cloud takes the machine away from ${timestampOf(deadlineMs)} on; its pods are moved before that`,
      );
      return [aboutNode(node.metadata), aboutClaim(claim)].map((subject) => ({ ...event, subject }));
    }
    case 'claim-inconsistent':
      return [{ ...warning('FailedConsistencyCheck', trouble.message), subject: aboutClaim(trouble.claim) }];
    default:
      return unreachable(trouble);
  }
};
