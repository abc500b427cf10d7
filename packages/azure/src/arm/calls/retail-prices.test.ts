import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { createHttpHeaders, type HttpClient, type PipelineRequest } from '@azure/core-rest-pipeline';
import { fakeClock, silentLogger } from '@karpenter/runtime';
import { createArmCertificates, startArmEmulator } from '@karpenter/azure-emulator';
import type { InstanceTypeCatalog } from '../../catalog/index.ts';
import { priceKeeper } from '../../controllers/refresh/price-refresh.ts';
import { type PriceBook, priceBookOf } from '../../pricing/index.ts';
import { answerReader } from './answer-reader.ts';
import { fetchRetailPrices } from './retail-prices.ts';

const { signal } = new AbortController();
const endpoint = 'https://prices.example/api/retail/prices';
const source = { endpoint, location: 'eastus', readAll: answerReader() };

interface Page {
  readonly sizes?: readonly string[];
  /** Where it says that the next one is. */
  readonly link?: string | null;
  readonly status?: number;
  readonly text?: string;
}

const bodyOf = ({ sizes = [], link = null }: Page): string =>
  JSON.stringify({ Items: sizes.map((armSkuName) => ({ armSkuName, retailPrice: 1, skuName: armSkuName })), NextPageLink: link });

/** A price API whose pages are these, by their `$skip`. */
const priceApi = (pages: Readonly<Record<string, Page>>): { readonly http: HttpClient; readonly asked: URL[] } => {
  const asked: URL[] = [];
  const sendRequest = (request: PipelineRequest) => {
    const url = new URL(request.url);
    asked.push(url);
    const page = pages[url.searchParams.get('$skip') ?? '0'] ?? { status: 404 };
    return Promise.resolve({ request, headers: createHttpHeaders(), status: page.status ?? 200, bodyAsText: page.text ?? bodyOf(page) });
  };
  return { http: { sendRequest }, asked };
};

/** Takes every connection and answers none. */
const silentServer = async (): Promise<AsyncDisposable & { readonly url: string }> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const dispose = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `https://127.0.0.1:${port}`, [Symbol.asyncDispose]: dispose };
};

const at = (skip: number, base = endpoint): string => `${base}?api-version=1&$skip=${skip}`;
const skuNames = (items: readonly { readonly armSkuName?: string | undefined }[]) => items.map(({ armSkuName }) => armSkuName);

describe('pages of prices', () => {
  test('are read one after the other, to the one that links to none', async () => {
    const { http, asked } = priceApi({
      0: { sizes: ['a', 'b'], link: at(2) },
      2: { sizes: ['c'], link: at(3) },
      3: { sizes: ['d'] },
    });
    expect(skuNames(await fetchRetailPrices({ ...source, http }, signal))).toEqual(['a', 'b', 'c', 'd']);
    expect(asked.map(({ searchParams }) => searchParams.get('$skip'))).toEqual([null, '2', '3']);
    expect(asked[0]?.searchParams.get('$filter')).toContain("armRegionName eq 'eastus'");
  });

  test('come whole over the wire, however many they are', async () => {
    const [clock, certificates] = [fakeClock(), await createArmCertificates()];
    await using whole = await startArmEmulator({ clock, certificates, pageSize: 100_000 });
    await using paged = await startArmEmulator({ clock, certificates, pageSize: 2_000 });
    const [expected, prices] = await Promise.all(
      [whole, paged].map(({ pricesUrl, caPem }) => fetchRetailPrices({ ...source, endpoint: pricesUrl, caPem }, signal)),
    );
    expect(whole.requests.count('RetailPrices_List')).toBe(1);
    expect(paged.requests.count('RetailPrices_List')).toBeGreaterThanOrEqual(3);
    expect(prices).toEqual(expected);
  });

  test('that are longer than 32 MiB are read no further', async () => {
    const mebibyte = Buffer.alloc(1024 * 1024, ' ');
    let read = 0;
    const body = Readable.from(
      (function* () {
        for (read = 1; read <= 100; read++) yield mebibyte;
      })(),
      { highWaterMark: 1 },
    );
    const sendRequest = (request: PipelineRequest) =>
      Promise.resolve({ request, headers: createHttpHeaders(), status: 200, readableStreamBody: body });
    await expect(fetchRetailPrices({ ...source, http: { sendRequest } }, signal)).rejects.toMatchObject({
      code: 'server',
      message: 'the price API answered with more than 33554432 bytes',
    });
    expect(read).toBeLessThan(40);
  });

  test('come from the configured endpoint, whatever host a link names', async () => {
    const { http, asked } = priceApi({ 0: { sizes: ['a'], link: at(1, 'http://elsewhere.example/steal') }, 1: { sizes: ['b'] } });
    expect(skuNames(await fetchRetailPrices({ ...source, http }, signal))).toEqual(['a', 'b']);
    expect(asked.map(({ origin, pathname }) => `${origin}${pathname}`)).toEqual([endpoint, endpoint]);
  });

  test('of a server that takes the call and never answers time out with an error that names it', async () => {
    await using silent = await silentServer();
    const prices = fetchRetailPrices({ ...source, endpoint: silent.url, patienceMs: 50 }, signal);
    await expect(prices).rejects.toMatchObject({
      name: 'ArmError',
      code: 'network',
      message: `the price API at ${silent.url} has had no answer for 0.05 s`,
    });
  });

  test('leave out malformed items, and log them once', async () => {
    const reported: unknown[] = [];
    const readAll = answerReader({ warn: (_message, fields) => void reported.push(fields) });
    const good = { armSkuName: 'a', retailPrice: 1, skuName: 'a', productName: 5 };
    const odd = ['null', '{"armSkuName":"b","retailPrice":"0.1"}', '{"armSkuName":"c","retailPrice":1e400}', '[]'];
    const text = `{"Items":[${odd.join()},${JSON.stringify(good)}],"NextPageLink":null}`;
    const prices = await fetchRetailPrices({ ...source, readAll, http: priceApi({ 0: { text } }).http }, signal);
    expect([...priceBookOf(prices).onDemand]).toEqual([['a', 1]]);
    expect(reported).toEqual([{ kind: 'retail prices', count: 4, first: 'null' }]);
  });

  test('are no longer asked for when the process ends', async () => {
    await using silent = await silentServer();
    const end = new AbortController();
    const prices = fetchRetailPrices({ ...source, endpoint: silent.url }, end.signal);
    end.abort();
    await expect(prices).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each<[string, Page, string]>([
    ['is refused', { status: 503 }, 'answered 503'],
    ['is no JSON', { text: '<html>' }, 'no JSON'],
    ['is null', { text: 'null' }, 'without a list of prices'],
    ['has no list', { text: '{"Items":null}' }, 'without a list of prices'],
    ['links to what is no address', { link: 'http://[' }, 'which is no address'],
    ['links by what is no text', { text: '{"Items":[],"NextPageLink":5}' }, 'no text'],
    ['links to one before it', { link: at(1) }, 'in circles'],
  ])('are none when one in the middle %s: the last good prices stay', async (_case, second, why) => {
    const first = { sizes: ['a'], link: at(1) };
    let http = priceApi({ 0: first, 1: { sizes: ['b'] } }).http;
    const warnings: string[] = [];
    const catalog = {
      prices: { onDemand: new Map(), spot: new Map() } as PriceBook,
      setPrices: (fresh: PriceBook) => (catalog.prices = fresh),
    };
    const keeper = priceKeeper({
      arm: { listRetailPrices: () => fetchRetailPrices({ ...source, http }, signal) },
      catalog: catalog as unknown as InstanceTypeCatalog,
      logger: {
        ...silentLogger,
        warn: (_message, { error } = {}) => {
          if (error instanceof Error) warnings.push(error.message);
        },
      },
      clock: fakeClock(),
      priceAge: { set: () => undefined },
    });
    await keeper.refresh(signal);
    http = priceApi({ 0: { ...first, sizes: ['only-this-one'] }, 1: second }).http;
    await keeper.refresh(signal);
    expect([...catalog.prices.onDemand.keys()]).toEqual(['a', 'b']);
    expect(warnings).toEqual([expect.stringContaining(why)]);
  });
});

test('a page of 200,000 prices is read whole', async () => {
  const { http } = priceApi({ 0: { sizes: Array.from({ length: 200_000 }, () => 'a') } });
  expect(await fetchRetailPrices({ ...source, http }, signal)).toHaveLength(200_000);
});
