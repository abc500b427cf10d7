import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { agentPoolLine } from '../aks-machines/agent-pool-line.ts';
import { aksMachineReads } from '../aks-machines/aks-machine-reads.ts';
import type { ArmClients } from '../arm-clients.ts';
import { createArmApi } from '../create-arm-api.ts';
import { itemsOfPages, pagesOf } from './pages-of.ts';

const { signal } = new AbortController();

const pages = (links: Readonly<Record<string, string | undefined>>) =>
  Array.fromAsync(pagesOf({ source: 'It', first: 'a', ask: (name) => Promise.resolve({ name, next: links[name] }) }));

test('pages come one after the other, to the one that links to none', async () => {
  expect((await pages({ a: 'b', b: 'c' })).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

test.each([
  ['the first', { a: 'b', b: 'a' }],
  ['itself', { a: 'b', b: 'b' }],
])('pages end with a failure where one links to %s', async (_, links) => {
  await expect(pages(links)).rejects.toMatchObject({ name: 'ArmError', code: 'server', message: expect.stringContaining('in circles') });
});

describe('a list whose pages have no end', () => {
  /** Each page links to one that was never there before. */
  const endless = (perPage: number) =>
    pagesOf({
      source: 'It',
      first: '0',
      ask: (at) => Promise.resolve({ items: new Array<string>(perPage).fill(at), next: String(Number(at) + 1) }),
    });

  test.each([
    ['5,000 pages, though they are empty', 0, 'It has no end: 5000 pages have come'],
    ['200,000 entries', 1000, 'a list has no end: 200000 entries have come'],
  ])('is a failure after %s', async (_, perPage, message) => {
    await expect(itemsOfPages(endless(perPage), ({ items }) => items)).rejects.toMatchObject({ name: 'ArmError', code: 'server', message });
  });
});

describe('an answer whose pages go in circles ends as a failure of', () => {
  const next = 'https://arm.example/again';
  const request = { headers: { get: () => undefined } };
  const clients = {
    endpoint: 'https://arm.example',
    compute: {
      pipeline: {
        sendRequest: () => Promise.resolve({ request, status: 200, bodyAsText: JSON.stringify({ value: [], nextLink: next }) }),
      },
    },
    network: {},
    graph: { resources: () => Promise.resolve({ data: [], skipToken: 'again' }) },
  } as unknown as ArmClients;
  const scope = { subscriptionId: 's', nodeResourceGroup: 'r', location: 'eastus', retailPricesUrl: undefined };
  const api = createArmApi(clients, scope, fakeClock());
  const pool = { subscriptionId: 's', clusterResourceGroup: 'r', clusterName: 'c', poolName: 'machines' };

  test.each<[string, () => Promise<unknown>]>([
    ['Resource Graph', () => api.queryGraph('Resources', signal)],
    ['the list of node images', () => api.listNodeImages(signal)],
    ['the list of machines', () => aksMachineReads(agentPoolLine(clients, pool, fakeClock()), fakeClock()).listMachines(signal)],
  ])('%s', async (source, ask) => {
    await expect(ask()).rejects.toMatchObject({ name: 'ArmError', message: `${source} goes in circles: a page links to one before it` });
  });
});
