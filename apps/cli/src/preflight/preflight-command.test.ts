import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@karpenter/runtime';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/simulator';
import { examples } from '../command/examples.ts';
import { crdFiles } from '../testing/live-cluster.ts';
import { type CommandRun, runCommand } from '../testing/run-command.ts';

let cluster: EmbeddedCluster;
let env: Readonly<Record<string, string>>;
let folder: string;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: crdFiles, clock: systemClock });
  folder = await mkdtemp(join(tmpdir(), 'preflight-'));
  await writeFile(join(folder, 'kubeconfig'), cluster.kubeconfig());
  env = cluster.environment();
  // A process reads NODE_EXTRA_CA_CERTS when it starts; this one has.
  setDefaultCACertificates([...getCACertificates('default'), await readFile(env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8')]);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await cluster.stop();
});

const preflight = (flags = '', more: Readonly<Record<string, string>> = {}): Promise<CommandRun> =>
  runCommand(`preflight --kubeconfig ${join(folder, 'kubeconfig')}${flags}`, { env: { ...env, ...more }, clock: systemClock });

test.each(examples.preflight)('the help shows what works: $command', async ({ command }) => {
  const { code, out, complaints } = await preflight(command.replace('karpenter preflight', ''));
  expect({ code, complaints, report: JSON.parse(out) as unknown }).toMatchObject({ code: 0, complaints: [], report: { isReady: true } });
  expect((await runCommand('preflight --help')).out).toContain(command);
});

test('flags of the controller that say nothing about Azure are passed over', async () => {
  expect(await preflight(' --cloud-provider azure --metrics-port 8080 --leader-elect=false')).toMatchObject({ code: 0, complaints: [] });
});

test('a secret that is wrong › ends with 1, and a line says so', async () => {
  expect(await preflight('', { AZURE_CLIENT_SECRET: 'wrong' })).toMatchObject({ code: 1, out: expect.stringContaining('FAIL sign-in') });
});

test('no cluster › Azure is checked all the same', async () => {
  const { out, complaints } = await runCommand('preflight --kubeconfig /nowhere', { env, clock: systemClock });
  expect(out).toContain('ready: 0 failed');
  expect(complaints).toEqual([expect.stringContaining('no cluster was read')]);
});

test.each([
  ['a variable that is missing', '', { CLUSTER_NAME: '' }, 'CLUSTER_NAME'],
  ['another cloud', ' --cloud-provider aws', {}, 'Allowed choices are azure'],
])('%s › ends with 2', async (...[, flags, more, says]) => {
  const { code, complaints } = await preflight(flags, more);
  expect([code, complaints.join(' ')]).toEqual([2, expect.stringContaining(says)]);
});
