import { KubeError } from '../../client/kube-error.ts';

/** A reader that is pushed to. */
export interface Subscription<T> {
  push(event: T): void;
  end(failure?: KubeError): void;
  readonly events: AsyncGenerator<T>;
}

/** Events as they are pushed, until the end or the signal. */
export const subscription = <T>(signal: AbortSignal | undefined): Subscription<T> => {
  const queue: ({ readonly event: T } | { readonly end: KubeError | undefined })[] = [];
  let wake = Promise.withResolvers<undefined>();
  const put = (item: (typeof queue)[number]): void => {
    queue.push(item);
    wake.resolve(undefined);
  };
  signal?.addEventListener('abort', () => put({ end: new KubeError('ended', { code: 'aborted', cause: undefined }) }));
  async function* events(): AsyncGenerator<T> {
    for (;;) {
      const item = queue.shift();
      if (item === undefined) {
        wake = Promise.withResolvers<undefined>();
        await wake.promise;
      } else if ('event' in item) yield item.event;
      else if (item.end === undefined) return;
      else throw item.end;
    }
  }
  return { push: (event) => put({ event }), end: (end) => put({ end }), events: events() };
};
