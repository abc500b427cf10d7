import type { RecordedEvent } from '@karpenter/runtime';
import { unreachable } from '../../../base/index.ts';
import { timestampOf } from '../../../base/index.ts';
import type { DoNotDisruptStatus } from '../../../cluster/index.ts';
import type { Logger, PodDoNotDisrupt } from '../../../ports/index.ts';
import { podId } from '../../../state/index.ts';
import { aboutPod } from './event-subjects.ts';
import { madeApart } from './made-apart.ts';
import { News, SAID_AGAIN_AFTER_MS } from './news.ts';

type Told = Pick<RecordedEvent, 'type' | 'reason' | 'message'>;

const textOf = (status: DoNotDisruptStatus): Told => {
  switch (status.kind) {
    case 'invalid': {
      const message = `Annotation karpenter.sh/do-not-disrupt is "${status.value}", which is ignored: it must be "true" or a duration like "30m"`;
      return { type: 'Warning', reason: 'InvalidDoNotDisruptAnnotation', message };
    }
    case 'lasting': {
      const message = `The time of the annotation karpenter.sh/do-not-disrupt ends at ${timestampOf(status.untilMs)}`;
      return { type: 'Normal', reason: 'DoNotDisruptUntil', message };
    }
    case 'over': {
      const message = 'The time of the annotation karpenter.sh/do-not-disrupt is over: the pod may be disrupted';
      return { type: 'Normal', reason: 'DoNotDisruptGracePeriodElapsed', message };
    }
    default:
      return unreachable(status);
  }
};

/** Events that tell pods what becomes of their `do-not-disrupt`: when it ends, that it has ended, or that it is malformed. */
export class DoNotDisruptEvents {
  readonly #news = new News();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  of(pods: readonly PodDoNotDisrupt[], nowMs: number): readonly RecordedEvent[] {
    const saidOf = ({ pod, status }: PodDoNotDisrupt) => {
      const text = textOf(status);
      return [{ about: podId(pod), what: text.message, pod, text }];
    };
    const texts = madeApart(pods, saidOf, { logger: this.#logger, nameOf: ({ pod }) => podId(pod) });
    return this.#news.pick(texts, nowMs).map(({ pod, text }) => ({ ...text, subject: aboutPod(pod), dedupeForMs: SAID_AGAIN_AFTER_MS }));
  }
}
