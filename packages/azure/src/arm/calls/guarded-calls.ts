import { ArmError } from '../arm-error.ts';
import { armErrorOf } from '../error-codes/arm-error-of.ts';

export interface GuardedCalls {
  /**
   * Runs a call and reads its answer; what the SDK throws, and what an answer of another shape leads to, becomes an
   * `ArmError`.
   */
  readonly call: <T>(run: () => Promise<T>) => Promise<T>;
  /** As `call`; what is not there is undefined. */
  readonly find: <T>(run: () => Promise<T>) => Promise<T | undefined>;
}

/** The SDK and the readers of answers throw these at an answer that is not as Azure describes it. */
const isOfShape = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

const unreadable = (error: unknown): unknown =>
  isOfShape(error)
    ? new ArmError(`an answer of Azure cannot be read: ${error.message}`, { code: 'server', armCode: 'UnreadableAnswer', cause: error })
    : error;

export const guardedCalls = (clock: { now(): number }): GuardedCalls => {
  const call: GuardedCalls['call'] = async (run) => {
    try {
      return await run();
    } catch (error) {
      throw armErrorOf(error, clock.now()) ?? unreadable(error);
    }
  };
  const find: GuardedCalls['find'] = async (run) => {
    try {
      return await call(run);
    } catch (error) {
      if (error instanceof ArmError && error.code === 'not-found') return undefined;
      throw error;
    }
  };
  return { call, find };
};
