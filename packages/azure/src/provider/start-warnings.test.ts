import { expect, test } from '@jest/globals';
import type { AzureOptions } from '../options/index.ts';
import { startWarningsOf } from './start-warnings.ts';

const options = (
  provisioning: AzureOptions['provisioning'],
  cloud: AzureOptions['cloud'],
  ...sizes: readonly string[]
): Parameters<typeof startWarningsOf>[0] => ({
  provisioning,
  cloud,
  committedPrices: sizes.map((each) => ({ sizes: each, price: { kind: 'hourly', usd: 1 } })),
});

const sold = { skus: new Map() };
const scriptless = { kind: 'aksscriptless' } as const;
const byService = { kind: 'bootstrappingclient', serverUrl: 'https://nodes.example', clusterResourceGroup: 'rg' } as const;
const china = { kind: 'named', name: 'AzureChinaCloud' } as const;

test('nothing is warned of where user data is written here for the public cloud, or for one that a file describes', () => {
  expect(startWarningsOf(options(scriptless, { kind: 'named', name: 'AzurePublicCloud' }), sold)).toEqual([]);
  expect(startWarningsOf(options(scriptless, { kind: 'file', path: '/etc/cloud.json' }), sold)).toEqual([]);
});

test('user data that is written here is for the public cloud: that of the service is for its own', () => {
  expect(startWarningsOf(options(scriptless, china), sold)).toEqual([
    { message: expect.stringContaining('expected bootstrappingclient'), fields: { cloud: 'AzureChinaCloud' } },
  ]);
  expect(startWarningsOf(options(byService, china), sold)).toEqual([]);
});

test('a size that nobody sells is named', () => {
  const [warning] = startWarningsOf(options(byService, china, 'Standard_D2s_v33'), sold);
  expect(warning).toMatchObject({ message: expect.stringContaining('--committed-prices'), fields: { sizes: ['Standard_D2s_v33'] } });
});
