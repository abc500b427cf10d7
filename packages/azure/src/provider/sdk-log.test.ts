import { describe, expect, test } from '@jest/globals';
import { aClaim } from '../testing/a-claim.ts';
import { type AzureWorld, azureWorld, unendingCall } from '../testing/azure-world.ts';

/** With images that are shown a token of their own, so that every kind of secret goes over the wire. */
const launchOne = async (world: AzureWorld, variables: Readonly<Record<string, string>> = {}): Promise<void> => {
  const { account, auxiliaryTokensUrl } = world.arm;
  const galleries = {
    USE_SIG: 'true',
    SIG_SUBSCRIPTION_ID: account.imageSubscriptionId,
    SIG_ACCESS_TOKEN_SERVER_URL: auxiliaryTokensUrl,
  };
  const azure = await world.provider({ ...galleries, ...variables });
  await world.passing(azure.provider.create(aClaim('general-a'), unendingCall));
  await world.passing(azure.idle());
};

const saidBySdk = ({ observed }: AzureWorld): string => observed.lines.filter((line) => line.includes('azure sdk')).join('\n');

const secretsOf = ({ arm }: AzureWorld): readonly string[] => {
  const sent = arm.requests.of('VirtualMachines_CreateOrUpdate')[0];
  const { authorization = '', 'x-ms-authorization-auxiliary': auxiliary = '' } = sent?.headers ?? {};
  const body = sent?.body as { readonly properties: { readonly osProfile: { readonly customData: string } } };
  const tokens = [authorization, auxiliary].map((header) => header.replace(/^Bearer /, ''));
  return [...tokens, body.properties.osProfile.customData, arm.account.clientSecret, 'abcdef.0123456789abcdef'];
};

describe('what the SDK says of its calls', () => {
  test('is in the log at the level debug: what was called, and what came of it', async () => {
    await using world = await azureWorld();
    await launchOne(world);
    expect(saidBySdk(world)).toMatch(/PUT[^]*virtualMachines\/aks-general-a/);
    expect(saidBySdk(world)).toContain('Response status code: 201');
    expect(new Set(saidBySdk(world).match(/level: '\w+'/g))).toEqual(new Set(["level: 'debug'"]));
  });

  test('contains no tokens and no user data', async () => {
    await using world = await azureWorld();
    await launchOne(world);
    const secrets = secretsOf(world);
    expect(secrets.every(({ length }) => length > 10)).toBe(true);
    expect(secrets.filter((secret) => world.observed.lines.some((line) => line.includes(secret)))).toEqual([]);
    expect(saidBySdk(world)).toMatch(/authorization[^,]*REDACTED/i);
  });

  test('is not there where that is said', async () => {
    await using world = await azureWorld();
    await launchOne(world, { ENABLE_AZURE_SDK_LOGGING: 'false' });
    expect(saidBySdk(world)).toBe('');
  });
});
