import { setTimeout } from 'node:timers/promises';

const CHECK_EVERY_MS = 50;

export interface Patience {
  readonly withinMs?: number;
  /** What is there instead, for the error. */
  readonly instead?: () => string;
}

/** Waits in real time until something that happens in another process is so; says what is not when it takes too long. */
export const eventually = async (what: string, isSo: () => boolean | Promise<boolean>, patience: Patience = {}): Promise<void> => {
  const { withinMs = 60_000, instead } = patience;
  const endMs = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`after ${withinMs} ms it is still not so that ${what} ${instead?.() ?? ''}`.trimEnd());
    await setTimeout(CHECK_EVERY_MS);
  }
};
