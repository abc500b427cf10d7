import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { systemClock } from '@karpenter/runtime';
import { type ArmEmulator, startArmEmulator } from '@karpenter/azure-emulator';

// Each signs in from a process of its own, whose environment is all that it knows.
jest.setTimeout(60_000);

const SCRIPT = join(import.meta.dirname, '../../testing/sign-in-process.ts');
const IMDS = '/metadata/identity/oauth2/token';

let arm: ArmEmulator;
let folder: string;
let metadata: Server;
/** Requests to the metadata service of the machine. */
let asked: { readonly path: string; readonly query: Readonly<Record<string, string>>; readonly isMarked: boolean }[] = [];

const written = async (name: string, content: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

const tokenFromEmulator = async (query: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const url = `${arm.environmentFile().resourceManagerEndpoint}${IMDS}?${query}`;
    request(url, { ca: arm.caPem, headers: { Metadata: 'true' } }, (response) => void text(response).then(resolve, reject))
      .on('error', reject)
      .end();
  });

/** The metadata service speaks plain HTTP, which the emulator does not. */
const startMetadata = (): Server =>
  createServer((incoming, answer) => {
    const url = new URL(incoming.url ?? '', 'http://metadata');
    asked.push({
      path: url.pathname.replace(/\/$/, ''),
      query: Object.fromEntries(url.searchParams),
      isMarked: incoming.headers['metadata'] === 'true',
    });
    void tokenFromEmulator(url.searchParams.toString()).then((body) => answer.setHeader('content-type', 'application/json').end(body));
  });

beforeAll(async () => {
  arm = await startArmEmulator({ clock: systemClock });
  folder = await mkdtemp(join(tmpdir(), 'sign-in-'));
  await written('environment.json', JSON.stringify(arm.environmentFile()));
  await written('ca.pem', arm.caPem);
  metadata = startMetadata();
  await new Promise<void>((resolve) => void metadata.listen(0, '127.0.0.1', () => resolve()));
});

afterEach(() => {
  asked = [];
  arm.requests.clear();
});

afterAll(async () => {
  metadata.close();
  await arm.close();
  await rm(folder, { recursive: true });
});

const NO_METADATA = { AZURE_TOKEN_CREDENTIALS: 'dev' };
const metadataService = () => ({ AZURE_POD_IDENTITY_AUTHORITY_HOST: `http://127.0.0.1:${(metadata.address() as AddressInfo).port}` });

/** Signs in with these variables and those that say where Azure is. */
const signIn = async (variables: Readonly<Record<string, string>>): Promise<string> => {
  const { clusterName, subnetId, nodeResourceGroup, location, subscriptionId } = arm.account;
  const env = {
    CLUSTER_NAME: clusterName,
    CLUSTER_ENDPOINT: 'https://api.example:443',
    KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
    SSH_PUBLIC_KEY: 'ssh-rsa AAAA',
    VNET_SUBNET_ID: subnetId,
    AZURE_NODE_RESOURCE_GROUP: nodeResourceGroup,
    LOCATION: location,
    AZURE_SUBSCRIPTION_ID: subscriptionId,
    AZURE_ENVIRONMENT_FILEPATH: join(folder, 'environment.json'),
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    // The second process loads in half the processor time of the first.
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    PATH: '/usr/bin:/bin',
    ...variables,
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@karpenter/source', '--no-warnings', SCRIPT], { env });
  return stdout;
};

const tokenRequest = () => arm.requests.of('Authority_Token').map(({ path, body }) => ({ path, body }));
const scopeOf = (): string => `${arm.environmentFile().tokenAudience}/.default`;

describe('the controller signs in', () => {
  test('by workload identity, with the token of its service account, whatever else there is', async () => {
    const { tenantId, clientId, federatedToken } = arm.account;
    const AZURE_FEDERATED_TOKEN_FILE = await written('token', federatedToken);
    const others = { AZURE_CLIENT_SECRET: 'of-another', ARM_TENANT_ID: clientId, ...metadataService() };
    expect(await signIn({ AZURE_CLIENT_ID: clientId, AZURE_TENANT_ID: tenantId, AZURE_FEDERATED_TOKEN_FILE, ...others })).toBe('in');
    expect(tokenRequest()).toMatchObject([
      {
        path: `/${tenantId}/oauth2/v2.0/token`,
        body: { client_id: clientId, client_assertion: federatedToken, grant_type: 'client_credentials' },
      },
    ]);
    expect(tokenRequest()[0]?.body).toMatchObject({ scope: expect.stringContaining(scopeOf()) });
    expect(tokenRequest()[0]?.body).not.toHaveProperty('client_secret');
    expect(asked).toEqual([]);
  });

  test('by the identity that the machine has', async () => {
    expect(await signIn(metadataService())).toBe('in');
    const { tokenAudience: resource } = arm.environmentFile();
    expect(asked).toMatchObject([{ path: IMDS, query: { resource }, isMarked: true }]);
    expect(asked[0]?.query).not.toHaveProperty('client_id');
    expect(tokenRequest()).toEqual([]);
  });

  test('by one of several identities that the machine has', async () => {
    const { kubeletIdentityClientId } = arm.account;
    expect(await signIn({ AZURE_CLIENT_ID: kubeletIdentityClientId, ...metadataService() })).toBe('in');
    expect(asked).toMatchObject([{ path: IMDS, query: { client_id: kubeletIdentityClientId }, isMarked: true }]);
  });

  test('as the person at the desk whom `az` knows', async () => {
    const { tokenAudience: resource } = arm.environmentFile();
    const { access_token: accessToken } = JSON.parse(await tokenFromEmulator(`resource=${resource}`)) as { access_token: string };
    const answer = JSON.stringify({ accessToken, expires_on: Math.floor(Date.now() / 1000) + 3600, tokenType: 'Bearer' });
    const az = await written('az', `#!/bin/sh\necho "$@" >> '${folder}/az-asked'\necho '${answer}'\n`);
    await chmod(az, 0o755);
    expect(await signIn({ ...NO_METADATA, PATH: `${folder}:/usr/bin:/bin` })).toBe('in');
    expect(await readFile(join(folder, 'az-asked'), 'utf8')).toMatch(`account get-access-token --output json --resource ${resource}`);
  });
});

describe('a failed sign-in says why', () => {
  test('by what Entra said', async () => {
    const { tenantId, clientId } = arm.account;
    const said = await signIn({ AZURE_CLIENT_ID: clientId, AZURE_TENANT_ID: tenantId, AZURE_CLIENT_SECRET: 'wrong' });
    expect(said).toMatch(/^forbidden: the credentials are refused: AADSTS7000215: Invalid client secret provided/);
  });

  test('by the ways that there are', async () => {
    const said = await signIn(NO_METADATA);
    expect(said).toMatch(
      /^forbidden: no Azure credentials: expected a workload identity, a client secret .*, a managed identity or `az login`/,
    );
  });
});
