import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type AzureEnvironment, AzureEnvironmentError, azureEnvironmentOf } from './azure-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'environment-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'azure.json');
const ofText = (content: string): AzureEnvironment => {
  writeFileSync(path, content);
  return azureEnvironmentOf({ kind: 'file', path });
};
const whole = {
  resourceManagerEndpoint: 'https://arm.contoso.example/',
  activeDirectoryEndpoint: 'https://login.contoso.example/',
  tokenAudience: 'https://arm.contoso.example/',
};
const of = (members: object): AzureEnvironment => ofText(JSON.stringify({ ...whole, ...members }));

describe('the clouds of Microsoft', () => {
  test.each([
    ['AzurePublicCloud', 'https://management.azure.com', 'https://login.microsoftonline.com', true],
    ['AzureChinaCloud', 'https://management.chinacloudapi.cn', 'https://login.chinacloudapi.cn', false],
    ['AzureUSGovernmentCloud', 'https://management.usgovcloudapi.net', 'https://login.microsoftonline.us', false],
  ] as const)('%s', (...[name, resourceManager, activeDirectory, hasPrices]) => {
    const environment = azureEnvironmentOf({ kind: 'named', name });
    expect(environment).toMatchObject({
      resourceManagerEndpoint: resourceManager,
      activeDirectoryEndpoint: activeDirectory,
      tokenAudience: resourceManager,
      hasBillingExtension: true,
    });
    expect(environment.retailPricesEndpoint !== undefined).toBe(hasPrices);
  });
});

describe('a file that describes another cloud', () => {
  test('needs to name three things', () => {
    expect(of({ unknown: 'is left alone' })).toEqual({
      name: 'custom',
      resourceManagerEndpoint: 'https://arm.contoso.example',
      activeDirectoryEndpoint: 'https://login.contoso.example',
      tokenAudience: 'https://arm.contoso.example',
      retailPricesEndpoint: undefined,
      hasBillingExtension: false,
    });
  });

  test('may have the name of a cloud that AKS has its billing extension in, and prices', () => {
    const prices = 'https://prices.contoso.example/api';
    expect(of({ name: 'AzureUSGovernmentCloud', retailPricesEndpoint: prices })).toMatchObject({
      hasBillingExtension: true,
      retailPricesEndpoint: prices,
    });
  });

  test('may have an audience that is no URL', () => {
    expect(of({ tokenAudience: 'api://contoso' })).toMatchObject({ tokenAudience: 'api://contoso' });
  });

  test.each<[string, string, string]>([
    ['is no JSON', '{', 'which cannot be read as JSON: '],
    ['is no object', '[]', 'in which resourceManagerEndpoint is missing: it must be set; activeDirectoryEndpoint is missing'],
    ['lacks a member', JSON.stringify({ ...whole, tokenAudience: undefined }), 'in which tokenAudience is missing: it must be set'],
    ['has an empty one', JSON.stringify({ ...whole, tokenAudience: '' }), 'in which tokenAudience is missing: it must be set'],
    ['has a number', JSON.stringify({ ...whole, tokenAudience: 5 }), 'in which tokenAudience is 5: expected text'],
    [
      'has no URL where one must be',
      JSON.stringify({ ...whole, activeDirectoryEndpoint: 'login.contoso.example' }),
      'in which activeDirectoryEndpoint is "login.contoso.example": expected an absolute https URL',
    ],
    [
      'has a URL that tokens are not sent to',
      JSON.stringify({ ...whole, resourceManagerEndpoint: 'http://arm.contoso.example' }),
      'in which resourceManagerEndpoint is "http://arm.contoso.example": expected an absolute https URL',
    ],
    [
      'has prices nowhere',
      JSON.stringify({ ...whole, retailPricesEndpoint: 'none' }),
      'in which retailPricesEndpoint is "none": expected an absolute https URL',
    ],
  ])('that %s is refused by member and value', (_, content, why) => {
    expect(() => ofText(content)).toThrow(AzureEnvironmentError);
    expect(() => ofText(content)).toThrow(`AZURE_ENVIRONMENT_FILEPATH names ${path}, ${why}`);
  });

  test('that is not there is refused by its path', () => {
    const gone = join(folder, 'gone.json');
    const why = new RegExp(`AZURE_ENVIRONMENT_FILEPATH names ${gone}, which cannot be read as JSON: .*ENOENT`);
    expect(() => azureEnvironmentOf({ kind: 'file', path: gone })).toThrow(why);
  });
});
