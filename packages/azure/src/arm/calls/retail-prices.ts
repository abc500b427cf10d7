import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineRequest,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline';
import type { RetailPrice } from '../../pricing/index.ts';
import { ArmError } from '../arm-error.ts';
import { USER_AGENT } from '../arm-clients.ts';

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
  /** Default the SDK's own. */
  readonly http?: HttpClient | undefined;
  /** How long each page may take. Default a minute. */
  readonly patienceMs?: number | undefined;
}

const unreadable = (why: string, { status, bodyAsText }: PipelineResponse): ArmError =>
  new ArmError(`the price API ${why}`, { code: 'server', status, cause: bodyAsText });

const pageIn = (response: PipelineResponse): PricePage => {
  if (response.status !== 200) throw unreadable(`answered ${response.status}`, response);
  try {
    return JSON.parse(response.bodyAsText ?? '{}') as PricePage;
  } catch {
    throw unreadable('answered with what is no JSON', response);
  }
};

/** The SDK tells of a timeout as it does of an abort. */
const send = async (http: HttpClient, request: PipelineRequest): Promise<PipelineResponse> => {
  try {
    return await http.sendRequest(request);
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === 'AbortError' && request.abortSignal?.aborted !== true;
    if (!isLate) throw cause;
    const { origin } = new URL(request.url);
    throw new ArmError(`${origin} does not answer: nothing came within ${request.timeout / 1000} s`, { code: 'network', cause });
  }
};

/** What a link asks for, of the endpoint that was given: whatever host an answer names, no other is called. */
const atEndpoint = (link: string, endpoint: string): string => {
  const url = new URL(endpoint);
  url.search = new URL(link, endpoint).search;
  return url.href;
};

/**
 * All virtual machine prices of a location, page by page; none when one page cannot be had. The price API knows no credentials. Throws
 * `ArmError`, and the SDK's own errors where nobody answers.
 */
export const fetchRetailPrices = async (source: RetailPriceSource, signal: AbortSignal): Promise<readonly RetailPrice[]> => {
  const { endpoint, location, caPem, http = createDefaultHttpClient(), patienceMs = 60_000 } = source;
  const items: RetailPrice[] = [];
  const headers = createHttpHeaders({ accept: 'application/json', 'user-agent': USER_AGENT });
  const asked = new Set<string>();
  for (let url: string | undefined = firstPage(endpoint, location); url !== undefined;) {
    asked.add(url);
    const request = createPipelineRequest({ url, headers, abortSignal: signal, timeout: patienceMs });
    // The request is the only place for it: `createPipelineRequest` leaves TLS settings out of what it copies.
    if (caPem !== undefined) request.tlsSettings = { ca: caPem };
    const response = await send(http, request);
    const { Items = [], NextPageLink } = pageIn(response);
    items.push(...Items);
    url = NextPageLink ? atEndpoint(NextPageLink, endpoint) : undefined;
    if (url !== undefined && asked.has(url)) throw unreadable('goes in circles: a page links to one before it', response);
  }
  return items;
};
