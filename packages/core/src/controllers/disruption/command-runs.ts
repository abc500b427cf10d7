import type { MachineKey } from '../../state/index.ts';
import { machinesOf } from './command-run.ts';
import type { CommandRun } from './command-run.ts';

/**
 * The commands of this process that are on their way. Those that had asked for replacements outlive it, told by them (`orphanedRuns`); of the
 * others the taints are taken back at the next start.
 */
export class CommandRuns {
  readonly #runs = new Map<string, CommandRun>();

  /** Adds a run, or replaces it by its next stage. */
  set(run: CommandRun): void {
    this.#runs.set(run.summary.id, run);
  }

  delete(run: CommandRun): void {
    this.#runs.delete(run.summary.id);
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#runs.keys());
  }

  list(): readonly CommandRun[] {
    return [...this.#runs.values()];
  }

  /** Machines that some run, other than `except`, is about to give up. */
  machines(except?: CommandRun): ReadonlySet<MachineKey> {
    return new Set(this.list().flatMap((run) => (run.summary.id === except?.summary.id ? [] : machinesOf(run))));
  }
}
