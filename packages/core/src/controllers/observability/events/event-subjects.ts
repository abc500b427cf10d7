import { reportSafely } from '@karpenter/runtime';
import type { RecordedEvent } from '@karpenter/runtime';
import type { NodeClaim, RebalancePlan } from '../../../apis/index.ts';
import { namespaceOf } from '../../../kube/index.ts';
import type { Node, Pod } from '../../../kube/index.ts';
import type { Caches, Logger } from '../../../ports/index.ts';

type Subject = RecordedEvent['subject'];

const withUid = (uid: string | undefined): { readonly uid?: string } => (uid === undefined ? {} : { uid });

export const aboutClaim = ({ metadata: { name, uid } }: { readonly metadata: Pick<NodeClaim['metadata'], 'name' | 'uid'> }): Subject => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  name,
  ...withUid(uid),
});

export const aboutNode = ({ name, uid }: Pick<Node['metadata'], 'name' | 'uid'>): Subject => ({
  apiVersion: 'v1',
  kind: 'Node',
  name,
  ...withUid(uid),
});

export const aboutRebalancePlan = ({ metadata: { name, uid } }: RebalancePlan): Subject => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'RebalancePlan',
  name,
  ...withUid(uid),
});

export const aboutPool = (name: string): Subject => ({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name });

export const aboutPod = (pod: Pod): Subject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: pod.metadata.name,
  namespace: namespaceOf(pod),
  ...withUid(pod.metadata.uid),
});

const uidIn = ({ kind, name }: Subject, { nodes, nodeClaims, nodePools }: Pick<Caches, 'nodes' | 'nodeClaims' | 'nodePools'>) => {
  switch (kind) {
    case 'Node':
      return nodes.get({ name })?.metadata.uid;
    case 'NodeClaim':
      return nodeClaims.get({ name })?.metadata.uid;
    case 'NodePool':
      return nodePools.get({ name })?.metadata.uid;
    default:
      return undefined;
  }
};

/**
 * The event with the uid of its subject, by which `kubectl describe` finds it; undefined for an event on a node that
 * does not exist, such as that of a claim that has not registered.
 */
export const withSubjectUid = (
  event: RecordedEvent,
  caches: Pick<Caches, 'nodes' | 'nodeClaims' | 'nodePools'>,
): RecordedEvent | undefined => {
  const { subject } = event;
  if (subject.uid !== undefined) return event;
  if (subject.kind === 'Node' && caches.nodes.get({ name: subject.name }) === undefined) return undefined;
  return { ...event, subject: { ...subject, ...withUid(uidIn(subject, caches)) } };
};

/**
 * Makes something of each item for a report. If that throws for one item, the item is left out and logged by its name:
 * it costs the others nothing.
 */
export const madeApart = <T, R>(
  items: readonly T[],
  make: (item: T) => readonly R[],
  { logger, nameOf }: { readonly logger: Logger; readonly nameOf: (item: T) => string },
): readonly R[] => {
  const made: R[] = [];
  for (const item of items) reportSafely({ logger, about: { item: nameOf(item) } }, () => void made.push(...make(item)));
  return made;
};

/** The same is said again after so long: events are forgotten by the API server after an hour. */
export const SAID_AGAIN_AFTER_MS = 15 * 60_000;

/** The others come with the next passes: the recorder drops what is more than a hundred at once, whatever it is about. */
const MOST_AT_ONCE = 25;

/** One thing to say about a subject. */
export interface Notice {
  readonly about: string;
  /** What makes it the same as what was said before. */
  readonly what: string;
  /** It is due only once it has been the same for so long. Default: at once. */
  readonly lastingMs?: number;
}

interface Memory {
  readonly what: string;
  readonly atMs: number;
}

/** Picks what differs from what was said of the same subject in the last 15 minutes, a few at a time. */
export class NoticeFilter {
  readonly #said = new Map<string, Memory>();
  /** What the last pass said of each subject, and since when. */
  #standing: ReadonlyMap<string, Memory> = new Map();
  readonly #changesAfterMs: number;

  /** `changesAfterMs`: for so long after something was said of a subject, nothing else is. Default 0. */
  constructor({ changesAfterMs = 0 }: { readonly changesAfterMs?: number } = {}) {
    this.#changesAfterMs = changesAfterMs;
  }

  /**
   * Returns the due notices that have waited longest, and counts them as said. Subjects that are not in the list are
   * forgotten in time.
   * `silent`: subjects that nothing is said about this time; their last still holds.
   */
  pick<T extends Notice>(all: readonly T[], nowMs: number, silent: readonly string[] = []): readonly T[] {
    this.#stand(all, nowMs, silent);
    const isDue = ({ about, what, lastingMs = 0 }: T): boolean => {
      const said = this.#said.get(about);
      if (nowMs < (this.#standing.get(about)?.atMs ?? nowMs) + lastingMs) return false;
      if (said === undefined) return true;
      return nowMs >= said.atMs + (said.what === what ? SAID_AGAIN_AFTER_MS : this.#changesAfterMs);
    };
    const saidMs = ({ about }: T): number => this.#said.get(about)?.atMs ?? 0;
    const due = all
      .filter(isDue)
      .sort((a, b) => saidMs(a) - saidMs(b))
      .slice(0, MOST_AT_ONCE);
    this.#forget(all, nowMs);
    for (const { about, what } of due) this.#said.set(about, { what, atMs: nowMs });
    return due;
  }

  #stand(all: readonly Notice[], nowMs: number, silent: readonly string[]): void {
    const standing = new Map<string, Memory>();
    for (const about of silent) {
      const stood = this.#standing.get(about);
      if (stood !== undefined) standing.set(about, stood);
    }
    for (const { about, what } of all) {
      const stood = this.#standing.get(about);
      standing.set(about, stood?.what === what ? stood : { what, atMs: nowMs });
    }
    this.#standing = standing;
  }

  #forget(all: readonly Notice[], nowMs: number): void {
    const current = new Set(all.map(({ about }) => about));
    for (const [about, { atMs }] of this.#said) if (!current.has(about) && nowMs >= atMs + SAID_AGAIN_AFTER_MS) this.#said.delete(about);
  }
}
