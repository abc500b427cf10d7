import type { CloudProvider } from '@karpenter/core';
import type { Transport, TransportRequest } from '@karpenter/runtime';

/** `before`: the write never leaves. `after`: it has left and will be done, and its answer is never seen. */
export type CrashSide = 'before' | 'after';

/** Called with the name of each write: whether the process crashes there. */
export type CrashDecision = (write: string) => CrashSide | undefined;

const never = <T>(): Promise<T> => new Promise(() => undefined);

const nameOf = ({ operation, method, path }: TransportRequest): string =>
  `${operation ?? method}${path.endsWith('/status') ? ' status' : ''}`;

/**
 * One process of Karpenter, as far as it reaches the world. Once it is cut, no request goes out and no answer comes in:
 * calls under way never settle, as in a process that has died.
 */
export class KarpenterProcess {
  readonly #crashAt: CrashDecision;
  readonly #end = new AbortController();

  constructor(crashAt: CrashDecision) {
    this.#crashAt = crashAt;
  }

  /** Aborted when the process has died. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  cut(): void {
    this.#end.abort();
  }

  /** The API server as this process sees it. */
  transport(inner: Transport): Transport {
    return {
      send: (request) =>
        request.method === 'GET'
          ? this.#seen(() => inner.send(request))
          : this.#write(nameOf(request), request.signal, (signal) => inner.send({ ...request, signal })),
      stream: (request) => this.#seen(() => inner.stream(request)),
      close: () => inner.close(),
    };
  }

  /** The cloud as this process sees it. */
  provider(inner: CloudProvider): CloudProvider {
    const { name, labelCatalog, repairPolicies, registrationHooks, unsupportedVolumes } = inner;
    const { launchTimeoutMs, defaultTerminationGracePeriod } = inner;
    return {
      ...{ name, labelCatalog, repairPolicies, getSupportedNodeClasses: () => inner.getSupportedNodeClasses() },
      ...(registrationHooks && { registrationHooks }),
      ...(unsupportedVolumes && { unsupportedVolumes }),
      ...(launchTimeoutMs !== undefined && { launchTimeoutMs }),
      ...(defaultTerminationGracePeriod !== undefined && { defaultTerminationGracePeriod }),
      ...(inner.interruptionOf === undefined ? {} : { interruptionOf: (node) => inner.interruptionOf?.(node) }),
      create: (claim, options) =>
        this.#write('launch machine', options.signal, (signal = options.signal) => inner.create(claim, { ...options, signal })),
      delete: (claim, { signal }) => this.#write('delete machine', signal, (own = signal) => inner.delete(claim, { signal: own })),
      get: (providerId, options) => this.#seen(() => inner.get(providerId, options)),
      list: (options) => this.#seen(() => inner.list(options)),
      getInstanceTypes: (pool, options) => this.#seen(() => inner.getInstanceTypes(pool, options)),
      isDrifted: (claim, options) => this.#seen(() => inner.isDrifted(claim, options)),
    };
  }

  #isOver(): boolean {
    return this.#end.signal.aborted;
  }

  async #seen<T>(call: () => Promise<T>): Promise<T> {
    if (this.#isOver()) return never();
    const answer = await call().catch((error: unknown) => {
      if (this.#isOver()) return never<T>();
      throw error;
    });
    return this.#isOver() ? never() : answer;
  }

  #write<T>(name: string, signal: AbortSignal | undefined, call: (signal: AbortSignal | undefined) => Promise<T>): Promise<T> {
    if (this.#isOver()) return never();
    const side = this.#crashAt(name);
    if (side === undefined) return this.#seen(() => call(signal));
    // What has left is not called back by the end of who sent it.
    if (side === 'after') void call(new AbortController().signal).catch(() => undefined);
    this.cut();
    return never();
  }
}
