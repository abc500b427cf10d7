import { describe, expect, test } from '@jest/globals';
import { anonymizer, cleaned, type Exchange, named } from './recording.ts';

const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const OTHER = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/MC_group_web_eastus`;

const IMAGES = '99999999-2222-3333-4444-555555555555';
const NAMES = {
  ...{ subscription: SUBSCRIPTION, imageSubscription: IMAGES, resourceManager: 'management.azure.com' },
  ...{ cluster: 'web', clusterGroup: 'web-rg', nodeGroup: 'MC_group_web_eastus' },
};

const anExchange = (more: Partial<Exchange>): Exchange => ({
  ...{ method: 'PUT', target: `${GROUP}/providers/Microsoft.Compute/virtualMachines/a?api-version=2025-04-01`, body: undefined },
  ...{ status: 201, headers: {}, answer: undefined, ...more },
});

const keptOf = (more: Partial<Exchange>): Exchange => cleaned(anExchange(more), anonymizer(NAMES));

describe('what is kept of a request and its answer', () => {
  test('has no user data, keys and passwords, wherever they stand', () => {
    const osProfile = { computerName: 'a', customData: 'SECRET', linuxConfiguration: { ssh: { publicKeys: [{ keyData: 'SECRET' }] } } };
    const answer = { properties: { extensions: [{ properties: { type: 'CustomScript', protectedSettings: { script: 'SECRET' } } }] } };
    const kept = keptOf({ body: { properties: { osProfile } }, answer });
    expect(JSON.stringify(kept)).not.toContain('SECRET');
    expect(kept.body).toMatchObject({ properties: { osProfile: { computerName: 'a', customData: '(secret)' } } });
    expect(kept.answer).toMatchObject({ properties: { extensions: [{ properties: { type: 'CustomScript' } }] } });
  });

  test('has no signature of an operation, in headers and in the polls that follow', () => {
    const address = `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Compute/locations/eastus/operations/${OTHER}`;
    const signed = `${address}?api-version=2025-04-01&t=638485032018035520&c=MIIHsecret&s=secret-s_-&h=secretH`;
    const first = keptOf({ headers: { 'azure-asyncoperation': `https://management.azure.com${signed}` } });
    const poll = keptOf({ method: 'GET', target: signed });
    expect(JSON.stringify([first, poll])).not.toMatch(/MIIHsecret|secret-s|secretH|638485/);
    expect(poll.target).toContain('?api-version=2025-04-01&t=(secret)&c=(secret)&s=(secret)&h=(secret)');
  });

  test('has no token: of headers only those that say something of Azure', () => {
    const headers = { authorization: 'Bearer x', 'set-cookie': 'x', 'x-ms-request-id': OTHER, 'retry-after': '7' };
    expect(keptOf({ headers }).headers).toEqual({ 'retry-after': '7' });
  });

  test('has no user of a proxy', () => {
    const kept = keptOf({ body: { properties: { httpProxy: 'http://me:pass@proxy.example.com:3128', noProxy: 'https://a.example' } } });
    expect(kept.body).toEqual({ properties: { httpProxy: 'http://(secret)@proxy.example.com:3128', noProxy: 'https://a.example' } });
  });

  test('has placeholders for names of the account, and numbers for every other GUID', () => {
    const kept = keptOf({ answer: { id: `${GROUP.toUpperCase()}/x`, vmId: OTHER, again: OTHER.toUpperCase(), name: 'aks-web-1' } });
    expect(kept.target).toMatch(/^\/subscriptions\/\{subscription\}\/resourceGroups\/\{nodeGroup\}\//);
    const [vmId, again] = ['vmId', 'again'].map((name) => (kept.answer as Readonly<Record<string, string>>)[name]);
    expect([vmId, again]).toEqual(['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001']);
    expect(JSON.stringify(kept)).not.toMatch(/web|MC_group|11111111/i);
  });

  test('has the names of community galleries, and no other GUID beside them', () => {
    const gallery = 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2';
    const images = `locations/eastus/communityGalleries/${gallery}/images/2204gen2containerd`;
    const target = `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Compute/${images}/versions?api-version=2024-03-03&id=${OTHER}`;
    const uniqueId = `/CommunityGalleries/${gallery}/Images/2204gen2containerd/Versions/202611.03.0`;
    const kept = keptOf({ method: 'GET', target, answer: { identifier: { uniqueId }, owner: `owner-${OTHER}` } });
    expect(kept.target).toContain(`/${images}/versions?`);
    expect(kept.answer).toMatchObject({ identifier: { uniqueId } });
    expect(JSON.stringify(kept)).not.toContain(OTHER);
  });

  test('names the shared galleries in a way that another account fills', () => {
    const imageId = (subscription: string): string => `/subscriptions/${subscription}/resourceGroups/AKS-Ubuntu/providers/x`;
    const kept = keptOf({ answer: { id: imageId(IMAGES) } });
    expect(JSON.stringify(kept)).not.toContain(IMAGES);
    const elsewhere = named(JSON.stringify(kept.answer), { ...NAMES, imageSubscription: OTHER });
    expect(JSON.parse(elsewhere)).toEqual({ id: imageId(OTHER) });
  });
});
