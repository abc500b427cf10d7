import { createHash } from 'node:crypto';

/** Identifiers and chances that repeat with a seed, one independent sequence for each purpose. */
export class IdSource {
  readonly #seed: number;
  readonly #next = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The next UUID for a purpose (`'vm'`, `'request'`). */
  uuid(purpose: string): string {
    const hex = this.#digest(purpose);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  /** The next number in 0..1 for a purpose. */
  chance(purpose: string): number {
    return Number.parseInt(this.#digest(purpose).slice(0, 8), 16) / 2 ** 32;
  }

  /** The next number of eight digits for a purpose, as AKS puts them into names. */
  digits(purpose: string): string {
    return String(Math.floor(this.chance(purpose) * 90_000_000) + 10_000_000);
  }

  #digest(purpose: string): string {
    const next = this.#next.get(purpose) ?? 0;
    this.#next.set(purpose, next + 1);
    return createHash('sha256')
      .update(`${String(this.#seed)}/${purpose}/${String(next)}`)
      .digest('hex');
  }
}
