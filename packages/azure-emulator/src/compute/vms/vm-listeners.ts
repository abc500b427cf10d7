import type { VmEvent } from './vm-record.ts';

/** The listeners for events of machines, in the order of their registration. */
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
