import { Script } from 'node:vm';

const script = new Script('globalThis.__runWithinBudget()');

/** Milliseconds that this thread has computed: what it waited for a busy machine is not in it. */
const computedMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const isTimeout = (error) => error instanceof Error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Calls a function that may never come to an end, and waits for what it returns. Only the part that runs at once is
 * held to the budget.
 *
 * @returns how long it computed, and `error` where it threw or `isOver` where it was stopped
 */
export const withinBudget = async (run, budgetMs) => {
  globalThis.__runWithinBudget = run;
  for (let patienceMs = Math.ceil(budgetMs); ; patienceMs *= 4) {
    const start = computedMs();
    try {
      await script.runInThisContext({ timeout: patienceMs });
      return { tookMs: computedMs() - start };
    } catch (error) {
      const tookMs = computedMs() - start;
      if (!isTimeout(error)) return { tookMs, error };
      // The clock stops it; where the machine had no time for it, it is given more.
      if (tookMs >= budgetMs / 2) return { tookMs, isOver: true };
    }
  }
};
