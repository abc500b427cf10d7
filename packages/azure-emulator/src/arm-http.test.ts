import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { AKS_MODELS_VERSION } from './data/aks-models.ts';
import { knownRefusals, startArmEmulator } from './index.ts';
import { aVm, NIC, VM } from './fixtures/a-vm.ts';
import { type Answer, send, type Wire, wire } from './fixtures/wire.ts';

const nic = ({ emulator: { account } }: Wire): object => ({
  location: 'eastus',
  properties: { ipConfigurations: [{ name: 'a', properties: { primary: true, subnet: { id: account.subnetId } } }] },
});

const vm = (on: Wire, changes: object = {}): object => aVm(on, 'Standard_D2s_v3', changes);

describe('a body with name and type', () => {
  const EXTENSION = `${VM}/extensions/a`;
  const extension = {
    location: 'eastus',
    properties: { publisher: 'Microsoft.AKS', type: 'Compute.AKS.Linux.Billing', typeHandlerVersion: '1.0' },
  };
  const cases: readonly (readonly [string, string, (on: Wire) => object])[] = [
    [NIC, 'Microsoft.Network/networkInterfaces', nic],
    [VM, 'Microsoft.Compute/virtualMachines', vm],
    [EXTENSION, 'Microsoft.Compute/virtualMachines/extensions', () => extension],
  ];

  test('writes the resource of the URL, whatever they say; they must be text', async () => {
    await using on = await wire();
    for (const [path, type, body] of cases) {
      const call = `PUT ${on.group}/${path}`;
      expect(await on.call(call, { body: { ...body(on), name: 5 } })).toMatchObject({ status: 400 });
      const put = await on.call(call, { body: { ...body(on), name: 'other', type: 'Microsoft.Other/things' } });
      expect(put).toMatchObject({ status: 201, body: { name: 'a', type } });
      expect((put.body as { readonly id: string }).id.endsWith(path)).toBe(true);
      await on.clock.advance(60_000);
      expect(await on.call(`GET ${on.group}/${path}`)).toMatchObject({ status: 200, body: { name: 'a', type } });
      expect(await on.call(`GET ${on.group}/${path.replace(/a$/, 'other')}`)).toMatchObject({ status: 404 });
    }
  });
});

describe('the asynchronous protocol', () => {
  test('PUT answers 201 with the resource in creation and where to poll; late polls still find the result', async () => {
    await using on = await wire();
    const put = await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) });
    expect(put).toMatchObject({ status: 201, headers: { 'retry-after': '1' }, body: { properties: { provisioningState: 'Updating' } } });
    const poll = `GET ${String(put.headers['azure-asyncoperation'])}`;
    expect(await on.call(poll)).toMatchObject({ status: 200, headers: { 'retry-after': '1' }, body: { status: 'InProgress' } });
    await on.clock.advance(24 * 3_600_000);
    expect((await on.call(poll)).body).toMatchObject({
      status: 'Succeeded',
      startTime: '2026-01-01T00:00:00.000Z',
      endTime: '2026-01-01T00:00:01.500Z',
    });
    expect((await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) })).status).toBe(200);
  });

  test('DELETE answers 202 with both ways to poll, and 204 for what is not there', async () => {
    await using on = await wire();
    expect(await on.call(`DELETE ${on.group}/${NIC}`)).toMatchObject({ status: 204 });
    await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) });
    const deleted = await on.call(`DELETE ${on.group}/${NIC}`);
    expect(deleted).toMatchObject({ status: 202, headers: { 'azure-asyncoperation': expect.stringContaining('/operations/') } });
    const result = `GET ${String(deleted.headers['location'])}`;
    expect(await on.call(result)).toMatchObject({ status: 202 });
    await on.clock.advance(1_000);
    expect(await on.call(result)).toMatchObject({ status: 204 });
  });

  test('a failed operation shows its code and message; a preempted one is cancelled', async () => {
    await using on = await wire();
    on.emulator.faults.add({
      operation: 'VirtualMachines_CreateOrUpdate',
      times: 1,
      effect: { kind: 'fail', refusal: knownRefusals.allocationFailed() },
    });
    await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) });
    await on.clock.advance(2_000);
    const failing = await on.call(`PUT ${on.group}/${VM}`, { body: vm(on) });
    expect(failing).toMatchObject({ status: 201, body: { properties: { provisioningState: 'Creating' } } });
    await on.clock.advance(20_000);
    expect((await on.call(`GET ${String(failing.headers['azure-asyncoperation'])}`)).body).toMatchObject({
      status: 'Failed',
      error: { code: 'AllocationFailed' },
    });
    const retried = await on.call(`PUT ${on.group}/${VM}`, { body: vm(on) });
    await on.call(`DELETE ${on.group}/${VM}?forceDeletion=true`);
    expect((await on.call(`GET ${String(retried.headers['azure-asyncoperation'])}`)).body).toMatchObject({
      status: 'Canceled',
      error: { code: 'OperationPreempted' },
    });
  });

  test('asking twice joins the operation that is under way, but not one that is lost', async () => {
    await using on = await wire();
    await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) });
    await on.clock.advance(2_000);
    const first = await on.call(`PUT ${on.group}/${VM}`, { body: vm(on) });
    const second = await on.call(`PUT ${on.group}/${VM}`, { body: vm(on) });
    expect(second).toMatchObject({ status: 200, headers: { 'azure-asyncoperation': first.headers['azure-asyncoperation'] } });
    on.emulator.faults.add({ operation: 'VirtualMachines_Delete', times: 1, effect: { kind: 'lose' } });
    await on.call(`DELETE ${on.group}/${VM}`);
    await on.clock.advance(3_600_000);
    expect(on.emulator.vms()).toMatchObject([{ provisioningState: 'Deleting' }]);
    expect(await on.call(`PUT ${on.group}/${VM}`, { body: vm(on) })).toMatchObject({
      status: 409,
      body: { error: { code: 'OperationNotAllowed' } },
    });
    await on.call(`DELETE ${on.group}/${VM}`);
    await on.clock.advance(10_000);
    await on.call(`DELETE ${on.group}/${VM}`);
    await on.clock.advance(5_000);
    expect(on.emulator.vms()).toEqual([]);
  });

  test('a delayed synchronous answer waits on the clock', async () => {
    await using on = await wire();
    on.emulator.faults.add({ operation: 'LoadBalancers_List', effect: { kind: 'delay', byMs: 60_000 } });
    let status = 0;
    const listed = on.call(`GET ${on.group}/Microsoft.Network/loadBalancers`).then((answer) => {
      status = answer.status;
    });
    while (on.clock.pendingTimers === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(status).toBe(0);
    await on.clock.advance(60_000);
    await listed;
    expect(status).toBe(200);
  });
});

describe('a body that Azure would not take', () => {
  test.each<[string, object, { readonly code: string; readonly target: string }]>([
    ['an unknown field', { colour: 'red' }, { code: 'BadRequest', target: 'properties.colour' }],
    ['a field in the wrong place', { diskSizeGB: 128 }, { code: 'BadRequest', target: 'properties.diskSizeGB' }],
    ['a wrong type', { priority: 1 }, { code: 'BadRequest', target: 'properties.priority' }],
    ['a value that is not allowed', { priority: 'spot' }, { code: 'InvalidParameter', target: 'properties.priority' }],
    [
      'a missing field',
      { osProfile: { adminUsername: 'azureuser' } },
      { code: 'InvalidParameter', target: 'properties.osProfile.computerName' },
    ],
  ])('has %s, and nothing comes of it', async (_case, changes, error) => {
    await using on = await wire();
    await on.call(`PUT ${on.group}/${NIC}`, { body: nic(on) });
    expect(await on.call(`PUT ${on.group}/${VM}`, { body: vm(on, changes) })).toMatchObject({
      status: 400,
      body: { error },
    });
    expect(on.emulator.vms()).toEqual([]);
  });

  test('is reported in the details of a network error', async () => {
    await using on = await wire();
    const flattened = {
      location: 'eastus',
      properties: { ipConfigurations: [{ name: 'a', subnet: { id: on.emulator.account.subnetId } }] },
    };
    const refused = await on.call(`PUT ${on.group}/${NIC}`, { body: flattened });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: 'InvalidRequestFormat', details: [{ target: 'properties.ipConfigurations[0].subnet' }] } },
    });
  });

  test('is no JSON', async () => {
    await using on = await wire();
    expect(await on.call(`PUT ${on.group}/${NIC}`, { body: '{' })).toMatchObject({
      status: 400,
      body: { error: { code: 'InvalidRequestContent' } },
    });
  });
});

describe('over HTTPS', () => {
  const nobody = { Authorization: '' };
  const forged = { Authorization: 'Bearer a.b.c' };
  const subscription = (on: Wire) => `/subscriptions/${on.emulator.account.subscriptionId}`;
  test.each<[string, (on: Wire) => Promise<Answer>, string]>([
    ['no token', (on) => on.call('GET /subscriptions/x/locations', { headers: nobody }), '401 AuthenticationFailedInvalidHeader'],
    ['a forged token', (on) => on.call('GET /subscriptions/x/locations', { headers: forged }), '401 InvalidAuthenticationToken'],
    ['no api-version', (on) => on.call(`GET ${subscription(on)}/locations?api-version`), '400 MissingApiVersionParameter'],
    ['another subscription', (on) => on.call('GET /subscriptions/x/locations'), '404 SubscriptionNotFound'],
    ['an unknown type', (on) => on.call(`GET ${on.group}/Microsoft.Nothing/things/a`), '404 InvalidResourceType'],
    ['a method that the resource does not have', (on) => on.call(`POST ${on.group}/${VM}`), '405 MethodNotAllowed'],
    [
      'an operation nobody started',
      (on) => on.call(`GET ${subscription(on)}/providers/Microsoft.Compute/locations/eastus/operations/x`),
      '404 NotFound',
    ],
  ])('%s', async (_case, call, expected) => {
    await using on = await wire();
    const { status, body } = await call(on);
    expect(`${String(status)} ${(body as { error: { code: string } }).error.code}`).toBe(expected);
  });

  test('a token for somebody else', async () => {
    await using on = await wire();
    const imds = await on.call('GET /metadata/identity/oauth2/token?resource=https://vault.azure.net', { headers: { Metadata: 'true' } });
    const token = (imds.body as { access_token: string }).access_token;
    const refused = await on.call(`GET ${on.group}/${VM}`, { headers: { Authorization: `Bearer ${token}` } });
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'InvalidAuthenticationTokenAudience' } } });
    expect(await on.call('GET /metadata/identity/oauth2/token?resource=x')).toMatchObject({ status: 400 });
  });

  test('throttles as ARM does when switched on, and says what is left', async () => {
    await using on = await wire({ throttling: true });
    const get = () => on.call(`GET ${on.group}/${VM}`);
    expect((await get()).headers['x-ms-ratelimit-remaining-subscription-reads']).toBe('249');
    await Promise.all(Array.from({ length: 249 }, get));
    expect(await get()).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      body: { error: { code: 'SubscriptionRequestsThrottled' } },
    });
    await on.clock.advance(1_000);
    expect((await get()).status).toBe(404);
  });

  test('throttles calls to AKS sooner', async () => {
    await using on = await wire({ throttling: true });
    const get = () =>
      on.call(`GET ${on.group}/Microsoft.ContainerService/managedClusters/none/agentPools/none/machines?api-version=${AKS_MODELS_VERSION}`);
    await Promise.all(Array.from({ length: 60 }, get));
    expect(await get()).toMatchObject({ status: 429, headers: { 'retry-after': '1' }, body: { error: { code: 'Throttled' } } });
    expect((await on.call(`GET ${on.group}/${VM}`)).status).toBe(404);
  });

  test('records requests', async () => {
    await using on = await wire();
    await on.call(`GET ${on.group}/${VM}?api-version=2020-01-01`);
    expect(on.emulator.requests.of('VirtualMachines_Get')).toMatchObject([
      { method: 'GET', apiVersion: '2020-01-01', status: 404, path: `${on.group}/${VM}` },
    ]);
    expect(on.emulator.requests.counts()).toEqual({ Authority_Token: 1, VirtualMachines_Get: 1 });
  });
});

describe('what needs no machine', () => {
  test('retail prices by region, page by page, open to everybody', async () => {
    await using on = await wire();
    const filter =
      "priceType eq 'Consumption' and currencyCode eq 'USD' and serviceFamily eq 'Compute' and serviceName eq 'Virtual Machines' and armRegionName eq 'eastus'";
    const items: { armSkuName: string; retailPrice: number; skuName: string; productName: string }[] = [];
    let next: string | null = `${on.emulator.pricesUrl}?api-version=2023-01-01-preview&$filter=${encodeURIComponent(filter)}`;
    let pages = 0;
    for (; next !== null; pages += 1) {
      const page = await send(new URL(next), 'GET', {});
      const body = page.body as { Items: typeof items; NextPageLink: string | null };
      items.push(...body.Items);
      next = body.NextPageLink;
    }
    expect(pages).toBe(Math.ceil(items.length / 1_000));
    expect(items.find((item) => item.armSkuName === 'Standard_D4s_v3' && item.skuName === 'D4s v3')?.retailPrice).toBe(0.192);
    expect(await send(new URL(`${on.emulator.pricesUrl}?$filter=nonsense`), 'GET', {})).toMatchObject({ status: 400 });
  });

  test('retail prices that have changed', async () => {
    await using on = await wire();
    const filter = "armRegionName eq 'eastus' and armSkuName eq 'Standard_D4s_v3' and skuName eq 'D4s v3'";
    const prices = async (): Promise<unknown> =>
      (await send(new URL(`${on.emulator.pricesUrl}?$filter=${encodeURIComponent(filter)}`), 'GET', {})).body;
    expect(await prices()).toMatchObject({ Items: [{ retailPrice: 0.192 }, {}] });
    on.emulator.changePrices((size) => (size === 'Standard_D4s_v3' ? 0.5 : 1));
    expect(await prices()).toMatchObject({ Items: [{ retailPrice: 0.096, unitPrice: 0.096 }, {}] });
    on.emulator.changePrices(() => 1);
    expect(await prices()).toMatchObject({ Items: [{ retailPrice: 0.192 }, {}] });
  });

  test('locations with their zones', async () => {
    await using on = await wire();
    const listed = await on.call(`GET /subscriptions/${on.emulator.account.subscriptionId}/locations`);
    const { value } = listed.body as { value: { name: string; availabilityZoneMappings?: object[] }[] };
    expect(value.find((location) => location.name === 'eastus')?.availabilityZoneMappings).toHaveLength(3);
  });

  test('an unknown location is refused with those that are known', async () => {
    await expect(startArmEmulator({ clock: fakeClock(), location: 'atlantis' })).rejects.toMatchObject({
      code: 'UnknownLocation',
      message: expect.stringContaining('eastus'),
    });
  });

  test('two emulators share nothing', async () => {
    await using one = await wire({ seed: 1 });
    await using two = await wire({ seed: 2, location: 'westus2' });
    await one.call(`PUT ${one.group}/${NIC}`, { body: nic(one) });
    expect([one.emulator.nics().length, two.emulator.nics().length]).toEqual([1, 0]);
    expect(two.emulator.account.subscriptionId).not.toBe(one.emulator.account.subscriptionId);
  });
});
