import { epochMsOf } from '@karpenter/core';

/** Whether nodes may get newer images now. */
export type MaintenanceWindow =
  | { readonly kind: 'open' }
  | { readonly kind: 'closed' }
  /** Counts as closed: images that nobody wanted yet are worse than images that come late. */
  | { readonly kind: 'unreadable'; readonly problem: string };

const CHANNEL = 'aksManagedNodeOSUpgradeSchedule';

/**
 * What AKS says of the next window for node images, in `data` of its ConfigMap `upcoming-maintenance-window`. Open
 * where there is none: then nobody asked for one.
 */
export const maintenanceWindowOf = (data: Readonly<Record<string, string>> | undefined, nowMs: number): MaintenanceWindow => {
  const { [`${CHANNEL}-start`]: start = '', [`${CHANNEL}-end`]: end = '' } = data ?? {};
  if (start === '' && end === '') return { kind: 'open' };
  const [startMs, endMs] = [epochMsOf(start), epochMsOf(end)];
  if (startMs === undefined || endMs === undefined) {
    const said = `${CHANNEL}-start is ${JSON.stringify(start)} and ${CHANNEL}-end is ${JSON.stringify(end)}`;
    return { kind: 'unreadable', problem: `${said}: expected two times like 2026-01-31T22:00:00Z` };
  }
  return { kind: startMs < nowMs && nowMs < endMs ? 'open' : 'closed' };
};
