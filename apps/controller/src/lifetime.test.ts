import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ApiObject } from '@karpenter/api-server';
import { freePort } from '@karpenter/kube-api-contract/programs';
import { copiedBundle } from './testing/processes/bundle.ts';
import { censusOf, settledCensus } from './testing/clusters/cluster-census.ts';
import { eventually } from './testing/eventually.ts';
import { startControllerProcess } from './testing/processes/controller-process.ts';
import { listeningPorts } from './testing/processes/listening-ports.ts';
import { aDeployment, aNodeClass, aPool } from './testing/clusters/objects.ts';
import { startFastCluster, type TestCluster } from './testing/clusters/test-cluster.ts';

jest.setTimeout(300_000);

interface Lease extends ApiObject {
  readonly spec: { readonly holderIdentity?: string };
}

/** How long another replica waits for a lease that nobody gives back. */
const LEASE_DURATION_MS = 15_000;

const bundle = copiedBundle();
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startFastCluster(5);
});

afterAll(async () => {
  bundle[Symbol.dispose]();
  await cluster.stop();
});

const holder = (): string | undefined =>
  cluster.local.get<Lease>('Lease', { namespace: 'kube-system', name: 'karpenter-leader-election' })?.spec.holderIdentity;

const LEASE = { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1' };

/** Whether the lease had no holder at some time since. */
const freedSince = (): { readonly wasSeen: () => boolean } & Disposable => {
  let wasFree = false;
  const watch = cluster.local.watch<Lease>(LEASE, ({ object }) => {
    if ((object.spec.holderIdentity ?? '') === '') wasFree = true;
  });
  return { wasSeen: () => wasFree, [Symbol.dispose]: () => watch[Symbol.dispose]() };
};

describe('the controller as a process', () => {
  test('answers probes and metrics while it runs, and on SIGTERM ends with 0 and gives its lease back', async () => {
    const [metricsPort, probePort] = [await freePort(), await freePort()];
    const args = [`--metrics-port=${metricsPort}`, `--health-probe-port=${probePort}`];
    await using controller = startControllerProcess({ bundle, env: cluster.environment(), args });
    await controller.said('became the leader');
    expect(holder()).toContain(`_${controller.pid}_`);

    const get = async (port: number, path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: response.status, text: await response.text() };
    };
    expect(await get(probePort, '/healthz')).toEqual({ status: 200, text: 'ok\n' });
    expect(await get(probePort, '/readyz')).toEqual({ status: 200, text: 'ok\n' });
    const metrics = await get(metricsPort, '/metrics');
    expect(metrics.status).toBe(200);
    expect(metrics.text).toContain('controller_runtime_reconcile_total');
    expect(metrics.text).toContain('leader_election_master_status{name="karpenter-leader-election"} 1');

    const askedAtMs = performance.now();
    expect(await controller.kill('SIGTERM')).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(performance.now() - askedAtMs).toBeLessThan(20_000);
    expect(holder() ?? '').toBe('');
  });

  // Skipped where there is no `/proc`, from which the ports of the process are read; CI runs on Linux.
  (process.platform === 'linux' ? test : test.skip)(
    'without --dashboard-port › it listens for probes and metrics only, and on loopback for the inspector once SIGUSR1 opens it',
    async () => {
      const [metricsPort, probePort] = [await freePort(), await freePort()];
      const args = [`--metrics-port=${metricsPort}`, `--health-probe-port=${probePort}`];
      const env = { ...cluster.environment(), NODE_OPTIONS: '--inspect-port=0' };
      await using controller = startControllerProcess({ bundle, env, args });
      await controller.said('"started"');
      expect(listeningPorts(controller.pid)).toEqual([metricsPort, probePort].sort((a, b) => a - b));
      expect(controller.log.filter((line) => line.includes('dashboard'))).toEqual([]);

      process.kill(controller.pid, 'SIGUSR1');
      await eventually('the inspector listens', () => listeningPorts(controller.pid).length === 3);
      expect(await controller.kill('SIGTERM')).toMatchObject({
        stderr: expect.stringMatching(/^Debugger listening on ws:\/\/127\.0\.0\.1:/),
      });
    },
  );

  test('once it leads › Node has loaded neither its own undici nor HTTP/2', async () => {
    const listing = "process.on('exit', () => process.stderr.write(JSON.stringify(process.moduleLoadList)))";
    const env = { ...cluster.environment(), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(listing)}` };
    await using controller = startControllerProcess({ bundle, env });
    await controller.said('became the leader');
    const { stderr } = await controller.kill('SIGTERM');
    const loaded = (JSON.parse(stderr) as readonly string[]).map((name) => name.replace('NativeModule ', ''));
    expect(loaded).toContain('http');
    expect(loaded.filter((name) => /undici|http2|sqlite/.test(name))).toEqual([]);
  });

  test('with --dashboard-port › serves the page and the state of the cluster, on loopback', async () => {
    const dashboardPort = await freePort();
    await using controller = startControllerProcess({ bundle, env: cluster.environment(), args: [`--dashboard-port=${dashboardPort}`] });
    await controller.said('became the leader');
    expect(JSON.parse(await controller.said('dashboard served'))).toMatchObject({ host: '127.0.0.1', port: dashboardPort });
    const get = (path: string) => fetch(`http://127.0.0.1:${dashboardPort}${path}`);
    const page = await (await get('/')).text();
    expect(page).toContain('<title>Karpenter</title>');
    for (const [, path = ''] of page.matchAll(/(?:src|href)="([^":]+\.(?:js|css))"/g))
      expect((await get(`/${path}`)).headers.get('content-type')).toMatch(/javascript|css/);
    const state: unknown = await (await get('/api/state')).json();
    const nodes = cluster.local.list({ kind: 'Node', apiVersion: 'v1' }).length;
    expect(state).toMatchObject({ isLeader: true, totals: { nodes } });
    expect(nodes).toBeGreaterThan(0);
    await controller.kill('SIGTERM');
  });

  test('a second one waits for the lease of the first, and takes over as soon as that is given back', async () => {
    await using first = startControllerProcess({ bundle, env: cluster.environment() });
    await first.said('became the leader');
    await using second = startControllerProcess({ bundle, env: cluster.environment() });
    await second.said('started');
    expect(holder()).toContain(`_${first.pid}_`);
    expect(second.log.some((line) => line.includes('became the leader'))).toBe(false);
    using freed = freedSince();
    const askedAtMs = performance.now();
    const ended = first.kill('SIGTERM');
    await second.said('became the leader');
    expect(performance.now() - askedAtMs).toBeLessThan(LEASE_DURATION_MS);
    expect(freed.wasSeen()).toBe(true);
    await ended;
    expect(holder()).toContain(`_${second.pid}_`);
    await second.kill('SIGTERM');
  });

  test('when stopped in the middle of a launch, it does not wait for Azure: the other replica takes over and finishes the launch', async () => {
    const SLOW_MS = 15_000;
    const create = 'VirtualMachines_CreateOrUpdate';
    await using first = startControllerProcess({ bundle, env: cluster.environment() });
    await first.said('became the leader');
    await using second = startControllerProcess({ bundle, env: cluster.environment() });
    await second.said('started');
    const slow = cluster.arm.faults.add({ operation: create, effect: { kind: 'delay', byMs: SLOW_MS } });
    for (const object of [aNodeClass, aPool(), aDeployment({ replicas: 1 })]) cluster.local.create(object);
    await eventually('a machine is requested', () => cluster.arm.requests.count(create) > 0);
    slow[Symbol.dispose]();

    const askedAtMs = performance.now();
    expect(await first.kill('SIGTERM')).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(performance.now() - askedAtMs).toBeLessThan(SLOW_MS);
    await second.said('became the leader');
    const one = JSON.stringify(settledCensus(1, 1));
    await eventually(`there is ${one}`, () => JSON.stringify(censusOf(cluster)) === one, {
      withinMs: 50_000,
      instead: () => JSON.stringify(censusOf(cluster)),
    });
    await second.kill('SIGTERM');
  });

  test('when stopped during its start, it exits with 0 and logs no error', async () => {
    using _slow = cluster.arm.faults.add({ operation: 'ResourceSkus_List', effect: { kind: 'delay', byMs: 10_000 } });
    const before = cluster.arm.requests.count('ResourceSkus_List');
    await using controller = startControllerProcess({ bundle, env: cluster.environment() });
    await eventually('it asks for sizes', () => cluster.arm.requests.count('ResourceSkus_List') > before);
    expect(await controller.kill('SIGTERM')).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  test('logs one JSON object a line', async () => {
    await using controller = startControllerProcess({ bundle, env: cluster.environment() });
    await controller.said('became the leader');
    await controller.kill('SIGTERM');
    for (const line of controller.log) expect(JSON.parse(line)).toMatchObject({ level: 'INFO', message: expect.any(String) });
  });
});
