/** What ends a run before its time: Ctrl-C, a service manager, a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption extends Disposable {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
}

/** Turns the first signal into an aborted `signal`, so that what was made is taken down; each later one calls `onAgain`. */
export const interruption = (onAgain: () => void): Interruption => {
  const interrupted = new AbortController();
  const hear = (name: NodeJS.Signals): void => {
    if (interrupted.signal.aborted) onAgain();
    else interrupted.abort(new Error(`interrupted by ${name}`));
  };
  for (const name of SIGNALS) process.on(name, hear);
  return {
    signal: interrupted.signal,
    [Symbol.dispose]: () => {
      for (const name of SIGNALS) process.off(name, hear);
    },
  };
};
