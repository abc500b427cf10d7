import { describe, expect, test } from '@jest/globals';
import { anonymizer, cleaned, type Exchange } from './recording.ts';

const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const OTHER = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/MC_group_web_eastus`;

const anExchange = (more: Partial<Exchange>): Exchange => ({
  ...{ method: 'PUT', target: `${GROUP}/providers/Microsoft.Compute/virtualMachines/a?api-version=2025-04-01`, body: undefined },
  ...{ status: 201, headers: {}, answer: undefined, ...more },
});

const keptOf = (more: Partial<Exchange>): Exchange =>
  cleaned(anExchange(more), anonymizer({ subscription: SUBSCRIPTION, cluster: 'web', nodeGroup: 'MC_group_web_eastus' }));

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
});
