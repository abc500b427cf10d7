import type { MachineKey } from '../machines/machine-index.ts';

/** Machines that are to go once others can run pods. */
export interface Exchange {
  /** Never empty. */
  readonly leaving: ReadonlySet<MachineKey>;
  readonly coming: ReadonlySet<MachineKey>;
}

/** How the machines of the cluster take part. */
export interface ExchangesParts {
  /** Whether the machine is there, or on its way, and not being deleted. */
  readonly isStaying: (machine: MachineKey) => boolean;
  /** These are on their way out from now on, or no longer. */
  readonly touch: (machine: MachineKey) => void;
}

/**
 * The exchanges that commands have begun, each by the id of its command: the one truth about which machines commands
 * are about to delete. One is over when its command ends it, and in the very moment in which something goes that was to
 * come: what was to leave stays then, and nobody plans for its pods, even before the command is called off.
 */
export class Exchanges {
  readonly #parts: ExchangesParts;
  readonly #open = new Map<string, Exchange>();

  constructor(parts: ExchangesParts) {
    this.#parts = parts;
  }

  /** Begins it, unless something is gone already that was to come. */
  begin(id: string, exchange: Exchange): void {
    if (![...exchange.coming].every((machine) => this.#parts.isStaying(machine))) return;
    this.#open.set(id, exchange);
    exchange.leaving.forEach(this.#parts.touch);
  }

  /** Ends it, if it is not over. */
  end(id: string): void {
    const exchange = this.#open.get(id);
    this.#open.delete(id);
    exchange?.leaving.forEach(this.#parts.touch);
  }

  /** The machine goes: whatever waited for it is over. */
  lose(machine: MachineKey): void {
    for (const [id, { coming }] of [...this.#open]) if (coming.has(machine)) this.end(id);
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  isLeaving(machine: MachineKey): boolean {
    for (const { leaving } of this.#open.values()) if (leaving.has(machine)) return true;
    return false;
  }

  /** Those that are not over, by the ids of their commands. */
  entries(): Iterable<readonly [string, Exchange]> {
    return this.#open.entries();
  }
}
