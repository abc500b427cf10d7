import { keyOfClaim } from '../../state/index.ts';
import type { ClusterState, MachineKey } from '../../state/index.ts';
import { candidateKeysOf } from './command-run.ts';
import type { CommandRun } from './command-run.ts';

/**
 * The commands in progress. Those with replacements survive a restart, because they are recorded on these
 * (`orphanedRuns`); the nodes of others are reopened at the next start. While a command waits for its replacements,
 * state counts its nodes as on their way out.
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
    else this.#exchanges.begin(id, { leaving: new Set(candidateKeysOf(run)), coming: new Set(stage.claimNames.map(keyOfClaim)) });
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

  /** Machines that some run is about to remove. */
  machines(): ReadonlySet<MachineKey> {
    return new Set(this.list().flatMap(candidateKeysOf));
  }

  /**
   * Machines that leave before those of a run that is validated: of runs that were proposed before it, which its plan
   * counted on, and of runs that have started. A run proposed later is validated later, against what became of this
   * one: counting it here would refuse both.
   */
  machinesBefore(validated: CommandRun): ReadonlySet<MachineKey> {
    const runs = this.list();
    const position = runs.findIndex(({ summary }) => summary.id === validated.summary.id);
    const before = runs.filter((run, index) => index !== position && (index < position || run.stage.kind !== 'validating'));
    return new Set(before.flatMap(candidateKeysOf));
  }
}
