import type { Clock } from '@karpenter/core/controllers';
import type { ArmClients } from './arm-clients.ts';
import { armErrorOf } from './classify.ts';

export interface ArmScope {
  readonly subscriptionId: string;
  readonly nodeResourceGroup: string;
  readonly location: string;
  /** Absent: there is no price API. */
  readonly retailPricesUrl: string | undefined;
  readonly caPem?: string | undefined;
}

/** What the calls to ARM share. */
export interface CallContext {
  readonly clients: ArmClients;
  readonly scope: ArmScope;
  readonly clock: Clock;
  /** Runs a call; what the SDK throws becomes an `ArmError`. */
  readonly call: <T>(run: () => Promise<T>) => Promise<T>;
  /** As `call`; what is not there is undefined. */
  readonly find: <T>(run: () => Promise<T>) => Promise<T | undefined>;
}

export const callContext = (clients: ArmClients, scope: ArmScope, clock: Clock): CallContext => {
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      throw armErrorOf(error, clock.now()) ?? error;
    }
  };
  const find = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await run();
    } catch (error) {
      const failure = armErrorOf(error, clock.now());
      if (failure?.code === 'not-found') return undefined;
      throw failure ?? error;
    }
  };
  return { clients, scope, clock, call, find };
};
