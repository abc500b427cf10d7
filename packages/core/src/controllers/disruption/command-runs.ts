import { keyOfClaim } from '../../state/index.ts';
import type { ClusterState, MachineKey } from '../../state/index.ts';
import { machinesOf } from './command-run.ts';
import type { CommandRun } from './command-run.ts';

/**
 * The commands in progress. Those with replacements survive a restart, because they are recorded on these (`orphanedRuns`); the nodes of others are
 * reopened at the next start. While a command waits for its replacements, state counts its nodes as on their way out.
 */
export class CommandRuns {
  readonly #runs = new Map<string, CommandRun>();
  readonly #exchanges: ClusterState['exchanges'];

  constructor({ exchanges }: Pick<ClusterState, 'exchanges'>) {
    this.#exchanges = exchanges;
  }

  /** Adds a run, or replaces it by its next stage. */
  set(run: CommandRun): void {
    const { stage } = run;
    const { id } = run.summary;
    this.#runs.set(id, run);
    if (stage.kind !== 'replacing') this.#exchanges.end(id);
    else this.#exchanges.begin(id, { leaving: new Set(machinesOf(run)), coming: new Set(stage.claimNames.map(keyOfClaim)) });
  }

  delete(run: CommandRun): void {
    this.#runs.delete(run.summary.id);
    this.#exchanges.end(run.summary.id);
  }

  get(id: string): CommandRun | undefined {
    return this.#runs.get(id);
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
