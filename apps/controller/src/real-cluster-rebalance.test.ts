import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { RebalancePlan } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { aDeployment, aNodeClass, aPool, oneOf } from './testing/clusters/objects.ts';
import { controlPlane, describeWithControlPlane } from './testing/processes/control-plane.ts';
import { RealStory } from './testing/processes/real-story.ts';
import { runProgram } from './testing/processes/run-program.ts';

jest.setTimeout(900_000);

const root = join(import.meta.dirname, '..', '..', '..');
const run = runProgram();
const CPUS = 'karpenter.azure.com/sku-cpu';
const PODS = 5;

/** A pool of these sizes that lets one node go at a time. */
const aPoolOf = (...cpus: readonly string[]): KubeObject & { readonly spec: object } =>
  aPool([oneOf(CPUS, ...cpus)], {
    disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s', budgets: [{ nodes: '1' }] },
  });

/** The lines of `kubectl get rebalanceplans --watch`. */
interface Watching extends AsyncDisposable {
  readonly lines: () => readonly string[];
}

const watchPlans = (kubeconfig: string): Watching => {
  const child = spawn('kubectl', ['--kubeconfig', kubeconfig, 'get', 'rebalanceplans', '--watch'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const stop = async (): Promise<void> => {
    child.kill();
    await closed;
  };
  return { lines: () => text.split('\n').map((line) => line.replaceAll(/ +/g, ' ')), [Symbol.asyncDispose]: stop };
};

describeWithControlPlane("a rebalance on Kubernetes' own control plane", () => {
  let story: RealStory;
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-rebalance-'));
  const readers = join(folder, 'kubeconfig');

  const applyRole = (file: string): Promise<string> => story.kubectl('apply', '-f', join(root, 'docs/examples', file));

  /** Runs the command line as the reader of the examples. */
  const karpenter = async (...args: readonly string[]): Promise<string> => {
    const main = join(root, 'apps/cli/src/main.ts');
    return run(process.execPath, ['--conditions=@karpenter/source', '--no-warnings', main, ...args, '--kubeconfig', readers]);
  };

  beforeAll(async () => {
    story = await RealStory.start(controlPlane, { variables: { FEATURE_GATES: 'RebalancePlan=true' } });
    const { kubeconfigPath, programs } = story.cluster;
    await story.kubectl('create', 'serviceaccount', 'karpenter-reader');
    await applyRole('cli-role.yaml');
    const token = (await story.kubectl('create', 'token', 'karpenter-reader')).trim();
    writeFileSync(readers, readFileSync(kubeconfigPath, 'utf8').replace(programs.token, token));
    await story.create(aNodeClass as KubeObject);
    await story.create(aPoolOf('4'));
    await story.create(aDeployment({ name: 'web', replicas: PODS, cpu: '3' }));
    await story.until('the pods run', async () => (await story.running('web')).length === PODS);
    // Sixteen cores hold the five pods, and cost as much as four nodes: no step with one node saves anything.
    const { spec } = aPoolOf('4', '16');
    await story.cluster.client.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec } });
  });

  afterAll(async () => {
    await story[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const statusOf = async (name: string): Promise<NonNullable<RebalancePlan['status']>> =>
    (await story.cluster.client.get<RebalancePlan>('RebalancePlan', { name }))?.status ?? {};

  const change = (name: string, spec: RebalancePlan['spec']): Promise<string> =>
    story.kubectl('patch', 'rebalanceplan', name, '--type=merge', '--patch', JSON.stringify({ spec }));

  const showsEvent = (text: RegExp, name: string): Promise<void> => story.shows(text, 'describe', 'rebalanceplan', name);

  const cpusOfNodes = async (): Promise<readonly unknown[]> => (await story.nodes()).map(({ status }) => status?.capacity?.['cpu']);

  test('without the role for it › the command line names the role, and creates nothing', async () => {
    await expect(karpenter('rebalance', '--apply')).rejects.toThrow(/a role is missing at .*rebalanceplans.*rebalance-role\.yaml/);
    expect(await story.kubectl('get', 'rebalanceplans', '-o', 'name')).toBe('');
  });

  test('cancelled before a node goes › the wave is taken back, and all nodes stay', async () => {
    await applyRole('rebalance-role.yaml');
    expect(await karpenter('rebalance', '--apply', '--name', 'hasty')).toContain('RebalancePlan hasty created');
    await story.until('a wave starts', async () => (await statusOf('hasty')).wave !== undefined);
    await change('hasty', { cancelled: true });
    await story.kubectl('wait', 'rebalanceplan/hasty', '--for=condition=Complete', '--timeout=120s');
    await showsEvent(/Normal WaveStarted .*Wave 1; nodes that go: 1, machines that come: 1/, 'hasty');
    await showsEvent(/Normal Cancelled .*Cancelled by spec.cancelled/, 'hasty');
    expect(await cpusOfNodes()).toEqual(Array.from({ length: PODS }, () => '4'));
  });

  test('paused, resumed, and killed while a node drains › the waves come to their end, each counted once', async () => {
    await using watching = watchPlans(story.cluster.kubeconfigPath);
    await story.kubectl('patch', 'nodepool', 'general', '--type=merge', '--patch', '{"spec":{"limits":{"cpu":"21"}}}');
    await story.apply({
      ...{ apiVersion: 'karpenter.sh/v1alpha1', kind: 'RebalancePlan', metadata: { name: 'spring' } },
      ...{ spec: {} },
    });
    await showsEvent(/Normal HeldUp .*Waits for nodes that are held up: \d limit/, 'spring');
    await story.kubectl('patch', 'nodepool', 'general', '--type=merge', '--patch', '{"spec":{"limits":null}}');

    // Paused later, consolidation would move pods to the machine of the first wave, and leave nothing to the plan.
    await story.until('a wave is about to start', async () => (await statusOf('spring')).wave !== undefined);
    await change('spring', { paused: true });
    await story.kubectl('wait', 'rebalanceplan/spring', '--for=jsonpath={.status.phase}=Paused', '--timeout=180s');
    await showsEvent(/Normal WaveCalledOff .*Wave 1 is called off and its nodes stay/, 'spring');
    await story.restart();
    expect(await cpusOfNodes()).toEqual(Array.from({ length: PODS }, () => '4'));
    await change('spring', { paused: false });

    await story.until('a node drains', async () => (await story.nodes()).some(({ metadata }) => metadata.deletionTimestamp !== undefined));
    await story.restart();
    await story.kubectl('wait', 'rebalanceplan/spring', '--for=condition=Complete', '--timeout=600s');

    expect(await statusOf('spring')).toMatchObject({ phase: 'Completed', waves: PODS, nodes: PODS, pods: PODS });
    expect(Number((await statusOf('spring')).savingsPerHour)).toBeGreaterThan(0);
    await story.until('all pods run on the large node', async () => (await story.running('web')).length === PODS);
    expect(await cpusOfNodes()).toEqual(['16']);
    const events = [
      /Normal WaveDone .*Wave 1 is done/,
      /Normal Paused /,
      /Normal Resumed /,
      /Normal WaveDone .*Wave 5 is done/,
      /Normal Completed /,
    ];
    for (const event of events) await showsEvent(event, 'spring');
    expect(watching.lines()[0]).toMatch(/^NAME PHASE WAVES NODES SAVES PLANNED AGE/);
    const phases = watching.lines().flatMap((line) => /^spring (\w+) /.exec(line)?.[1] ?? []);
    expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual(['Running', 'Paused', 'Running', 'Completed']);
  });
});
