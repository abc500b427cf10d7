import type { RecordedEvent } from '@karpenter/runtime';
import { unreachable } from '../../base/index.ts';
import { timestampOf } from '../../base/index.ts';
import type { LeaveAloneWish } from '../../cluster/index.ts';
import type { PodWish } from '../../ports/index.ts';
import { podId } from '../../state/index.ts';
import { aboutPod } from './event-subjects.ts';
import { News, SAID_AGAIN_AFTER_MS } from './news.ts';

type Told = Pick<RecordedEvent, 'type' | 'reason' | 'message'>;

const textOf = (wish: LeaveAloneWish): Told => {
  switch (wish.kind) {
    case 'invalid': {
      const message = `Annotation karpenter.sh/do-not-disrupt is "${wish.value}", which is ignored: it must be "true" or a duration like "30m"`;
      return { type: 'Warning', reason: 'InvalidDoNotDisruptAnnotation', message };
    }
    case 'lasting': {
      const message = `The time of the annotation karpenter.sh/do-not-disrupt ends at ${timestampOf(wish.untilMs)}`;
      return { type: 'Normal', reason: 'DoNotDisruptUntil', message };
    }
    case 'over': {
      const message = 'The time of the annotation karpenter.sh/do-not-disrupt is over: the pod may be disrupted';
      return { type: 'Normal', reason: 'DoNotDisruptGracePeriodElapsed', message };
    }
    default:
      return unreachable(wish);
  }
};

/** Tells pods what becomes of their wish to be left alone: when it ends, that it has ended, or that it makes no sense. */
export class PodWishEvents {
  readonly #news = new News();

  of(wishes: readonly PodWish[], nowMs: number): readonly RecordedEvent[] {
    const texts = wishes.map(({ pod, wish }) => {
      const text = textOf(wish);
      return { about: podId(pod), what: text.message, pod, text };
    });
    return this.#news.pick(texts, nowMs).map(({ pod, text }) => ({ ...text, subject: aboutPod(pod), dedupeForMs: SAID_AGAIN_AFTER_MS }));
  }
}
