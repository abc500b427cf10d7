import type { RecordedEvent } from '@karpenter/runtime';
import type { KeptNode } from '../../ports/index.ts';
import { blockerText } from './blocker-text.ts';
import type { BlockerText } from './blocker-text.ts';
import { aboutClaim, aboutNode } from './event-subjects.ts';

/** The same is said again after so long: events are forgotten by the API server after an hour. */
const AGAIN_AFTER_MS = 15 * 60_000;

/** The others come with the next passes: the recorder drops what is more than a hundred at once, whatever it is about. */
const NODES_A_PASS = 25;

/**
 * Tells why nodes stay, on the node and its claim. Remembers what was told of each node, since a pass asks every few seconds about all
 * nodes of a cluster and their answers are mostly the same.
 */
export class KeptNodeEvents {
  readonly #told = new Map<string, { readonly what: string; readonly atMs: number }>();

  of(kept: readonly KeptNode[], nowMs: number): readonly RecordedEvent[] {
    for (const [name, { atMs }] of this.#told) if (nowMs >= atMs + AGAIN_AFTER_MS) this.#told.delete(name);
    const news = kept.flatMap(({ node, blocker }) => {
      const text = blockerText(blocker);
      return text === undefined || this.#told.get(node.name)?.what === whatOf(text) ? [] : [{ node, text }];
    });
    return news.slice(0, NODES_A_PASS).flatMap(({ node, text }) => {
      this.#told.set(node.name, { what: whatOf(text), atMs: nowMs });
      return eventsAbout(node, text);
    });
  }
}

const whatOf = ({ message, sameAs }: BlockerText): string => sameAs ?? message;

const eventsAbout = ({ name, claim }: KeptNode['node'], { reason, message }: BlockerText): readonly RecordedEvent[] => {
  const event = { reason, message, type: 'Normal', dedupeForMs: AGAIN_AFTER_MS } as const;
  return [{ ...event, subject: aboutNode({ name }) }, ...(claim === undefined ? [] : [{ ...event, subject: aboutClaim(claim) }])];
};
