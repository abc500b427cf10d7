import { ArmError } from '../arm-error.ts';
import { armErrorOf } from '../error-codes/arm-error-of.ts';

/** The part of the SDK's poller that is used. It is thenable: never return one from an async function. */
export interface Poller {
  readonly isDone: boolean;
  submitted(): Promise<void>;
  poll(options: { abortSignal: AbortSignal }): Promise<unknown>;
}

/** What a failed operation failed with; undefined when it does not say. One call. */
export const failureOf = async (poller: Poller, nowMs: number, signal: AbortSignal): Promise<ArmError | undefined> => {
  try {
    await poller.poll({ abortSignal: signal });
    return undefined;
  } catch (error) {
    const failure = armErrorOf(error, nowMs);
    if (failure === undefined) throw error;
    return failure.code === 'refused' ? failure : undefined;
  }
};

/** Of a resource that has failed and does not say why. */
export const unexplainedFailure = (what: string): ArmError =>
  new ArmError(`${what} has failed`, { code: 'refused', armCode: 'ProvisioningFailed', cause: undefined });
