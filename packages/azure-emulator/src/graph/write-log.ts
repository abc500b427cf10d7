import type { Clock } from '@karpenter/runtime';
import { idKey } from '../arm-id.ts';

/** A resource as ARM and Resource Graph show it. */
export interface ArmResource {
  readonly id: string;
  readonly name: string;
  /** `Microsoft.Compute/virtualMachines` */
  readonly type: string;
  readonly location: string;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Write {
  readonly atMs: number;
  /** Undefined: the resource was deleted. */
  readonly resource: ArmResource | undefined;
}

/** Every resource as it stood some time ago. Keeps only the writes that such a read can still need. */
export class WriteLog {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #writes = new Map<string, Write[]>();

  constructor(clock: Clock, delayMs: number) {
    this.#clock = clock;
    this.#delayMs = delayMs;
  }

  wrote(resource: ArmResource): void {
    this.#append(idKey(resource.id), resource);
  }

  deleted(id: string): void {
    this.#append(idKey(id), undefined);
  }

  /** The resources as Resource Graph knows them now, by id. */
  visible(): readonly ArmResource[] {
    const horizonMs = this.#clock.now() - this.#delayMs;
    const seen: [string, ArmResource][] = [];
    for (const [key, writes] of this.#writes) {
      const resource = writes.findLast((write) => write.atMs <= horizonMs)?.resource;
      if (resource) seen.push([key, resource]);
      else if (writes.at(-1)?.resource === undefined && (writes.at(-1)?.atMs ?? 0) <= horizonMs) this.#writes.delete(key);
    }
    return seen.sort(([left], [right]) => (left < right ? -1 : 1)).map(([, resource]) => resource);
  }

  #append(key: string, resource: ArmResource | undefined): void {
    const horizonMs = this.#clock.now() - this.#delayMs;
    const writes = this.#writes.get(key) ?? [];
    const visible = writes.findLastIndex((write) => write.atMs <= horizonMs);
    this.#writes.set(key, [...writes.slice(Math.max(0, visible)), { atMs: this.#clock.now(), resource }]);
  }
}
