import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ApiObject } from '@karpenter/api-server';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/simulator';
import { copiedBundle } from './testing/processes/bundle.ts';
import { type ControllerProcessOptions, type ProcessEnd, startControllerProcess } from './testing/processes/controller-process.ts';
import { startFastCluster, type TestCluster } from './testing/clusters/test-cluster.ts';

jest.setTimeout(300_000);

const NOWHERE = '127.0.0.1:9';
const folder = mkdtempSync(join(tmpdir(), 'karpenter-start-'));
const written = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const bundle = copiedBundle();
let cluster: TestCluster;
let bare: EmbeddedCluster;
/** Takes every connection and answers none. */
let silent: Server;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  cluster = await startFastCluster(5);
  bare = await startEmbeddedCluster({ azure: false, systemPool: false });
  silent = createServer(() => undefined);
  await new Promise<void>((resolve) => void silent.listen(0, () => resolve()));
  env = cluster.environment();
});

afterAll(async () => {
  bundle[Symbol.dispose]();
  rmSync(folder, { recursive: true });
  silent.closeAllConnections();
  silent.close();
  await bare.stop();
  await cluster.stop();
});

const silentPort = (): number => (silent.address() as AddressInfo).port;
const without = (...names: readonly string[]) => Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
const kubeconfigFor = (server: string) => ({
  ...env,
  KUBECONFIG: written(`kubeconfig-${server.replaceAll(/\W/g, '-')}`, cluster.kubeconfig().replaceAll(cluster.apiUrl, server)),
});
const azureWith = (members: Readonly<Record<string, string>>) => {
  const file = JSON.parse(readFileSync(env['AZURE_ENVIRONMENT_FILEPATH'] ?? '', 'utf8')) as object;
  return {
    ...env,
    AZURE_ENVIRONMENT_FILEPATH: written(`azure-${Object.keys(members).join('-')}.json`, JSON.stringify({ ...file, ...members })),
  };
};

type Run = Omit<ControllerProcessOptions, 'bundle'>;

/** Runs the bundle to its end; one that does not end is killed, and the test sees the signal. */
const runToEnd = async (options: Run): Promise<ProcessEnd> => {
  await using controller = startControllerProcess({ bundle, ...options });
  const tooLong = AbortSignal.timeout(50_000);
  tooLong.addEventListener('abort', () => void controller.kill('SIGKILL'), { once: true });
  return await controller.ended;
};

const linesOf = ({ stderr }: ProcessEnd): readonly string[] => stderr.split('\n').filter((line) => line !== '');

describe('a wrong command line', () => {
  test.each([
    ['a value that is none', ['--metrics-port=http'], ['flag --metrics-port is "http": expected a whole number from 0 to 65535']],
    ['a flag that nobody knows', ['--metric-port=1'], ['flag --metric-port is not known; --help lists those that are']],
    [
      'two mistakes at once',
      ['--log-level=loud', '--batch-idle-duration=soon'],
      ['flag --log-level is "loud": expected one of', 'flag --batch-idle-duration is "soon": expected a duration'],
    ],
    [
      'a wrong default spread',
      ['--scheduler-config=podTopologySpread: all'],
      ['--scheduler-config (SCHEDULER_CONFIG): podTopologySpread must be'],
    ],
    ['a wrong option of the provider', ['--network-plugin=calico'], ['--network-plugin (NETWORK_PLUGIN) is "calico": expected one of']],
  ])('%s ends with 2 and one line each', async (_name, args, expected) => {
    const end = await runToEnd({ env, args });
    expect(end.code).toBe(2);
    expect(linesOf(end)).toEqual(expected.map((line) => expect.stringContaining(`karpenter: ${line}`)));
  });

  test('missing options are reported by name, all at once', async () => {
    const end = await runToEnd({ env: {} });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain('--cluster-name (CLUSTER_NAME) is missing: it must be set');
    expect(end.stderr).toContain('LOCATION is missing');
  });
});

describe('preflight', () => {
  const asked = async (more: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    await using child = startControllerProcess({ bundle, env: { ...env, ...more }, args: ['preflight', ...args] });
    const { code, stderr } = await child.ended;
    return { code, stderr, out: child.log.join('\n') };
  };

  test('when Azure has all that the controller needs › ends with 0, and the report is JSON', async () => {
    const { code, out } = await asked({}, '--json');
    expect({ code, report: JSON.parse(out) as unknown }).toMatchObject({ code: 0, report: { isReady: true } });
  });

  test('when the secret is wrong › ends with 1, and a line says so', async () => {
    expect(await asked({ AZURE_CLIENT_SECRET: 'wrong' })).toMatchObject({ code: 1, out: expect.stringContaining('FAIL sign-in') });
  });

  test('when there is no cluster › Azure is checked all the same', async () => {
    const { out, stderr } = await asked({ KUBECONFIG: '/nowhere' });
    expect(out).toContain('ready: 0 failed');
    expect(stderr).toContain('no cluster was read');
  });

  test('when an option is missing › ends with 2', async () => {
    expect(await asked({ CLUSTER_NAME: '' })).toMatchObject({ code: 2, stderr: expect.stringContaining('CLUSTER_NAME') });
  });
});

interface Case {
  readonly name: string;
  readonly options: () => Run;
  /** In the one line on standard error. */
  readonly says: string;
}

const cases: readonly Case[] = [
  {
    name: 'no kubeconfig where one was named',
    options: () => ({ env: { ...env, KUBECONFIG: '/nowhere' } }),
    says: 'no kubeconfig at /nowhere',
  },
  {
    name: 'a kubeconfig without its current context',
    options: () => ({ env: { ...env, KUBECONFIG: written('other', cluster.kubeconfig().replace(/(current-context:).*/, '$1 prod')) } }),
    says: 'has no context "prod"; it has: simulator',
  },
  {
    name: 'a kubeconfig that is no YAML',
    options: () => ({ env: { ...env, KUBECONFIG: written('torn', 'a: [b') } }),
    says: 'cannot be read',
  },
  {
    name: 'neither a kubeconfig nor a service account',
    options: () => ({ env: { ...without('KUBECONFIG'), HOME: folder } }),
    says: `no kubeconfig at ${join(folder, '.kube', 'config')}`,
  },
  {
    name: 'an API server that is not there',
    options: () => ({ env: kubeconfigFor(`http://${NOWHERE}`) }),
    says: `the API server at http://${NOWHERE} does not answer`,
  },
  {
    name: 'a host that nobody knows',
    options: () => ({ env: kubeconfigFor('http://api.invalid') }),
    says: 'the API server at http://api.invalid does not answer',
  },
  {
    name: 'a cluster without the custom resources',
    options: () => ({ env: { ...env, KUBECONFIG: bare.kubeconfigPath } }),
    says: 'does not serve NodePool; apply apps/controller/chart-crds/templates first',
  },
  {
    name: 'no credentials for Azure',
    options: () => ({ env: without('AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET') }),
    says: 'no Azure credentials: expected a workload identity, a client secret (AZURE_CLIENT_ID',
  },
  {
    name: 'a wrong client secret',
    options: () => ({ env: { ...env, AZURE_CLIENT_SECRET: 'guessed' } }),
    says: 'the credentials are refused: AADSTS7000215: Invalid client secret provided',
  },
  {
    name: 'a region that nobody has',
    options: () => ({ env: { ...env, LOCATION: 'eastsu' } }),
    says: 'Azure lists no VM sizes in LOCATION "eastsu": expected a region of this cloud, such as eastus',
  },
  {
    name: 'a resource manager that is not there',
    options: () => ({ env: azureWith({ resourceManagerEndpoint: `https://${NOWHERE}` }) }),
    says: `https://${NOWHERE} is not reached`,
  },
  {
    name: 'a sign-in endpoint that is not there',
    options: () => ({ env: azureWith({ activeDirectoryEndpoint: `https://${NOWHERE}` }) }),
    says: 'the sign-in endpoint is not reached',
  },
  {
    name: 'an Azure that is not trusted',
    options: () => ({ env: without('NODE_EXTRA_CA_CERTS') }),
    says: 'NODE_EXTRA_CA_CERTS a certificate authority',
  },
  {
    name: 'an environment file that is missing',
    options: () => ({ env: { ...env, AZURE_ENVIRONMENT_FILEPATH: '/nowhere.json' } }),
    says: 'AZURE_ENVIRONMENT_FILEPATH names /nowhere.json',
  },
  {
    name: 'a port of the probes that is taken',
    options: () => ({ env, args: [`--health-probe-port=${silentPort()}`] }),
    says: '(--health-probe-port): ',
  },
  {
    name: 'a port of the metrics that is taken, when the probes have theirs already',
    options: () => ({ env, args: [`--metrics-port=${silentPort()}`] }),
    says: '(--metrics-port): ',
  },
];

/** Most of a process's time is waiting for somebody who does not answer: so many run side by side. */
const LANES = 4;

/** Runs all cases; the end of each by its name. */
const runCases = async (): Promise<ReadonlyMap<string, ProcessEnd>> => {
  const ends = new Map<string, ProcessEnd>();
  const left = [...cases];
  const runLane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) ends.set(next.name, await runToEnd(next.options()));
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  return ends;
};

describe('a start that cannot succeed', () => {
  let ends: ReadonlyMap<string, ProcessEnd>;
  beforeAll(async () => {
    ends = await runCases();
  });

  test.each(cases)('for $name ends with 1 and one line that says so', ({ name, says }) => {
    const end = ends.get(name);
    if (end === undefined) throw new Error(`${name} was not run`);
    expect(linesOf(end)).toEqual([expect.stringMatching(/^karpenter: /)]);
    expect(end.stderr).toContain(says);
    expect(end).toMatchObject({ code: 1, signal: null });
  });

  test('without an answer times out, whichever server is silent', async () => {
    using _noSkus = cluster.arm.faults.add({ operation: 'ResourceSkus_List', effect: { kind: 'delay', byMs: 60_000 } });
    const server = `http://127.0.0.1:${silentPort()}`;
    const [noCluster, noAzure] = await Promise.all([runToEnd({ env: kubeconfigFor(server) }), runToEnd({ env })]);
    expect(noCluster).toMatchObject({ code: 1, signal: null });
    expect(linesOf(noCluster)).toEqual([`karpenter: the API server at ${server} does not answer: nothing came within 12 s`]);
    expect(noAzure).toMatchObject({ code: 1, signal: null });
    expect(linesOf(noAzure)).toEqual(['karpenter: Azure does not answer: nothing came within 12 s']);
  });
});

test('a price server that takes calls and never answers keeps the controller neither from starting nor from ending', async () => {
  const prices = { RETAIL_PRICES_URL: `https://127.0.0.1:${silentPort()}/api/retail/prices` };
  await using controller = startControllerProcess({ bundle, env: { ...env, ...prices } });
  await controller.said('became the leader');
  expect(await controller.kill('SIGTERM')).toMatchObject({ code: 0, signal: null });
});

test('a cluster without the CRD of CapacityBuffers › the controller starts, says so once, and follows the kind once it is served', async () => {
  const crd = { kind: 'CustomResourceDefinition', name: 'capacitybuffers.autoscaling.x-k8s.io' };
  const { apiVersion, kind, metadata, spec } = cluster.local.delete<ApiObject & { spec: object }>(crd.kind, { name: crd.name });
  await using controller = startControllerProcess({ bundle, env });
  await controller.said('became the leader');
  expect(controller.log.filter((line) => line.includes('does not serve this kind'))).toEqual([
    expect.stringContaining('"kind":"CapacityBuffer"'),
  ]);
  cluster.local.create({ apiVersion, kind, metadata: { name: metadata.name }, spec });
  await controller.said('the API server serves this kind now');
});
