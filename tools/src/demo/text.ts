/** `$0.384`; a dash where the price is not known. */
export const dollars = (perHour: number | undefined): string => (perHour === undefined ? '–' : `$${perHour.toFixed(3)}`);

/** `4.2 s`, `1 m 05 s`. */
export const duration = (ms: number): string => {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
};

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
