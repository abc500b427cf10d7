import type { VmEvent } from './vm-record.ts';

/** Who is told what happens to machines, in the order in which they asked. */
export class VmListeners {
  readonly #listeners = new Set<{ readonly call: (event: VmEvent) => void }>();

  add(call: (event: VmEvent) => void): Disposable {
    const listener = { call };
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  emit(event: VmEvent): void {
    for (const listener of [...this.#listeners]) listener.call(event);
  }
}
