import type { MachineKey } from '../../state/index.ts';
import { machinesOf } from './command-run.ts';
import type { CommandRun } from './command-run.ts';

/** The commands of this process that are on their way. Lost at a restart: then their taints are taken back. */
export class CommandRuns {
  readonly #runs = new Map<string, CommandRun>();

  /** Adds a run, or replaces it by its next stage. */
  set(run: CommandRun): void {
    this.#runs.set(run.id, run);
  }

  delete(run: CommandRun): void {
    this.#runs.delete(run.id);
  }

  list(): readonly CommandRun[] {
    return [...this.#runs.values()];
  }

  /** Machines that some run, other than `except`, is about to give up. */
  machines(except?: CommandRun): ReadonlySet<MachineKey> {
    return new Set(this.list().flatMap((run) => (run.id === except?.id ? [] : machinesOf(run))));
  }
}
