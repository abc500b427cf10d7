import type { NodeClaim } from '../apis/index.ts';
import type { Clock } from '../ports/index.ts';
import type { MachineKey } from './machines/machine-index.ts';
import { LONGEST_DENIED_MS } from './pools/launch-backoff.ts';

/**
 * On a replacement's NodeClaim: the command that it was made for, as JSON. A controller that restarts goes on with the
 * command from it. Differs: the original forgets its commands at a restart: nodes that wait for a replacement are
 * opened again, and another is bought.
 */
export const REPLACES_ANNOTATION = 'karpenter.sh/replaces';

/** What is to be known of a command that others began. */
export interface CommandRecord {
  readonly id: string;
  readonly method: string;
  readonly reason: string;
  readonly startedMs: number;
  /** Names of the NodeClaims that are to go. */
  readonly candidates: readonly string[];
  /** How many NodeClaims carry this record. */
  readonly replacements: number;
  readonly savingsPerHour: number;
}

const isRecord = (value: unknown): value is CommandRecord => {
  const { id, method, reason, startedMs, candidates, replacements, savingsPerHour } = (value ?? {}) as Record<string, unknown>;
  return (
    [id, method, reason].every((each) => typeof each === 'string') &&
    [startedMs, replacements, savingsPerHour].every((each) => typeof each === 'number') &&
    Array.isArray(candidates)
  );
};

/** As the annotation says it. */
export const commandRecordText = (record: CommandRecord): string => JSON.stringify(record);

/** The command that a claim was made for; `undefined` for one made for pods, and for a text that somebody else wrote there. */
export const commandRecordOf = ({ metadata }: NodeClaim): CommandRecord | undefined => {
  const text = metadata.annotations?.[REPLACES_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

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
 * are about to delete. One is over when its command ends it, or as soon as one of its replacements is gone. The nodes
 * that were to leave then stay, and nobody plans for their pods, even before the command is called off.
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

/** A machine whose replacement failed: a drifted one, or one whose replacement the API server refused. */
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
/** Reasons by which replacements are refused → the longest wait. */
const REFUSALS: ReadonlyMap<string, number> = new Map([
  ['refused', Number.POSITIVE_INFINITY],
  ['denied', LONGEST_DENIED_MS],
]);

/** Whether the API server or its admission did not take the replacement. */
export const isRefusedReplacement = (why: string): boolean => REFUSALS.has(why);

/**
 * Which machines wait before they are replaced again, because their last replacements failed. An offering was out of
 * stock, its machine did not become a node, or its claim was refused. Others go on meanwhile. Forgotten at a restart,
 * which costs one more try. Differs: the original starts the same replacement again in its next pass, before those of
 * all other nodes.
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
    const waitMs = Math.min(WAITS_MS[Math.min(times, WAITS_MS.length) - 1] ?? 0, REFUSALS.get(why) ?? Number.POSITIVE_INFINITY);
    this.#failed.set(machine, { commandId, why, times, untilMs: this.#clock.now() + waitMs });
  }

  /** Also after the wait has ended: how often it has failed so far. */
  of(machine: MachineKey): FailedReplacement | undefined {
    return this.#failed.get(machine);
  }

  /** The machine has not drifted, or does no more. What was refused counts for consolidation too. */
  forgetDrift(machine: MachineKey): void {
    if (!isRefusedReplacement(this.of(machine)?.why ?? '')) this.forget(machine);
  }

  /** The machine is gone. */
  forget(machine: MachineKey): void {
    this.#failed.delete(machine);
  }
}
