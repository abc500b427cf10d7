import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { type ArmCertificates, createArmCertificates } from '@karpenter/azure-emulator';
import { acceptanceCases } from './testing/acceptance/acceptance-cases.ts';
import { azureStage } from './testing/acceptance/azure-stage.ts';
import { emulatorStage } from './testing/acceptance/emulator-stage.ts';
import { type RecordProxy, startRecordProxy } from './testing/acceptance/record-proxy.ts';
import type { AccountNames, Recording } from './testing/acceptance/recording.ts';
import { type CaseResult, runCases } from './testing/acceptance/run-cases.ts';
import type { TestCluster } from './testing/clusters/test-cluster.ts';
import { startStoryIn } from './testing/stories/story.ts';

jest.setTimeout(300_000);

const namesOf = ({ arm: { account } }: TestCluster): AccountNames => ({
  subscription: account.subscriptionId,
  tenant: account.tenantId,
  client: account.clientId,
  nodeGroup: account.nodeResourceGroup,
  clusterGroup: account.clusterResourceGroup,
});

/** The environment of a controller whose calls to Azure go through the proxy. */
const through = (cluster: TestCluster, proxy: RecordProxy): Readonly<Record<string, string>> => {
  const variables = cluster.environment();
  const path = variables['AZURE_ENVIRONMENT_FILEPATH'] ?? '';
  const file = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...file, resourceManagerEndpoint: proxy.url }));
  return variables;
};

interface Run {
  readonly results: readonly CaseResult[];
  readonly recording: Recording;
  readonly secrets: readonly string[];
  /** Requests for sizes that reached the emulator itself. */
  readonly skuLists: number;
}

const run = async (certificates: ArmCertificates, titles: RegExp, replay?: Recording): Promise<Run> => {
  await using kept = new AsyncDisposableStack();
  const story = kept.use(await startStoryIn({ certificates, isStarted: false }));
  const { arm } = story.cluster;
  const proxied = { upstream: arm.url, upstreamCa: arm.caPem, certificates, names: namesOf(story.cluster) };
  const proxy = kept.use(await startRecordProxy({ ...proxied, ...(replay && { replay }) }));
  const variables = through(story.cluster, proxy);
  await story.start(variables);
  const results: CaseResult[] = [];
  const cases = acceptanceCases.filter(({ title, isFast }) => isFast === true && titles.test(title));
  await runCases(emulatorStage(story, variables), cases, (result) => results.push(result));
  const { account } = arm;
  const secrets = [
    account.clientSecret,
    account.federatedToken,
    variables['KUBELET_BOOTSTRAP_TOKEN'] ?? '',
    account.subscriptionId,
    'Bearer',
  ];
  return { results, recording: proxy.recording(new Date(0)), secrets, skuLists: arm.requests.count('ResourceSkus_List') };
};

describe('the acceptance cases that every run has', () => {
  test('pass on the emulator; what Azure answered is kept without secrets, and is answered again to another run', async () => {
    const certificates = await createArmCertificates();
    const first = await run(certificates, /./);
    expect(first.results.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(first.results.length).toBeGreaterThanOrEqual(5);

    const text = JSON.stringify(first.recording);
    expect(first.recording.exchanges.some(({ method, target }) => method === 'PUT' && target.includes('/virtualMachines/'))).toBe(true);
    for (const secret of first.secrets) expect(text).not.toContain(secret);

    const second = await run(certificates, /NodeClaim of nobody/, first.recording);
    expect(second.results.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect([first.skuLists > 0, second.skuLists]).toEqual([true, 0]);
  });

  test('stand for all seventeen suites of the original', () => {
    const suites = [...new Set(acceptanceCases.map(({ suite }) => suite))].sort();
    expect(suites.join(' ')).toBe(
      'acr byok chaos consolidation drift gpu inplaceupdate integration kubernetesupgrade machine newskus nodeclaim scheduling ' +
        'spot storage subnet utilization',
    );
  });
});

describe('the script that makes and deletes the real cluster', () => {
  const script = join(import.meta.dirname, '..', 'scripts', 'acceptance-cluster');

  /** What `az` was called with. `madeBy`: the tag of the resource group that is there. */
  const down = (madeBy: string) => {
    const bin = mkdtempSync(join(tmpdir(), 'karpenter-az-'));
    try {
      const answers = `case "$*" in *exists*) echo true ;; *made-by*) echo '${madeBy}' ;; *) echo "$*" >&2 ;; esac`;
      writeFileSync(join(bin, 'az'), `#!/usr/bin/env bash\n${answers}\n`, { mode: 0o755 });
      const env = { PATH: [bin, process.env['PATH']].join(delimiter) };
      return spawnSync('bash', [script, 'down', 'name', 'sub', 'eastus'], { env, encoding: 'utf8' });
    } finally {
      rmSync(bin, { recursive: true });
    }
  };

  test('deletes the resource group that it made, and no other of that name', () => {
    const own = down('karpenter-acceptance');
    expect(own.status).toBe(0);
    expect(own.stderr).toContain('group delete --name name');
    const foreign = down('');
    expect(foreign.status).toBe(1);
    expect(foreign.stderr).not.toContain('group delete');
  });
});

describe('a real cluster as a stage', () => {
  test('is read with kubectl and az, page by page, for namespaced and cluster-scoped kinds', async () => {
    const asked: string[] = [];
    const machine = (name: string) => ({ name, properties: { hardwareProfile: { vmSize: 'Standard_D2s_v3' } } });
    const pages = [{ value: [machine('a')], nextLink: 'https://next' }, { value: [machine('b')] }];
    const answers: Readonly<Record<string, () => unknown>> = { get: () => ({ items: [{ kind: 'Node' }] }), rest: () => pages.shift() };
    const stage = azureStage(
      { subscriptionId: 'sub', nodeResourceGroup: 'nodes', location: 'eastus', kubeconfig: 'config' },
      {
        run: (program, args, input) => {
          asked.push([program, ...args, ...(input === undefined ? [] : [`< ${input}`])].join(' '));
          return Promise.resolve(JSON.stringify(answers[args.find((arg) => arg in answers) ?? '']?.() ?? {}));
        },
        make: (part) => Promise.resolve(`made ${part}`),
        restart: () => Promise.resolve(),
      },
    );
    await stage.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } });
    await stage.patch('AKSNodeClass', 'default', { spec: {} });
    await stage.remove('NodePool', 'general');
    expect(await stage.list('Node')).toEqual([{ kind: 'Node' }]);
    await stage.evict('vm');
    expect(asked).toEqual([
      'kubectl --kubeconfig config create --filename - < {"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}]}',
      'kubectl --kubeconfig config patch AKSNodeClass default --type merge --patch {"spec":{}}',
      'kubectl --kubeconfig config delete NodePool general --ignore-not-found --wait=false',
      'kubectl --kubeconfig config get Node --output json',
      'az vm simulate-eviction --subscription sub --resource-group nodes --name vm',
    ]);
    expect((await stage.vms()).map(({ name }) => name)).toEqual(['a', 'b']);
    const parts = [await stage.diskEncryptionSet(), await stage.registryImage(), await stage.upgrade()];
    expect(parts).toEqual(['made encryption-set', 'made registry', 'made upgrade']);
  });
});
