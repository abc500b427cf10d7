import { decimalIn } from '@karpenter/core';
import type { OptionValue } from './option-reader.ts';
import type { CommittedPrice } from '../pricing/index.ts';

const API_VERSION_ENTRY = /^(Microsoft\.[A-Za-z]+(?:\/[A-Za-z]+)*)=(\d{4}-\d{2}-\d{2}(?:-[a-z]+)?)$/i;

/**
 * Resource type or provider namespace → api-version:
 * `Microsoft.Compute=2025-04-01,Microsoft.Network/networkInterfaces=2024-05-01`.
 */
export const apiVersionMap = (text: string): OptionValue<Readonly<Record<string, string>>> => {
  const entries = text.split(',').map((entry) => entry.trim());
  const broken = entries.find((entry) => !API_VERSION_ENTRY.test(entry));
  if (broken === undefined) return { value: Object.fromEntries(entries.map((entry) => entry.split('=') as [string, string])) };
  const wanted = 'resource types or providers with api-versions, separated by commas, as Microsoft.Compute/virtualMachines=2025-04-01';
  return { wanted: `${wanted}; ${JSON.stringify(broken)} is none` };
};

const PRICE_ENTRY = /^(?<sizes>\*|Standard_[A-Za-z0-9_-]+|[A-Z][A-Za-z]*(?:_v\d)?)=(?:(?<usd>\d+(?:\.\d+)?)|-(?<percent>\d+(?:\.\d+)?)%)$/;

const PRICES_WANTED =
  'entries separated by commas, each of a size (Standard_D4s_v5), a series (Ds_v5) or *, with a price in USD an hour (=0.11) or a discount of up to 100 % (=-37%)';

const priceEntryOf = (text: string): CommittedPrice | undefined => {
  const { sizes, usd, percent } = PRICE_ENTRY.exec(text)?.groups ?? {};
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
    const entry = priceEntryOf(part);
    if (entry === undefined) return { wanted: `${PRICES_WANTED}; ${JSON.stringify(part)} is none` };
    if (prices.has(entry.sizes)) return { wanted: `each size and series once; ${JSON.stringify(entry.sizes)} is there twice` };
    prices.set(entry.sizes, entry);
  }
  return { value: [...prices.values()] };
};

/** The name becomes the value of a label. */
const GROUP =
  /^\/subscriptions\/([^/]+)\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/capacityReservationGroups\/[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/i;

const GROUPS_WANTED =
  'ARM ids of Microsoft.Compute/capacityReservationGroups, separated by commas, each once, with names of at most 63 characters';

/** Reads ids of groups. Those of other subscriptions cannot be read there. */
export const reservationGroups =
  (subscriptionId: string) =>
  (text: string): OptionValue<readonly string[]> => {
    const ids = text.split(',').map((id) => id.trim());
    const broken = ids.find((id) => !GROUP.test(id));
    if (broken !== undefined) return { wanted: `${GROUPS_WANTED}; ${JSON.stringify(broken)} is none` };
    if (new Set(ids.map((id) => id.toLowerCase())).size < ids.length) return { wanted: `${GROUPS_WANTED}; one is there twice` };
    const isForeign = (id: string): boolean => GROUP.exec(id)?.[1]?.toLowerCase() !== subscriptionId.toLowerCase();
    const foreign = subscriptionId === '' ? undefined : ids.find(isForeign);
    return foreign === undefined
      ? { value: ids }
      : { wanted: `groups of the subscription ${subscriptionId}; ${JSON.stringify(foreign)} is in another one` };
  };
