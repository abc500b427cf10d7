/** Gives equal values one object. Holds them weakly: what nobody uses any more is forgotten. */
export class Interner<T extends object> {
  readonly #byKey = new Map<string, WeakRef<T>>();
  #sweepAt = 1024;

  /** The value that was first given for `key` and is still in use, or `value` from now on. */
  intern(key: string, value: T): T {
    const known = this.#byKey.get(key)?.deref();
    if (known !== undefined) return known;
    this.#byKey.set(key, new WeakRef(value));
    if (this.#byKey.size >= this.#sweepAt) this.#sweep();
    return value;
  }

  #sweep(): void {
    for (const [key, ref] of this.#byKey) if (ref.deref() === undefined) this.#byKey.delete(key);
    this.#sweepAt = Math.max(1024, this.#byKey.size * 2);
  }
}
