/** One request as it came in and how it was answered; `status` is 0 when the connection was reset. */
export interface LoggedRequest {
  readonly atMs: number;
  /** The operation as Azure's own specification names it (`VirtualMachines_CreateOrUpdate`), or `Unknown`. */
  readonly operation: string;
  /** What roles call it: `Microsoft.Compute/virtualMachines/write`. */
  readonly action: string;
  readonly method: string;
  readonly path: string;
  readonly apiVersion: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly status: number;
}

/** A cluster that is left running for days must not fill the memory with what it asked. */
const KEPT = 20_000;

/**
 * The requests that the emulator answered, oldest first: at least the last 20,000 in full, and how many there were of
 * each operation.
 */
export class RequestLog {
  #entries: LoggedRequest[] = [];
  readonly #counts = new Map<string, number>();

  record(request: LoggedRequest): void {
    this.#entries.push(request);
    if (this.#entries.length >= 2 * KEPT) this.#entries = this.#entries.slice(-KEPT);
    this.#counts.set(request.operation, this.count(request.operation) + 1);
  }

  all(): readonly LoggedRequest[] {
    return this.#entries;
  }

  of(operation: string): readonly LoggedRequest[] {
    return this.#entries.filter((entry) => entry.operation === operation);
  }

  /** How often an operation was requested. */
  count(operation: string): number {
    return this.#counts.get(operation) ?? 0;
  }

  /** Operation → how often, in no order that means anything. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  /** Forgets the requests themselves (they hold whole bodies) and the counts. */
  clear(): void {
    this.#entries = [];
    this.#counts.clear();
  }
}
