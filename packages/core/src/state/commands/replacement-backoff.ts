import type { Clock } from '../../ports/index.ts';
import type { MachineKey } from '../machines/machine-index.ts';

/** A drifted machine whose replacement failed. */
export interface FailedReplacement {
  /** The last command that was abandoned, and why. */
  readonly commandId: string;
  readonly why: string;
  /** How often in a row. */
  readonly times: number;
  /** No further replacement is started before (epoch ms). */
  readonly untilMs: number;
}

/** After the first failure, the second, and so on; the last one from then on. */
const WAITS_MS = [1, 2, 4, 8, 15].map((minutes) => minutes * 60_000);

/**
 * Which drifted machines wait before they are replaced again, because their last replacements failed: an offering is
 * out of stock, or its machine did not become a node. Others go on meanwhile. Forgotten at a restart, which costs one
 * more try. Differs: the original starts the same replacement again in its next pass, before those of all other nodes.
 */
export class ReplacementBackoff {
  readonly #clock: Clock;
  readonly #failed = new Map<MachineKey, FailedReplacement>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A command about the machine was abandoned. One that is abandoned again, because a write failed half-way, counts once. */
  failed(machine: MachineKey, { commandId, why }: { readonly commandId: string; readonly why: string }): void {
    const before = this.#failed.get(machine);
    if (before?.commandId === commandId) return;
    const times = (before?.times ?? 0) + 1;
    const waitMs = WAITS_MS[Math.min(times, WAITS_MS.length) - 1] ?? 0;
    this.#failed.set(machine, { commandId, why, times, untilMs: this.#clock.now() + waitMs });
  }

  /** Also after the wait has ended: how often it has failed so far. */
  of(machine: MachineKey): FailedReplacement | undefined {
    return this.#failed.get(machine);
  }

  /** The machine is gone, or is not to be replaced any more. */
  forget(machine: MachineKey): void {
    this.#failed.delete(machine);
  }
}
