import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createArmCertificates } from '@karpenter/simulator/arm';
import { parse } from 'yaml';
import { variableOf } from '../../chart/variable-of.ts';
import { startStoryIn } from '../stories/story.ts';
import { acceptanceCases } from './acceptance-cases.ts';
import { azureStage, runProgram } from './azure-stage.ts';
import { emulatorStage } from './emulator-stage.ts';
import { startRecordProxy } from './record-proxy.ts';
import { type CaseResult, runCases } from './run-cases.ts';
import type { AcceptanceCase } from './stage.ts';

const USAGE = `usage: pnpm acceptance:azure [options]

  --suite NAME         only the cases of one suite
  --subscription ID    on a real AKS cluster in this subscription, made for the run and deleted after it (needs az, signed in; kubectl)
  --location NAME      region of that cluster (default: eastus)
  --recording FILE     where requests and answers are kept, without secrets (default: azure-recording.json)
  --keep               leaves the cluster and its resource group, which go on costing
`;

const repository = join(import.meta.dirname, '..', '..', '..', '..', '..');
const scripts = join(repository, 'apps', 'controller', 'scripts');
const UPSTREAM = 'https://management.azure.com';
const CLUSTER = 'karpenter-acceptance';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const printing = (results: CaseResult[]) => (result: CaseResult) => {
  results.push(result);
  say(`${result.failure === undefined ? 'passed' : 'FAILED'}  ${result.suite}: ${result.title}`);
  if (result.failure !== undefined) say(`        ${result.failure}`);
};

const onEmulator = async (cases: readonly AcceptanceCase[], onResult: (result: CaseResult) => void): Promise<void> => {
  await using story = await startStoryIn({});
  await runCases(emulatorStage(story), cases, onResult);
};

interface Values {
  readonly azure: Readonly<Record<string, string | boolean>>;
  readonly kubeletBootstrapToken: { readonly value: string };
}

/** What `configure-values` reads from the cluster, as the controller's environment. */
const environmentOf = ({ azure, kubeletBootstrapToken }: Values): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(azure).map(([key, value]) => [variableOf(key), String(value)])),
  KUBELET_BOOTSTRAP_TOKEN: kubeletBootstrapToken.value,
});

interface RealRun {
  readonly subscription: string;
  readonly location: string;
  readonly recordingFile: string;
}

const onAzure = async (run: RealRun, cases: readonly AcceptanceCase[], onResult: (result: CaseResult) => void): Promise<void> => {
  const { subscription, location } = run;
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-acceptance-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const of = ['--resource-group', CLUSTER, '--name', CLUSTER, '--subscription', subscription];
  await runProgram('az', ['aks', 'get-credentials', ...of, '--admin', '--file', kubeconfig]);
  const own = { ...process.env, KUBECONFIG: kubeconfig };
  const text = await runProgram('env', [`KUBECONFIG=${kubeconfig}`, join(scripts, 'configure-values'), ...of]);
  const values = environmentOf(parse(text) as Values);
  const crds = join(repository, 'apps', 'controller', 'chart-crds', 'templates');
  await runProgram('kubectl', ['--kubeconfig', kubeconfig, 'apply', '--server-side', '--filename', crds]);

  const certificates = await createArmCertificates();
  const nodeResourceGroup = values['AZURE_NODE_RESOURCE_GROUP'] ?? '';
  const names = { subscription, nodeGroup: nodeResourceGroup, cluster: CLUSTER };
  await using proxy = await startRecordProxy({ upstream: UPSTREAM, certificates, names });
  const environmentFile = join(folder, 'azure-environment.json');
  const activeDirectoryEndpoint = 'https://login.microsoftonline.com';
  const there = { name: 'AzurePublicCloud', resourceManagerEndpoint: proxy.url, activeDirectoryEndpoint, tokenAudience: UPSTREAM };
  writeFileSync(environmentFile, JSON.stringify(there));
  writeFileSync(join(folder, 'ca.pem'), certificates.caPem);
  const { ARM_CLOUD: _cloud, ...known } = values;
  const env = { ...own, ...known, AZURE_ENVIRONMENT_FILEPATH: environmentFile, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
  const main = join(repository, 'apps', 'controller', 'src', 'main.ts');
  const args = ['--conditions=@karpenter/source', '--no-warnings', main, '--disable-leader-election=true'];
  const controller = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const stage = azureStage({ subscriptionId: subscription, nodeResourceGroup, location, kubeconfig });
  try {
    await runCases(stage, cases, onResult);
  } finally {
    const ended = controller.exitCode === null ? once(controller, 'exit') : undefined;
    controller.kill('SIGTERM');
    await ended;
    writeFileSync(run.recordingFile, `${JSON.stringify(proxy.recording(new Date()), undefined, 1)}\n`);
    say(
      `machines cost about ${stage.cost().toFixed(2)} USD at list prices, the system pool among them; see also the cost analysis of ${CLUSTER}`,
    );
  }
};

const clusterScript = async (verb: 'up' | 'down', { subscription, location }: RealRun): Promise<void> => {
  const script = spawn(join(scripts, 'acceptance-cluster'), [verb, CLUSTER, subscription, location], { stdio: 'inherit' });
  const [code] = (await once(script, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`acceptance-cluster ${verb} failed`);
};

const { values } = parseArgs({
  options: {
    suite: { type: 'string' },
    subscription: { type: 'string' },
    location: { type: 'string', default: 'eastus' },
    recording: { type: 'string', default: 'azure-recording.json' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const main = async (): Promise<number> => {
  const results: CaseResult[] = [];
  const cases = acceptanceCases.filter(({ suite }) => values.suite === undefined || suite === values.suite);
  const { subscription, location, recording, keep } = values;
  if (subscription === undefined) await onEmulator(cases, printing(results));
  else {
    const run = { subscription, location, recordingFile: recording };
    try {
      await clusterScript('up', run);
      await onAzure(run, cases, printing(results));
    } finally {
      if (!keep) await clusterScript('down', run);
    }
  }
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  say(`${results.length - failed} of ${cases.length} passed`);
  return failed > 0 || results.length < cases.length || cases.length === 0 ? 1 : 0;
};

if (values.help) say(USAGE);
else process.exitCode = await main();
