import { decimalIn } from '@karpenter/core';
import type { CommittedPrice } from '../pricing/index.ts';
import type { OptionValue } from './option-reader.ts';

const ENTRY = /^(?<sizes>\*|Standard_[A-Za-z0-9_-]+|[A-Z][A-Za-z]*(?:_v\d)?)=(?:(?<usd>\d+(?:\.\d+)?)|-(?<percent>\d+(?:\.\d+)?)%)$/;

const WANTED =
  'entries separated by commas, each of a size (Standard_D4s_v5), a series (Ds_v5) or *, with a price in USD an hour (=0.11) or a discount of up to 100 % (=-37%)';

const entryOf = (text: string): CommittedPrice | undefined => {
  const { sizes, usd, percent } = ENTRY.exec(text)?.groups ?? {};
  if (sizes === undefined) return undefined;
  const hourly = decimalIn(usd ?? '');
  if (hourly !== undefined) return { sizes, price: { kind: 'hourly', usd: hourly } };
  const discount = decimalIn(percent ?? '', { min: 0, max: 100 });
  return discount === undefined ? undefined : { sizes, price: { kind: 'discount', share: discount / 100 } };
};

/** Reads `Standard_D4s_v5=0.11,Ds_v5=-37%,*=-10%`; what is wrong is named by its entry. */
export const committedPrices = (text: string): OptionValue<readonly CommittedPrice[]> => {
  const prices = new Map<string, CommittedPrice>();
  for (const part of text.split(',').map((each) => each.trim())) {
    const entry = entryOf(part);
    if (entry === undefined) return { wanted: `${WANTED}; ${JSON.stringify(part)} is none` };
    if (prices.has(entry.sizes)) return { wanted: `each size and series once; ${JSON.stringify(entry.sizes)} is there twice` };
    prices.set(entry.sizes, entry);
  }
  return { value: [...prices.values()] };
};
