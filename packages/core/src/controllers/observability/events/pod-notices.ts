import type { RecordedEvent } from '@karpenter/runtime';
import { shortText, timestampOf, unreachable } from '../../../base/index.ts';
import type { DoNotDisruptStatus } from '../../../cluster/index.ts';
import type { Pod } from '../../../kube/index.ts';
import type { Logger, PodDoNotDisrupt, StuckResize } from '../../../ports/index.ts';
import { podId } from '../../../state/index.ts';
import { NoticeFilter, SAID_AGAIN_AFTER_MS, aboutPod, madeApart } from './event-subjects.ts';

type NoticeEvent = Pick<RecordedEvent, 'type' | 'reason' | 'message'>;

const doNotDisruptText = (status: DoNotDisruptStatus): NoticeEvent => {
  switch (status.kind) {
    case 'invalid': {
      const message = `Annotation karpenter.sh/do-not-disrupt is "${shortText(status.value)}", which is ignored: it must be "true" or a duration like "30m"`;
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

const resizeText = ({ nodeName, trouble: { reason, message } }: StuckResize): NoticeEvent => {
  const because = message === '' ? '' : ` (${message})`;
  switch (reason) {
    case 'Deferred': {
      const text = `The resize waits for room on node ${nodeName}${because}; no pod is moved for it, but a node that replaces this one has the room`;
      return { type: 'Normal', reason: 'ResizePending', message: text };
    }
    case 'Infeasible': {
      const text = `Node ${nodeName} cannot hold the resize${because}; a new pod with these requests gets a node that can`;
      return { type: 'Warning', reason: 'ResizePending', message: text };
    }
    case 'Error':
      return { type: 'Warning', reason: 'ResizePending', message: `The resize on node ${nodeName} fails${because}` };
    default:
      return unreachable(reason);
  }
};

/** Events on pods that repeat while something lasts: one kind of notice, with its text. */
export class PodNotices<T extends { readonly pod: Pod }> {
  readonly #filter = new NoticeFilter();
  readonly #logger: Logger;
  readonly #textOf: (notice: T) => NoticeEvent;

  constructor(logger: Logger, textOf: (notice: T) => NoticeEvent) {
    this.#logger = logger;
    this.#textOf = textOf;
  }

  of(notices: readonly T[], nowMs: number): readonly RecordedEvent[] {
    const saidOf = (notice: T) => {
      const text = this.#textOf(notice);
      return [{ about: podId(notice.pod), what: text.message, pod: notice.pod, text }];
    };
    const texts = madeApart(notices, saidOf, { logger: this.#logger, nameOf: ({ pod }) => podId(pod) });
    return this.#filter.pick(texts, nowMs).map(({ pod, text }) => ({ ...text, subject: aboutPod(pod), dedupeForMs: SAID_AGAIN_AFTER_MS }));
  }
}

/** Events on pods about their `do-not-disrupt`: when it ends, that it has ended, or that it is malformed. */
export const doNotDisruptNotices = (logger: Logger): PodNotices<PodDoNotDisrupt> =>
  new PodNotices(logger, ({ status }) => doNotDisruptText(status));

/** Events on pods that state why their in-place resize is stuck. */
export const resizeNotices = (logger: Logger): PodNotices<StuckResize> => new PodNotices(logger, resizeText);
