import type { MachineKey } from '../machines/machine-index.ts';

interface Nomination {
  readonly machine: MachineKey;
  /** Epoch ms; undefined while the machine is still coming up. */
  readonly untilMs: number | undefined;
}

/**
 * Which machine each pod is nominated for. A nominated pod is not planned again, and its room is not given to another.
 * A nomination ends when the pod runs or goes, when the machine goes, or some time after the machine came up.
 */
export class Nominations {
  readonly #byPod = new Map<string, Nomination>();
  readonly #byMachine = new Map<MachineKey, Set<string>>();

  /** Without `untilMs` the nomination lasts until `startExpiry`. */
  nominate(podId: string, machine: MachineKey, untilMs?: number): void {
    this.release(podId);
    this.#byPod.set(podId, { machine, untilMs });
    this.#byMachine.set(machine, (this.#byMachine.get(machine) ?? new Set()).add(podId));
  }

  release(podId: string): void {
    const nomination = this.#byPod.get(podId);
    if (nomination === undefined) return;
    this.#byPod.delete(podId);
    const pods = this.#byMachine.get(nomination.machine);
    pods?.delete(podId);
    if (pods?.size === 0) this.#byMachine.delete(nomination.machine);
  }

  releaseAll(machine: MachineKey): void {
    for (const pod of [...this.podsFor(machine)]) this.release(pod);
  }

  /** The machine is up: nominations without an end get one. */
  startExpiry(machine: MachineKey, untilMs: number): void {
    for (const pod of [...this.podsFor(machine)]) {
      if (this.#byPod.get(pod)?.untilMs === undefined) this.#byPod.set(pod, { machine, untilMs });
    }
  }

  /** Ends nominations whose time is over. Returns the machines concerned. */
  expire(nowMs: number): ReadonlySet<MachineKey> {
    const concerned = new Set<MachineKey>();
    for (const [pod, { machine, untilMs }] of [...this.#byPod]) {
      if (untilMs === undefined || nowMs < untilMs) continue;
      this.release(pod);
      concerned.add(machine);
    }
    return concerned;
  }

  machineOf(podId: string): MachineKey | undefined {
    return this.#byPod.get(podId)?.machine;
  }

  /**
   * Epoch ms at which the last nomination for the machine ends; Infinity while it is coming up; undefined when there is
   * none.
   */
  latestEnd(machine: MachineKey): number | undefined {
    const ends = [...this.podsFor(machine)].map((pod) => this.#byPod.get(pod)?.untilMs ?? Number.POSITIVE_INFINITY);
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  podsFor(machine: MachineKey): ReadonlySet<string> {
    return this.#byMachine.get(machine) ?? new Set();
  }

  machines(): Iterable<MachineKey> {
    return this.#byMachine.keys();
  }
}
