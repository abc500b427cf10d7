import { steadyNow } from '@karpenter/runtime';
import { CloudProviderError } from '../cloudprovider/index.ts';
import { failureRecord } from './block-list.ts';

/** How the calls that ended lately went. */
interface RecentCalls {
  add(hasFailed: boolean): void;
  failures(): number;
  /** Of all that ended lately; 0 when none did. */
  shareOfFailures(): number;
}

/** Time is counted in so many parts of the whole, each forgotten at once. */
const PARTS = 10;

interface Part {
  readonly endsMs: number;
  calls: number;
  failures: number;
}

/** Calls of the last `withinMs`, give or take a tenth; the memory is the same for one call and for a million. */
const recentCalls = (clock: { now(): number }, withinMs: number): RecentCalls => {
  let parts: readonly Part[] = [];

  const kept = (): readonly Part[] => {
    const sinceMs = clock.now() - withinMs;
    parts = parts.filter(({ endsMs }) => endsMs > sinceMs);
    return parts;
  };
  const current = (): Part => {
    const last = kept().at(-1);
    if (last !== undefined && last.endsMs > clock.now()) return last;
    const part = { endsMs: clock.now() + withinMs / PARTS, calls: 0, failures: 0 };
    parts = [...parts, part];
    return part;
  };
  const failures = (): number => kept().reduce((sum, part) => sum + part.failures, 0);
  return {
    add: (hasFailed) => {
      const part = current();
      part.calls += 1;
      if (hasFailed) part.failures += 1;
    },
    failures,
    shareOfFailures: () =>
      failures() /
      Math.max(
        1,
        kept().reduce((sum, { calls }) => sum + calls, 0),
      ),
  };
};

/**
 * What the error of a call says about the cloud. `answered`: it refused, so it is there. `failed`: it is not well.
 * `silent`: nothing, because the call was aborted or never reached it.
 */
export type CallVerdict = 'answered' | 'failed' | 'silent';

/** `open`: no call is made. `half-open`: the next call, or the one that is under way, decides. */
export type CircuitState = 'closed' | 'open' | 'half-open';

/** When calls are refused, and for how long. */
export interface CircuitBreaking {
  readonly clock: { now(): number };
  /**
   * A circuit opens when at least so many of its calls failed within `withinMs`, and they are at least `share` of those
   * that ended.
   */
  readonly failures: number;
  /** Give or take a tenth. */
  readonly withinMs: number;
  /** From 0 to 1. */
  readonly share: number;
  /** How long it stays open the first time. Each further time doubles that, until it has been closed for `longestMs`. */
  readonly openMs: number;
  /** The longest that it stays open. */
  readonly longestMs: number;
  /**
   * Left out: `failed` for a `CloudProviderError` of code `network`, `answered` for every other one, `silent` for all
   * other errors.
   */
  readonly judge?: (error: unknown) => CallVerdict;
}

/** Makes no calls that would fail too: while a cloud is not well, one now and then. */
export interface CircuitBreaker {
  /**
   * Makes a call of the circuit, and gives its answer or its error as they are. Throws a `CloudProviderError`
   * (`throttled`, reason `CircuitOpen`) while the circuit is open: with the time when to come again, and the last
   * failure as its cause.
   */
  call<T>(circuit: string, run: () => Promise<T>): Promise<T>;
  /** Circuit → how it stands; every one that was called. For a gauge. */
  states(): ReadonlyMap<string, CircuitState>;
}

interface Closed {
  readonly kind: 'closed';
  readonly recent: RecentCalls;
}

interface Open {
  readonly kind: 'open';
  readonly untilMs: number;
  readonly cause: unknown;
  isProbed: boolean;
}

type Phase = Closed | Open;

const judgeByCode = (error: unknown): CallVerdict => {
  if (!(error instanceof CloudProviderError)) return 'silent';
  return error.code === 'network' ? 'failed' : 'answered';
};

const openError = (circuit: string, cause: unknown, retryAfterMs: number): CloudProviderError => {
  const last = cause instanceof Error ? `; the last: ${cause.message}` : '';
  const message = `no ${circuit} for ${Math.ceil(retryAfterMs / 1000)} s, because so many failed${last}`;
  return new CloudProviderError('throttled', message, { reason: 'CircuitOpen', retryAfterMs, cause });
};

/**
 * Circuits by name, all closed; names are few and remembered for good. An open circuit lets one call through when its
 * time is over: its answer closes the circuit, its failure opens it for longer. What ends after the circuit has changed
 * counts no more. Own code: of the libraries for this (cockatiel, opossum) none takes a clock.
 */
export const circuitBreaker = ({ judge = judgeByCode, ...breaking }: CircuitBreaking): CircuitBreaker => {
  const clock = { now: steadyNow(breaking.clock) };
  const phases = new Map<string, Phase>();
  const openings = failureRecord(clock, breaking.longestMs);

  const close = (circuit: string): Closed => {
    const phase: Closed = { kind: 'closed', recent: recentCalls(clock, breaking.withinMs) };
    phases.set(circuit, phase);
    return phase;
  };
  const open = (circuit: string, cause: unknown): void => {
    const untilMs = clock.now() + openings.lengthenedMs(circuit, breaking.openMs);
    phases.set(circuit, { kind: 'open', untilMs, cause, isProbed: false });
  };
  const admit = (circuit: string): Phase => {
    const phase = phases.get(circuit) ?? close(circuit);
    if (phase.kind === 'closed') return phase;
    const leftMs = phase.isProbed ? breaking.openMs : phase.untilMs - clock.now();
    if (leftMs > 0) throw openError(circuit, phase.cause, leftMs);
    phase.isProbed = true;
    return phase;
  };
  const isIll = ({ recent }: Closed): boolean => recent.failures() >= breaking.failures && recent.shareOfFailures() >= breaking.share;
  const settle = (circuit: string, phase: Phase, end: { readonly verdict: CallVerdict; readonly error?: unknown }): void => {
    if (phases.get(circuit) !== phase) return;
    if (phase.kind === 'open') phase.isProbed = false;
    if (end.verdict === 'silent') return;
    const hasFailed = end.verdict === 'failed';
    if (phase.kind === 'closed') phase.recent.add(hasFailed);
    else if (!hasFailed) close(circuit);
    if (hasFailed && (phase.kind === 'open' || isIll(phase))) open(circuit, end.error);
  };
  const stateOf = (phase: Phase): CircuitState => (phase.kind === 'closed' ? 'closed' : phase.untilMs > clock.now() ? 'open' : 'half-open');
  return {
    call: async (circuit, run) => {
      const phase = admit(circuit);
      try {
        const answer = await run();
        settle(circuit, phase, { verdict: 'answered' });
        return answer;
      } catch (error) {
        settle(circuit, phase, { verdict: judge(error), error });
        throw error;
      }
    },
    states: () => new Map([...phases].map(([circuit, phase]) => [circuit, stateOf(phase)])),
  };
};
