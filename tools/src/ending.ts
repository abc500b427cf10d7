import { constants } from 'node:os';

/** Why a program ends before its last step. */
export interface EarlyEnd {
  readonly reason: string;
  /** 128 and the signal's number for a signal, as shells have it; else 1. */
  readonly exitCode: number;
}

/** What can end a program early. The first reason stands. */
export interface Ending {
  readonly signal: AbortSignal;
  /** Defined once the program must end. */
  why(): EarlyEnd | undefined;
  end(reason: string): void;
  /** Settles as `promise` does, or rejects as soon as the program must end. */
  orEnd<T>(promise: Promise<T>): Promise<T>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens for Ctrl-C and the like for as long as the process lives: a second Ctrl-C must not leave the children behind. */
export const createEnding = (): Ending => {
  const controller = new AbortController();
  const { signal } = controller;
  let why: EarlyEnd | undefined;
  const end = (early: EarlyEnd): void => {
    why ??= early;
    controller.abort(new Error(why.reason));
  };
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  for (const name of SIGNALS) process.on(name, () => end({ reason: `interrupted (${name})`, exitCode: 128 + constants.signals[name] }));
  return {
    signal,
    why: () => why,
    end: (reason) => end({ reason, exitCode: 1 }),
    orEnd: (promise) => Promise.race([promise, ended]),
  };
};
