import type { Clock, TimerHandle } from '@karpenter/runtime';
import type { ArmErrorBody, ArmRefusal } from '../faults/arm-error.ts';
import type { ArmFaultEffect } from '../faults/fault.ts';
import type { IdSource } from '../id-source.ts';

type OperationStatus = 'InProgress' | 'Succeeded' | 'Failed' | 'Canceled';

/** One asynchronous operation; its result stays for polls that come late. */
export interface AsyncOperation {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number | undefined;
  readonly status: OperationStatus;
  /** It will stay in progress for ever. */
  readonly lost: boolean;
  /** Why it failed, with the HTTP status that a poll of its Location gives. */
  readonly failure: ArmRefusal | undefined;
}

/** What an operation does when its time has come. */
export interface OperationPlan {
  readonly durationMs: number;
  readonly effects: readonly ArmFaultEffect[];
  succeed(): void;
  /** The resource works before its operation has failed; at the time when it would have succeeded. */
  boot?(): void;
  /**
   * Left out where a failure does not change the resource. @param afterBoot the resource came up before the operation
   * failed
   */
  fail?(failure: ArmRefusal, afterBoot: boolean): void;
}

const PREEMPTED: ArmErrorBody = {
  code: 'OperationPreempted',
  message: 'Operation execution has been preempted by a more recent operation.',
};

const effectOf = <Kind extends ArmFaultEffect['kind']>(
  effects: readonly ArmFaultEffect[],
  kind: Kind,
): Extract<ArmFaultEffect, { kind: Kind }> | undefined =>
  effects.find((effect): effect is Extract<ArmFaultEffect, { kind: Kind }> => effect.kind === kind);

/** The asynchronous operations of one emulator, each ending by a timer of its clock. */
export class AsyncOperations {
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #operations = new Map<string, AsyncOperation>();
  readonly #timers = new Map<string, TimerHandle>();

  constructor(clock: Clock, ids: IdSource) {
    this.#clock = clock;
    this.#ids = ids;
  }

  begin(plan: OperationPlan): AsyncOperation {
    const id = this.#ids.uuid('operation');
    const lost = effectOf(plan.effects, 'lose') !== undefined;
    const operation: AsyncOperation = { id, startMs: this.#clock.now(), endMs: undefined, status: 'InProgress', lost, failure: undefined };
    this.#operations.set(id, operation);
    if (!lost) {
      this.#await(id, plan);
    }
    return operation;
  }

  get(id: string): AsyncOperation | undefined {
    return this.#operations.get(id);
  }

  /** The operation while it is under way and not lost: a request that asks for the same again joins it. */
  underWay(id: string): AsyncOperation | undefined {
    const operation = this.#operations.get(id);
    return operation?.status === 'InProgress' && !operation.lost ? operation : undefined;
  }

  /** Ends an operation that a later one overtook; neither of its outcomes happens. */
  preempt(id: string): void {
    if (this.#operations.get(id)?.status !== 'InProgress') return;
    this.#timers.get(id)?.cancel();
    this.#finish(id, { status: 'Canceled', failure: { status: 409, error: PREEMPTED } });
  }

  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #await(id: string, plan: OperationPlan): void {
    const delayMs = effectOf(plan.effects, 'delay')?.byMs ?? 0;
    const bootsFirst = effectOf(plan.effects, 'fail')?.afterBoot === true && plan.boot !== undefined && delayMs > 0;
    const end = (afterMs: number): void =>
      void this.#timers.set(
        id,
        this.#clock.setTimeout(() => this.#end(id, plan), afterMs),
      );
    if (!bootsFirst) {
      end(plan.durationMs + delayMs);
      return;
    }
    const boot = (): void => {
      plan.boot?.();
      end(delayMs);
    };
    this.#timers.set(id, this.#clock.setTimeout(boot, plan.durationMs));
  }

  #end(id: string, plan: OperationPlan): void {
    const failing = effectOf(plan.effects, 'fail');
    if (failing === undefined) {
      plan.succeed();
      this.#finish(id, { status: 'Succeeded', failure: undefined });
    } else {
      plan.fail?.(failing.refusal, failing.afterBoot ?? false);
      this.#finish(id, { status: 'Failed', failure: failing.refusal });
    }
  }

  #finish(id: string, result: Pick<AsyncOperation, 'status' | 'failure'>): void {
    this.#timers.delete(id);
    const operation = this.#operations.get(id);
    if (operation) this.#operations.set(id, { ...operation, ...result, endMs: this.#clock.now() });
  }
}
