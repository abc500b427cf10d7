import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import type { TestCluster } from '../clusters/test-cluster.ts';

interface Answer {
  readonly Items: readonly { readonly retailPrice: number; readonly productName: string; readonly skuName: string }[];
}

/** What Azure's price list says that a size costs on demand, in dollars an hour, read apart from the controller. */
export const retailPriceOf = async ({ arm }: TestCluster, size: string): Promise<number> => {
  const filter = `armRegionName eq '${arm.account.location}' and armSkuName eq '${size}' and priceType eq 'Consumption'`;
  const url = `${arm.pricesUrl}?$filter=${encodeURIComponent(filter)}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => get(url, { ca: arm.caPem }, resolve).on('error', reject));
  const { Items: items } = JSON.parse(await text(response)) as Answer;
  const item = items.find(({ productName, skuName }) => !productName.includes('Windows') && !/Spot|Low Priority/.test(skuName));
  if (item === undefined) throw new Error(`there is no price for ${size}`);
  return item.retailPrice;
};
