import type { Clock, Logger } from '@karpenter/runtime';
import type { ArmClients } from '../arm-clients.ts';
import { type AnswerReader, answerReader } from './answer-reader.ts';
import { type GuardedCalls, guardedCalls } from './guarded-calls.ts';

export interface ArmScope {
  readonly subscriptionId: string;
  readonly nodeResourceGroup: string;
  readonly location: string;
  /** Absent: there is no price API. */
  readonly retailPricesUrl: string | undefined;
  readonly caPem?: string | undefined;
  /** Logs the parts of responses that cannot be parsed; absent: they are not logged. */
  readonly logger?: Logger | undefined;
}

/** What the calls to ARM share. */
export interface CallContext extends GuardedCalls {
  readonly clients: ArmClients;
  readonly scope: ArmScope;
  readonly clock: Clock;
  readonly readAll: AnswerReader;
}

export const callContext = (clients: ArmClients, scope: ArmScope, clock: Clock): CallContext => ({
  ...{ clients, scope, clock },
  ...guardedCalls(clock),
  readAll: answerReader(scope.logger),
});
