import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NodeView } from '@karpenter/core/internal';
import { type FakeClock, fakeClock, silentLogger } from '@karpenter/runtime';
import { aSource, type ChangingSource } from '../testing/a-source.ts';
import { type Dashboard, startDashboard } from './dashboard-server.ts';

const page = { '/': { type: 'text/html', text: '<p>page</p>' } };
let clock: FakeClock;
let source: ChangingSource;
let dashboard: Dashboard;

beforeEach(async () => {
  clock = fakeClock();
  source = aSource();
  dashboard = await startDashboard({ port: 0, host: '127.0.0.1', clock, logger: silentLogger, page, source });
});
afterEach(async () => {
  await dashboard[Symbol.asyncDispose]();
});

const url = (path: string): string => `http://127.0.0.1:${dashboard.port}${path}`;
const post = (body: unknown, type = 'application/json') =>
  fetch(url('/api/what-if'), { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) });

const pool = (spec: object) => ({
  kind: 'nodepool',
  manifest: JSON.stringify({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'other' }, spec }),
});
const template = (requirements: readonly object[]) => ({
  template: { spec: { nodeClassRef: { group: 'karpenter.test', kind: 'TestNodeClass', name: 'default' }, requirements } },
});

describe('the server', () => {
  test('serves the page under a policy that runs only its own script', async () => {
    const response = await fetch(url('/'));
    expect(await response.text()).toBe('<p>page</p>');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  });

  test('answers nobody who calls it by another name: a page of another site reads nothing', async () => {
    const status = await new Promise((resolve, reject) => {
      const call = request({ port: dashboard.port, host: '127.0.0.1', path: '/api/state', headers: { host: 'evil.example' } });
      call
        .on('response', (response) => resolve(response.statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });

  test('refuses every verb that writes', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'POST']) expect((await fetch(url('/api/state'), { method })).status).toBe(405);
  });

  test('lists the pods of a node and the workloads of the cluster', async () => {
    const rows: unknown = await (await fetch(url('/api/nodes/node-a'))).json();
    expect(rows).toMatchObject([{ cpu: '1', memory: '1Gi' }, {}, {}]);
    expect(await (await fetch(url('/api/workloads'))).json()).toEqual([{ name: 'Deployment shop/web', pods: 3 }]);
    expect((await fetch(url('/api/nodes/nobody'))).status).toBe(404);
  });

  test('sends the state, and then only what changed', async () => {
    const stopping = new AbortController();
    const response = await fetch(url('/api/events'), { signal: stopping.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    expect(first?.value).toMatch(/^event: state\ndata: {"isLeader":true/);
    source.cluster = { ...source.cluster, nodes: source.cluster.nodes.slice(0, 1) };
    await clock.advance(1000);
    const second = await reader?.read();
    expect(second?.value).toMatch(/^event: change\ndata: .*"changedNodes":\[\],"goneNodes":\["node-b"\]/);
    stopping.abort();
  });

  test('a state that cannot be read does not end the process', async () => {
    const { cluster } = source;
    source.cluster = { ...cluster, nodes: [{} as NodeView] };
    await clock.advance(20_000);
    expect((await fetch(url('/api/state'))).status).toBe(500);
    source.cluster = cluster;
    expect((await fetch(url('/api/state'))).status).toBe(200);
  });
});

describe('a what-if', () => {
  test('of more replicas shows where they would go, and at what price', async () => {
    const answer: unknown = await (await post({ kind: 'replicas', workload: 'Deployment shop/web', more: 9 })).json();
    expect(answer).toMatchObject({
      kind: 'plan',
      answer: { pods: 9, plan: { onExistingNodes: { 'node-a': 1, 'node-b': 4 }, unplaced: [] } },
    });
  });

  test('of a NodePool shows what would change', async () => {
    const answer: unknown = await (
      await post(pool(template([{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }])))
    ).json();
    expect(answer).toMatchObject({ kind: 'diff', answer: { drifted: [], lostPods: [] } });
  });

  test.each([
    ['a NodePool with a bad requirement', pool(template([{ key: 'karpenter.sh/capacity-type', operator: 'Near', values: [] }])), 'Near'],
    ['a NodePool without a template', pool({}), 'template'],
    ['another kind', { kind: 'nodepool', manifest: '{"kind":"Pod","metadata":{"name":"x"}}' }, 'one NodePool'],
    ['text that is no YAML', { kind: 'nodepool', manifest: 'a: b: c' }, 'cannot be read'],
    ['a workload that has no pod', { kind: 'replicas', workload: 'Deployment shop/none', more: 1 }, 'no pod'],
    ['more pods than are planned', { kind: 'replicas', workload: 'Deployment shop/web', more: 5001 }, 'not understood'],
  ])('refuses %s and says why', async (_, question, why) => {
    expect(await (await post(question)).json()).toMatchObject({ kind: 'refused', why: expect.stringContaining(why) });
  });

  test('is refused as a form of another site would send it, and when it is too large', async () => {
    expect((await post({}, 'text/plain')).status).toBe(415);
    expect((await post({ kind: 'nodepool', manifest: 'x'.repeat(70_000) })).status).toBe(400);
  });
});

test('a port that is taken is an error of the start', async () => {
  const again = startDashboard({ port: dashboard.port, host: '127.0.0.1', clock, logger: silentLogger, page, source });
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
