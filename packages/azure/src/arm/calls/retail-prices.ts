import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineRequest,
  type HttpClient,
  type PipelineResponse,
} from '@azure/core-rest-pipeline';
import { boundedText } from '@karpenter/runtime';
import type { RetailPrice } from '../../pricing/index.ts';
import { ArmError } from '../arm-error.ts';
import { USER_AGENT } from '../arm-clients.ts';
import { answerInTime } from './answer-deadline.ts';
import type { AnswerReader } from './answer-reader.ts';
import { itemsOfPages, pagesOf } from './pages-of.ts';
import { objectOf, textsIn } from './shape.ts';

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
  readonly readAll: AnswerReader;
  /** Default the SDK's own. */
  readonly http?: HttpClient | undefined;
  /** How long each page may take. Default a minute. */
  readonly patienceMs?: number | undefined;
}

/** A page as it came. */
interface PageText {
  readonly status: number;
  readonly text: string;
}

const unreadable = (why: string, { status, text }: PageText): ArmError =>
  new ArmError(`the price API ${why}`, { code: 'server', status, cause: text });

/** A page has at most a thousand prices, a megabyte: what is longer is read no further. */
const MOST_PAGE_BYTES = 32 * 1024 * 1024;

/** Throws `server` beyond `MOST_PAGE_BYTES`. */
const textIn = async ({ status, bodyAsText, readableStreamBody }: PipelineResponse): Promise<PageText> => {
  if (readableStreamBody === undefined) return { status, text: bodyAsText ?? '' };
  const { text } = await boundedText(readableStreamBody, MOST_PAGE_BYTES);
  if (text === undefined) throw unreadable(`answered with more than ${MOST_PAGE_BYTES} bytes`, { status, text: '' });
  return { status, text };
};

const parsed = (response: PageText): unknown => {
  try {
    return JSON.parse(response.text);
  } catch {
    throw unreadable('answered with what is no JSON', response);
  }
};

interface PricePage {
  readonly items: readonly unknown[];
  readonly link: string | undefined;
}

const pageIn = (response: PageText): PricePage => {
  if (response.status !== 200) throw unreadable(`answered ${response.status}`, response);
  const { Items, NextPageLink } = objectOf(parsed(response));
  if (!Array.isArray(Items)) throw unreadable('answered without a list of prices', response);
  if (NextPageLink !== null && NextPageLink !== undefined && typeof NextPageLink !== 'string')
    throw unreadable('links to a next page by what is no text', response);
  return { items: Items, link: NextPageLink || undefined };
};

/** Undefined where the price is no number that can be compared. */
const priceIn = (item: unknown): RetailPrice | undefined => {
  const { retailPrice, isPrimaryMeterRegion } = objectOf(item);
  if (typeof retailPrice !== 'number' || !Number.isFinite(retailPrice)) return undefined;
  const { armSkuName, skuName, meterName, productName } = textsIn(item);
  return { armSkuName, retailPrice, skuName, meterName, productName, isPrimaryMeterRegion: isPrimaryMeterRegion === true };
};

/**
 * What a link asks for, of the endpoint that was given: whatever host an answer names, no other is called. Undefined
 * for what is no link.
 */
const atEndpoint = (link: string, endpoint: string): string | undefined => {
  const asked = URL.parse(link, endpoint);
  if (asked === null) return undefined;
  const url = new URL(endpoint);
  url.search = asked.search;
  return url.href;
};

const nextOf = ({ link }: PricePage, response: PageText, endpoint: string): string | undefined => {
  if (link === undefined) return undefined;
  const url = atEndpoint(link, endpoint);
  if (url === undefined) throw unreadable(`links to ${link}, which is no address`, response);
  return url;
};

const send = (source: RetailPriceSource, url: string, signal: AbortSignal): Promise<PageText> => {
  const { caPem, http = createDefaultHttpClient(), patienceMs } = source;
  const headers = createHttpHeaders({ accept: 'application/json', 'user-agent': USER_AGENT });
  const ask = async (abortSignal: AbortSignal) => {
    // Infinity: the body comes as a stream, whatever the status.
    const request = createPipelineRequest({ url, headers, abortSignal, streamResponseStatusCodes: new Set([Number.POSITIVE_INFINITY]) });
    // The request is the only place for it: `createPipelineRequest` leaves TLS settings out of what it copies.
    if (caPem !== undefined) request.tlsSettings = { ca: caPem };
    return textIn(await http.sendRequest(request));
  };
  return answerInTime(`the price API at ${new URL(url).origin}`, ask, { signal, patienceMs });
};

/**
 * All virtual machine prices of a location, page by page; none if one page fails. The price API knows no
 * credentials. Throws `ArmError`, and the SDK's own errors where nobody answers.
 */
export const fetchRetailPrices = async (source: RetailPriceSource, signal: AbortSignal): Promise<readonly RetailPrice[]> => {
  const { endpoint, location, readAll } = source;
  const ask = async (url: string) => {
    const response = await send(source, url, signal);
    const page = pageIn(response);
    return { items: page.items, next: nextOf(page, response, endpoint) };
  };
  const pages = pagesOf({ source: 'the price API', first: firstPage(endpoint, location), ask });
  return itemsOfPages(pages, ({ items }) => readAll('retail prices', items, priceIn));
};
