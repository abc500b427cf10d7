/** The end of a wire between two processes: `process` in a child, the ChildProcess in its parent. */
export interface Port {
  on(event: 'message', hear: (message: unknown) => void): unknown;
  once(event: 'disconnect', hear: () => void): unknown;
  readonly connected: boolean;
  send?(message: object): unknown;
}

/** The calls that one side answers; argument and answer are JSON. */
export type Answers = Readonly<Record<string, (argument: never) => unknown>>;

/** Asks the other side. Errors: RpcError where it refused, or ended before it answered. */
export type Ask = (method: string, argument?: unknown) => Promise<unknown>;

interface Refusal {
  readonly message: string;
  readonly code: string;
}

type Message =
  | { readonly kind: 'ask'; readonly id: number; readonly method: string; readonly argument: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly refusal: Refusal };

/** The call was refused; `code` is that of the error on the other side, empty where it had none. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: string;

  constructor({ message, code }: Refusal) {
    super(message);
    this.code = code;
  }
}

const refusalOf = (error: unknown): Refusal => ({
  message: error instanceof Error ? error.message : String(error),
  code: error instanceof Error && 'code' in error ? String(error.code) : '',
});

/** Questions and answers in both directions over one wire. */
export const rpcOver = (port: Port, answers: Answers): Ask => {
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  const send = (message: Message): void => {
    if (port.connected) port.send?.(message);
  };

  const answer = async ({ id, method, argument }: Extract<Message, { kind: 'ask' }>): Promise<void> => {
    try {
      const work = answers[method];
      if (work === undefined) throw new TypeError(`nobody answers to ${method}`);
      send({ kind: 'answer', id, answer: await work(argument as never) });
    } catch (error) {
      send({ kind: 'refusal', id, refusal: refusalOf(error) });
    }
  };

  const take = (id: number): PromiseWithResolvers<unknown> | undefined => {
    const asked = open.get(id);
    open.delete(id);
    return asked;
  };

  port.on('message', (raw) => {
    const message = raw as Message;
    if (message.kind === 'ask') void answer(message);
    else if (message.kind === 'answer') take(message.id)?.resolve(message.answer);
    else take(message.id)?.reject(new RpcError(message.refusal));
  });

  port.once('disconnect', () => {
    for (const { reject } of open.values()) reject(new RpcError({ message: 'the other process has ended', code: 'ended' }));
  });

  return (method, argument) => {
    const asked = Promise.withResolvers<unknown>();
    open.set((last += 1), asked);
    send({ kind: 'ask', id: last, method, argument });
    return asked.promise;
  };
};
