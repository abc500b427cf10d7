import type { RecordedEvent } from '@karpenter/runtime';
import type { KeptNode, Logger } from '../../../ports/index.ts';
import { blockerText } from './blocker-text.ts';
import type { BlockerText } from './blocker-text.ts';
import { aboutClaim, aboutNode } from './event-subjects.ts';
import { madeApart } from './made-apart.ts';
import { News, SAID_AGAIN_AFTER_MS } from './news.ts';

/**
 * Events on nodes and their claims that state why the nodes stay. Remembers the last event of each node, because every
 * pass, some seconds apart, reports all nodes of a cluster, mostly with the same reasons.
 */
export class KeptNodeEvents {
  readonly #news = new News();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  of(kept: readonly KeptNode[], nowMs: number): readonly RecordedEvent[] {
    const saidOf = ({ node, blocker }: KeptNode) => {
      const text = blockerText(blocker);
      return text === undefined ? [] : [{ about: node.name, what: text.sameAs ?? text.message, node, text }];
    };
    const texts = madeApart(kept, saidOf, { logger: this.#logger, nameOf: ({ node }) => node.name });
    return this.#news.pick(texts, nowMs).flatMap(({ node, text }) => eventsAbout(node, text));
  }
}

const eventsAbout = ({ name, claim }: KeptNode['node'], { reason, message }: BlockerText): readonly RecordedEvent[] => {
  const event = { reason, message, type: 'Normal', dedupeForMs: SAID_AGAIN_AFTER_MS } as const;
  return [{ ...event, subject: aboutNode({ name }) }, ...(claim === undefined ? [] : [{ ...event, subject: aboutClaim(claim) }])];
};
