import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createHttpHeaders, createPipelineRequest, type PipelineRequest } from '@azure/core-rest-pipeline';
import { auxiliaryTokenPolicy } from './auxiliary-token-policy.ts';

test('a token server that says nothing holds up one launch for a while, and none after it', async () => {
  let isSilent = true;
  const server = createServer((_, response) => {
    if (!isSilent) response.end(JSON.stringify({ token: 'second', expiresOn: '2030-01-01T00:00:00Z' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tokenServerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const source = { tokenServerUrl, scope: 'a', clock: { now: () => 0 }, patienceMs: 100 };
  const policy = auxiliaryTokenPolicy(source);
  const shown: (string | undefined)[] = [];
  const answer = (request: PipelineRequest) => {
    shown.push(request.headers.get('x-ms-authorization-auxiliary'));
    return Promise.resolve({ request, status: 200, headers: createHttpHeaders() });
  };
  const launch = () => policy.sendRequest(createPipelineRequest({ method: 'PUT', url: 'https://arm.example/virtualMachines/vm' }), answer);
  const waiting = [launch(), launch()];
  for (const each of waiting) await expect(each).rejects.toMatchObject({ name: 'ArmError', code: 'network' });
  isSilent = false;
  source.patienceMs = 60_000;
  await launch();
  expect(shown).toEqual(['Bearer second']);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a token is renewed from its refresh_on, although it lasts longer, and not before', async () => {
  let nowMs = Date.parse('2030-01-01T00:00:00Z');
  let given = 0;
  const server = createServer((_, response) => {
    given += 1;
    response.end(JSON.stringify({ Token: `t${given}`, RefreshOn: '2030-01-01T01:00:00Z', ExpiresOn: '2030-01-02T00:00:00Z' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tokenServerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const policy = auxiliaryTokenPolicy({ tokenServerUrl, scope: 'a', clock: { now: () => nowMs } });
  const shown: (string | undefined)[] = [];
  const launch = () =>
    policy.sendRequest(createPipelineRequest({ method: 'PUT', url: 'https://arm.example/virtualMachines/vm' }), (request) => {
      shown.push(request.headers.get('x-ms-authorization-auxiliary'));
      return Promise.resolve({ request, status: 200, headers: createHttpHeaders() });
    });
  await launch();
  nowMs += 3_599_000;
  await launch();
  nowMs += 1_000;
  await launch();
  expect(shown).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
