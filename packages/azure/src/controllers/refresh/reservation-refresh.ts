import { type Refresher, refresher } from '@karpenter/core/provider-kit';
import type { Clock, Logger } from '@karpenter/runtime';
import type { ArmApi } from '../../arm/arm-api.ts';
import { ArmError } from '../../arm/arm-error.ts';
import { groupProblem, type ReservationBook, reservationsOf } from '../../reservations/index.ts';

export interface ReservationDeps {
  readonly arm: Pick<ArmApi, 'readReservationGroup'>;
  readonly reservations: ReservationBook;
  readonly options: { readonly capacityReservationGroups: readonly string[]; readonly location: string };
  readonly clock: Clock;
  readonly logger: Logger;
}

const A_MINUTE_MS = 60_000;

/**
 * Keeps what is left of capacity reservations; read every minute, because others may use them. Of a group that cannot
 * be read the last figures stay; of one that is not there, or that nothing can be launched into, nothing is sold.
 */
export const reservationKeeper = ({ arm, reservations, options, clock, logger }: ReservationDeps): Refresher => {
  const problems = new Map<string, string>();
  /** Logged once, until the problem changes. */
  const reportProblem = (group: string, problem: string | undefined): void => {
    if (problem !== undefined && problems.get(group) !== problem) logger.warn(`a capacity reservation group ${problem}`, { group });
    if (problem === undefined) problems.delete(group);
    else problems.set(group, problem);
  };
  const readGroup = async (group: string, signal: AbortSignal): Promise<void> => {
    const reading = await arm.readReservationGroup(group, signal);
    const problem = reading === undefined ? 'is not there' : groupProblem(reading, options.location);
    reservations.read(group, reading === undefined || problem !== undefined ? [] : reservationsOf(group, reading));
    reportProblem(group, problem);
  };
  const tryGroup = async (group: string, signal: AbortSignal): Promise<void> => {
    try {
      await readGroup(group, signal);
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      reportProblem(group, `could not be read; what was known of it stays: ${error.message}`);
    }
  };
  return refresher({
    name: 'capacityreservation',
    clock,
    everyMs: A_MINUTE_MS,
    read: async (signal) => {
      await Promise.all(options.capacityReservationGroups.map((group) => tryGroup(group, signal)));
      return true;
    },
  });
};
