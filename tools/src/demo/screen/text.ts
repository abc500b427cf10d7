/** `$0.384`; a dash where the price is not known. */
export const dollarLabel = (perHour: number | undefined): string => (perHour === undefined ? '–' : `$${perHour.toFixed(3)}`);

const minutesAndSeconds = (ms: number): readonly [minutes: number, seconds: string] => {
  const seconds = Math.round(ms / 1000);
  return [Math.floor(seconds / 60), String(seconds % 60).padStart(2, '0')];
};

/** `4.2 s`, `1 m 05 s`. */
export const durationLabel = (ms: number): string => {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const [minutes, seconds] = minutesAndSeconds(ms);
  return `${minutes} m ${seconds} s`;
};

/** Whole seconds, as narrow as kubectl writes them: `42s`, `1m05s`. */
export const ageLabel = (ms: number): string => {
  const [minutes, seconds] = minutesAndSeconds(Math.max(0, ms));
  return minutes === 0 ? `${Number(seconds)}s` : `${minutes}m${seconds}s`;
};

export const percentLabel = (share: number): string => `${Math.round(share * 100)} %`;

export const countLabel = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
