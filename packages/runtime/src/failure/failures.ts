/** What failed of several things that are done apart, so that none holds up another. */
export class Failures {
  readonly #errors: unknown[] = [];

  /** Waits for the work. Never rejects: what the work throws is thrown by `throwIfAny`. */
  async apart(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => this.#errors.push(error));
  }

  /** `what` names the things in the message: `commands could not be continued`. Errors: the only failure, or all of them as one. */
  throwIfAny(what: string): void {
    if (this.#errors.length > 1) throw new AggregateError(this.#errors, `${this.#errors.length} ${what}`);
    if (this.#errors.length === 1) throw this.#errors[0];
  }
}
