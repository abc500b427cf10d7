import type { Clock } from '@karpenter/runtime';

/** The clock's time as Kubernetes writes it, to the second: `2026-01-01T00:00:00Z`. */
export const clockTimestamp = (clock: Pick<Clock, 'now'>): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;

/** The clock's time as leases write it, to the microsecond. */
export const microTimestampOf = (clock: Clock): string => `${new Date(clock.now()).toISOString().slice(0, 23)}000Z`;
