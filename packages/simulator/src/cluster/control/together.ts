/** Disposes several things as one, in the order given. */
export const together = (...parts: readonly Disposable[]): Disposable => ({
  [Symbol.dispose]: () => {
    for (const part of parts) part[Symbol.dispose]();
  },
});
