import { createDefaultHttpClient, createHttpHeaders, createPipelineRequest } from '@azure/core-rest-pipeline';
import type { RetailPrice } from '../pricing/index.ts';
import { ArmError } from './arm-error.ts';
import { USER_AGENT } from './arm-clients.ts';

interface PricePage {
  readonly Items?: readonly RetailPrice[];
  readonly NextPageLink?: string | null;
}

const API_VERSION = '2023-01-01-preview';

const firstPage = (endpoint: string, location: string): string => {
  const filter = [
    "priceType eq 'Consumption'",
    "currencyCode eq 'USD'",
    "serviceFamily eq 'Compute'",
    "serviceName eq 'Virtual Machines'",
    `armRegionName eq '${location}'`,
  ].join(' and ');
  const url = new URL(endpoint);
  url.searchParams.set('api-version', API_VERSION);
  url.searchParams.set('$filter', filter);
  return url.href;
};

export interface RetailPriceSource {
  readonly endpoint: string;
  readonly location: string;
  readonly caPem?: string | undefined;
}

/** All virtual machine prices of a location, page by page. The price API knows no credentials. Throws `ArmError`. */
export const fetchRetailPrices = async (source: RetailPriceSource, signal: AbortSignal): Promise<readonly RetailPrice[]> => {
  const client = createDefaultHttpClient();
  const items: RetailPrice[] = [];
  const headers = createHttpHeaders({ accept: 'application/json', 'user-agent': USER_AGENT });
  for (let url: string | null | undefined = firstPage(source.endpoint, source.location); url;) {
    const request = createPipelineRequest({ url, headers, abortSignal: signal });
    // The request is the only place for it: `createPipelineRequest` leaves TLS settings out of what it copies.
    if (source.caPem !== undefined) request.tlsSettings = { ca: source.caPem };
    const response = await client.sendRequest(request);
    if (response.status !== 200) {
      throw new ArmError(`the price API answered ${response.status}`, {
        code: 'server',
        status: response.status,
        cause: response.bodyAsText,
      });
    }
    const page = JSON.parse(response.bodyAsText ?? '{}') as PricePage;
    items.push(...(page.Items ?? []));
    url = page.NextPageLink;
  }
  return items;
};
