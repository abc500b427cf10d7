import { ArmError } from '../arm-error.ts';
import { armErrorOf } from '../refusals/arm-error-of.ts';

export interface GuardedCalls {
  /** Runs a call; what the SDK throws becomes an `ArmError`. */
  readonly call: <T>(run: () => Promise<T>) => Promise<T>;
  /** As `call`; what is not there is undefined. */
  readonly find: <T>(run: () => Promise<T>) => Promise<T | undefined>;
}

export const guardedCalls = (clock: { now(): number }): GuardedCalls => {
  const call: GuardedCalls['call'] = async (run) => {
    try {
      return await run();
    } catch (error) {
      throw armErrorOf(error, clock.now()) ?? error;
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
