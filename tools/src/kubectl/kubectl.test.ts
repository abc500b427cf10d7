import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type EmbeddedCluster, speedOptions, startEmbeddedCluster } from '@karpenter/simulator';
import { chartCrds } from '../chart-crds.ts';
import { type Form, FORM_GROUPS, MANIFESTS } from './forms.ts';
import { formsPage, writeFormsPage } from './forms-page.ts';

const kubectl = process.env['KUBECTL'] ?? 'kubectl';
const version = spawnSync(kubectl, ['version', '--client', '--output=json'], { encoding: 'utf8' });
const isThere = version.status === 0;
/** Older ones lack `auth whoami`, or know it as an experiment only. */
const OLDEST_MINOR = 28;
const isTooOld = isThere && Number(/"minor": "(\d+)/.exec(version.stdout)?.[1]) < OLDEST_MINOR;
/** kubectl has to be there in CI; elsewhere the suite is skipped, and standard error says why. */
const suite = (isThere || process.env['CI'] !== undefined) && !isTooOld ? describe : describe.skip;
if (isTooOld) process.stderr.write(`"${kubectl}" is older than 1.${OLDEST_MINOR}: the forms of kubectl are not tried\n`);
if (!isThere)
  process.stderr.write(`kubectl is not installed (searched for "${kubectl}"): its forms cannot be tried here; they fail under CI\n`);

jest.setTimeout(60_000);

const NODE = 'worker-1';
/** Two nodes that take any pod, so that one can be drained. */
const WORKERS = [NODE, 'worker-2'];
const SIZE = { cpu: '8', memory: '30Gi', pods: '50' };

/** Forms that only read: what a controller of the cluster writes appears a moment after the form that asks for it. */
const READS = /^(get|describe|top|logs|events) /;
/** How long a form that reads is repeated until it shows what it must. */
const PATIENCE_MS = 20_000;

/** Words of a command: JSON is one, double quotes join several. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/\{\S+|[^\s"]*"[^"]*"|\S+/g)].map(([word]) => (word.startsWith('{') ? word : word.replaceAll('"', '')));

const answerOf = ({ answer }: Form): RegExp => new RegExp(answer.source.replaceAll('NODE', NODE), answer.flags);

const rows = FORM_GROUPS.flatMap(({ forms }) => forms).map((form, index) => [`${index + 1}: kubectl ${form.command}`, form] as const);

suite('kubectl on an embedded cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-forms-'));
  const refusals = new Map<string, string>();
  let cluster: EmbeddedCluster | undefined;

  const run = ({ command, input }: Form): Promise<{ readonly exitCode: number; readonly text: string }> =>
    new Promise((resolve) => {
      const place = ['--kubeconfig', cluster?.kubeconfigPath ?? '', '--cache-dir', join(folder, 'cache')];
      const env = { ...process.env, KUBE_EDITOR: 'sed -i s/green/red/' };
      const words = [...place, ...wordsOf(command.replaceAll('NODE', NODE))];
      const child = execFile(kubectl, words, { timeout: 40_000, env }, (error, out, complaints) => {
        resolve({ exitCode: error === null ? 0 : 1, text: `${out}${complaints}`.trim() });
      });
      child.stdin?.end(input === undefined ? '' : MANIFESTS[input]);
    });

  const isAnswered = (form: Form, { exitCode, text }: { readonly exitCode: number; readonly text: string }): boolean =>
    exitCode === (form.exitCode ?? 0) && answerOf(form).test(text);

  const runUntilAnswered = async (form: Form): Promise<{ readonly exitCode: number; readonly text: string }> => {
    const end = performance.now() + PATIENCE_MS;
    let result = await run(form);
    while (READS.test(form.command) && !isAnswered(form, result) && performance.now() < end) result = await run(form);
    return result;
  };

  beforeAll(async () => {
    const { delays } = speedOptions(100);
    cluster = await startEmbeddedCluster({ azure: false, delays, crds: chartCrds().map((path) => readFileSync(path, 'utf8')) });
    const size = { capacity: SIZE, allocatable: SIZE };
    for (const name of WORKERS) cluster.kubelets.start({ name, labels: {}, taints: [], ...size, arch: 'amd64', isCloudManaged: false });
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  test.each(rows)('%s', async (_, form) => {
    const { exitCode, text } = await runUntilAnswered(form);
    expect({ exitCode, text }).toEqual({ exitCode: form.exitCode ?? 0, text: expect.stringMatching(answerOf(form)) });
    if (form.isRefused === true) refusals.set(form.command, text.split('\n').find((line) => line.includes('simulated')) ?? '');
  });

  test('the page states how each form is answered (WRITE_PAGES=1 writes it)', () => {
    const { current, expected } = formsPage(refusals);
    if (process.env['WRITE_PAGES'] === '1') writeFormsPage(expected);
    else expect(current).toBe(expected);
  });
});
