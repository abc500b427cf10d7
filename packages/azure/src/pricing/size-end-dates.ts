import { epochMsOf } from '@karpenter/core';
import table from '../../data/size-end-dates.json' with { type: 'json' };

const DAY_MS = 86_400_000;
/** Beyond the lifetime that nodes have by default (`expireAfter: 720h`), with time to move workloads. */
const SOON_MS = 90 * DAY_MS;

/** Day on which the end dates were compared with Azure's own list: `2026-11-23`. */
export const SIZE_END_DATES_AS_OF = table.readOn;
const READ_AT_MS = epochMsOf(table.readOn) ?? 0;

/** A group for each series. */
const SIZES = new RegExp(`^Standard_(?:${table.series.map(({ sizes }) => `(${sizes})`).join('|')})$`);

const series = table.series.map(({ endsOn }) => ({ endsOn, endsAtMs: epochMsOf(endsOn) ?? 0 }));

const seriesOf = (size: string) => {
  const parts: readonly (string | undefined)[] = SIZES.exec(size)?.slice(1) ?? [];
  return series[parts.findIndex((part) => part !== undefined)];
};

/** The day on which Azure retires a size: `2027-05-31`. Undefined: no day is announced. */
export const endDateOf = (size: string): string | undefined => seriesOf(size)?.endsOn;

/** A clock that is behind the table changes nothing: what had ended then has ended. */
const isSoon = (endsAtMs: number, nowMs: number): boolean => endsAtMs - SOON_MS <= Math.max(nowMs, READ_AT_MS);

/** Whether Azure has retired a size or does so within 90 days. */
export const isEnding = (size: string, nowMs: number): boolean => {
  const found = seriesOf(size);
  return found !== undefined && isSoon(found.endsAtMs, nowMs);
};

/** How many series are ending: the answers of `isEnding` change with it only. */
export const endingSeries = (nowMs: number): number => series.filter(({ endsAtMs }) => isSoon(endsAtMs, nowMs)).length;
