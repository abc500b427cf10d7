import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { fuzzCases, mutationsOf, withinCaseTimeAsync } from '@karpenter/testkit';
import fc from 'fast-check';
import { aksMachineCalls } from '../arm/aks-machines/aks-machine-calls.ts';
import type { AksMachineBody } from '../arm/aks-machines/aks-machine.ts';
import { ArmError } from '../arm/arm-error.ts';
import { nodeBootstrappingService } from '../arm/calls/node-bootstrapping.ts';
import { aksMachines } from '../machines/aks/aks-machines.ts';
import { machineTags } from '../machines/machine-tags.ts';
import { type AnsweringAzure, answeringAzure, AZURE_ENDPOINT, type AzureAnswer } from '../testing/answering-azure.ts';
import { base64 } from '../bootstrap/bootstrap-variables.ts';

// A million cases take longer than the tests of others.
jest.setTimeout(3_600_000);

const signal = new AbortController().signal;
const tags = { [machineTags.nodePool]: 'general', [machineTags.cluster]: 'main' };
const provisioningError = {
  code: 'ReconcileVMSSAgentPoolFailed',
  message: 'x',
  details: [{ code: 'SkuNotAvailable', message: 'no stock' }],
};

/** What any of the calls may be answered with: a VM, an interface, an extension and a machine of an agent pool in one. */
const resource = (provisioningState: string) => ({
  ...{ id: '/machines/aks-a', name: 'aks-a', location: 'eastus', zones: ['1'], tags },
  properties: {
    ...{
      provisioningState,
      vmId: 'guid',
      tags,
      hardware: { vmSize: 'Standard_D2s_v5' },
      eTag: 'x',
      localDNSProfile: { mode: 'Preferred' },
    },
    ...{ hardwareProfile: { vmSize: 'Standard_D2s_v5' }, kubernetes: { maxPods: 30, nodeLabels: {} }, network: { vnetSubnetID: 'subnet' } },
    ...(provisioningState !== 'Creating' && { resourceId: '/vms/aks-a' }),
    status: { creationTimestamp: '2026-01-01T00:00:00Z', driftAction: 'Synced', vmState: 'Running', provisioningError },
  },
  // Of an instance view.
  statuses: [{ code: 'ProvisioningState/failed/AllocationFailed', message: 'no room' }],
});
const states = ['Creating', 'Updating', 'Deleting', 'Failed', 'Canceled', 'Succeeded'].map(resource);
const lists = states.map((each) => ({ value: [each, { ...each, name: 'aks-b' }] }));
const refusal = {
  error: {
    ...{ code: 'BatchMachineClientError', message: 'some are refused' },
    details: [{ code: 'SkuNotAvailable', message: 'no stock', target: 'aks-a' }, provisioningError],
  },
};
const operation = { id: 'o', name: 'o', status: 'Failed', error: refusal.error, properties: { output: resource('Succeeded') } };
const bodies = [...states, ...lists, refusal, operation, { ...operation, status: 'InProgress' }, { ...operation, status: 'Succeeded' }, {}];

const links = [`${AZURE_ENDPOINT}/operations/1`, 'https://elsewhere.example/operations/1', '/operations/1', 'operations 1', ''];
const answers: fc.Arbitrary<AzureAnswer> = fc.record({
  status: fc.constantFrom(200, 200, 200, 201, 202, 204, 400, 404, 409, 412, 429, 500, 503),
  headers: fc.record(
    {
      'azure-asyncoperation': fc.constantFrom(...links),
      location: fc.constantFrom(...links),
      'retry-after': fc.constantFrom('600', '-1', '1e309', 'soon', 'Wed, 31 Dec 9999 23:59:59 GMT', '', 'NaN'),
    },
    { requiredKeys: [] },
  ),
  body: fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...bodies) }, { weight: 2, arbitrary: fc.oneof(...bodies.map(mutationsOf)) }),
});

const body = { properties: { hardware: { vmSize: 'Standard_D2s_v5' }, tags } } as unknown as AksMachineBody;
const pool = { subscriptionId: 'sub', clusterResourceGroup: 'rg', clusterName: 'main', poolName: 'machines' };
const poolCalls = ({ clients, clock }: AnsweringAzure) => aksMachineCalls(clients, pool, clock);
const batchCalls = ({ clients, clock }: AnsweringAzure) =>
  aksMachineCalls(clients, { ...pool, batching: { idleMs: 1, maxMs: 2, most: 50 } }, clock);
const scope = { subscriptionId: 'sub', nodeResourceGroup: 'nodes', location: 'eastus', clusterName: 'main' };
const poolMachines = (azure: AnsweringAzure) => aksMachines({ arm: poolCalls(azure), scope, poolName: 'machines', clock: azure.clock });

/** Calls of Azure one after the other, each whatever became of the one before. */
const calls: Readonly<Record<string, (azure: AnsweringAzure) => readonly (() => Promise<unknown>)[]>> = {
  'makes a machine': ({ api }) => [() => api.putVm('aks-a', { location: 'eastus' }, signal), () => api.vmMade('aks-a', signal)],
  'changes a machine': ({ api }) => [() => api.updateVm('aks-a', { tags }, signal)],
  'ends a machine': ({ api }) => [() => api.deleteVm('aks-a', signal), () => api.vmGone('aks-a', signal)],
  'makes and ends an interface': ({ api }) => [
    () => api.putNic('aks-a', { location: 'eastus' }, signal),
    () => api.tagNic('aks-a', tags, signal),
    () => api.deleteNic('aks-a', signal),
  ],
  'makes an extension': ({ api }) => [
    () => api.putExtension('aks-a', { name: 'node', body: { location: 'eastus', protectedSettings: { script: 'x' } } }, signal),
    () => api.extensionDone('aks-a', 'node', signal),
  ],
  'changes an extension': ({ api }) => [() => api.tagExtension('aks-a', { name: 'node', tags }, signal)],
  'ends a disk': ({ api }) => [() => api.deleteDisk('disk', signal)],
  'makes a machine of an agent pool': (azure) => [
    () => poolCalls(azure).putMachine('aks-a', body, signal),
    () => poolCalls(azure).machineMade('aks-a', signal),
  ],
  'makes two of them by one call': (azure) => {
    const batch = batchCalls(azure);
    return [() => Promise.allSettled(['aks-a', 'aks-b'].map((name) => batch.putMachine(name, body, signal))).then(failedAsOurs)];
  },
  'changes and ends one of them': (azure) => [
    () => poolMachines(azure).tag('a', { team: 'web' }, signal),
    () => poolCalls(azure).deleteMachine('aks-a', signal),
    () => poolCalls(azure).machineGone('aks-a', signal),
  ],
  'reads them': (azure) => [
    () => poolMachines(azure).isThere(signal),
    () => poolMachines(azure).list(signal),
    () => poolMachines(azure).hasDrifted('a', signal),
    () => poolCalls(azure).getMachine('aks-a', signal),
  ],
};

/** Throws what is no failure of Azure. */
const assertOurs = (error: unknown): void => {
  if (!(error instanceof ArmError)) throw error;
  expect([error.message, error.code]).toEqual([expect.any(String), expect.any(String)]);
};

const failedAsOurs = (settled: readonly PromiseSettledResult<unknown>[]): void => {
  for (const each of settled) if (each.status === 'rejected') assertOurs(each.reason);
};

/** Answers as drawn, and then well: nothing is waited for that does not come. */
const answerInTurn = (azure: AnsweringAzure, drawn: readonly AzureAnswer[]): void => {
  let asked = 0;
  azure.requests.length = 0;
  azure.answer = ({ url }) => {
    asked += 1;
    return drawn[asked - 1] ?? { body: /machines(\?|$)/i.test(url) ? { value: [resource('Succeeded')] } : resource('Succeeded') };
  };
};

test.each(Object.entries(calls))('whoever %s reads what Azure answers to it and to its polls, or has an ArmError', async (_, steps) => {
  const azure = answeringAzure();
  await fc.assert(
    fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 6 }), (drawn) =>
      withinCaseTimeAsync(async () => {
        answerInTurn(azure, drawn);
        for (const step of steps(azure)) await step().catch(assertOurs);
        // Requests carry a token.
        for (const request of azure.requests) expect(new URL(request.split(' ')[1] ?? '').origin).toBe(AZURE_ENDPOINT);
      }),
    ),
    fuzzCases(0.4),
  );
});

const TOKEN = 'abcdef.0123456789abcdef';
const bootstrapping = {
  customData: base64('#cloud-config {{.TokenID}}.{{.TokenSecret}}'),
  cse: 'TOKEN="{{.TokenID}}.{{.TokenSecret}}" run',
};

test('the node bootstrapping service gives custom data and a script with the token, or its answer becomes an ArmError', async () => {
  let answer: AzureAnswer = { body: bootstrapping };
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    response.writeHead(answer.status ?? 200).end(JSON.stringify(answer.body));
  };
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service = nodeBootstrappingService({
    serverUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cluster: { subscriptionId: 'sub', resourceGroup: 'rg', name: 'main' },
    credential: { getToken: () => Promise.resolve({ token: 'secret', expiresOnTimestamp: Number.MAX_SAFE_INTEGER }) },
    scope: `${AZURE_ENDPOINT}/.default`,
    bootstrapToken: TOKEN,
    clock: { now: () => 0 },
  });
  const ask = async (): Promise<void> => {
    const { customData, script } = await service.ask({} as never, signal);
    expect([customData, script]).not.toContain('');
    expect(base64(Buffer.from(customData, 'base64').toString('utf8'))).toBe(customData);
    expect(`${Buffer.from(customData, 'base64').toString('utf8')} ${script}`).not.toContain('{{.TokenID}}.{{.TokenSecret}}');
  };
  await ask();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(200, 200, 200, 400, 401, 404, 500),
      fc.oneof(mutationsOf(bootstrapping), mutationsOf(refusal)),
      async (status, drawn) => {
        answer = { status, body: drawn };
        await withinCaseTimeAsync(() => ask().catch(assertOurs));
      },
    ),
    fuzzCases(0.6),
  );
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
});
