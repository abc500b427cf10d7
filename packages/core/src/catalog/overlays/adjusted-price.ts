import { priceChangeOf } from '../../apis/index.ts';

/**
 * The price after a change: `+n` and `-n` are added to it, `+n%` and `-n%` are shares of it, anything else takes its
 * place. At least 0. Shares are of the provider's own price. A price that nobody knows (NaN) stays unknown unless it is
 * replaced. A malformed change changes nothing.
 */
export const adjustedPrice = (pricePerHour: number, change: string): number => {
  const { kind, amount } = priceChangeOf(change) ?? { kind: 'add', amount: 0 };
  switch (kind) {
    case 'replace':
      return amount;
    case 'add':
      return Math.max(0, pricePerHour + amount);
    case 'percent':
      return Math.max(0, (pricePerHour * (100 + amount)) / 100);
  }
};
