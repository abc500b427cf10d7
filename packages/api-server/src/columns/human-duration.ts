const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const YEAR = 31_536_000;

const pair = (seconds: number, [unit, name]: readonly [number, string], [rest, restName]: readonly [number, string]): string => {
  const whole = Math.floor(seconds / unit);
  const left = Math.floor((seconds % unit) / rest);
  return left === 0 ? `${whole}${name}` : `${whole}${name}${left}${restName}`;
};

const STEPS: readonly { readonly below: number; readonly show: (seconds: number) => string }[] = [
  { below: 2 * MINUTE, show: (s) => `${s}s` },
  { below: 10 * MINUTE, show: (s) => pair(s, [MINUTE, 'm'], [1, 's']) },
  { below: 3 * HOUR, show: (s) => `${Math.floor(s / MINUTE)}m` },
  { below: 8 * HOUR, show: (s) => pair(s, [HOUR, 'h'], [MINUTE, 'm']) },
  { below: 2 * DAY, show: (s) => `${Math.floor(s / HOUR)}h` },
  { below: 8 * DAY, show: (s) => pair(s, [DAY, 'd'], [HOUR, 'h']) },
  { below: 2 * YEAR, show: (s) => `${Math.floor(s / DAY)}d` },
  { below: 8 * YEAR, show: (s) => pair(s, [YEAR, 'y'], [DAY, 'd']) },
];

/** A span as the AGE column shows it (`apimachinery/pkg/util/duration.HumanDuration`). */
export const humanDuration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return STEPS.find(({ below }) => seconds < below)?.show(seconds) ?? `${Math.floor(seconds / YEAR)}y`;
};

/** How long ago a timestamp was, or `<unknown>`. */
export const ageOf = (timestamp: string, nowMs: number): string => {
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? '<unknown>' : humanDuration(nowMs - at);
};
