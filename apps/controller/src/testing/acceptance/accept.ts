import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { createArmCertificates } from '@karpenter/azure-emulator';
import { parse } from 'yaml';
import { variableOf } from '../../chart/variable-of.ts';
import type { TestCluster } from '../clusters/test-cluster.ts';
import { making, type ProvisionMode, provisionModes } from '../stories/provision-mode.ts';
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
  --mode NAME          provision mode of the controller (default: aksscriptless); agent pools of a real cluster need --variable SIG_SUBSCRIPTION_ID=…
  --variable NAME=TEXT a variable of the controller beside those of the cluster; repeat it for several
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

interface Run {
  readonly cases: readonly AcceptanceCase[];
  readonly mode: ProvisionMode['name'];
  /** Of the controller, beside those that the cluster gives. */
  readonly variables: Readonly<Record<string, string>>;
  readonly onResult: (result: CaseResult) => void;
}

const onEmulator = async ({ cases, mode, variables, onResult }: Run): Promise<void> => {
  const own = (cluster: TestCluster) => ({ ...making(mode)(cluster), ...variables });
  await using story = await startStoryIn({ variables: own });
  await runCases(emulatorStage(story, own(story.cluster)), cases, onResult);
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

interface RealCluster {
  readonly subscription: string;
  readonly location: string;
  readonly recordingFile: string;
}

/** Runs `acceptance-cluster` and returns what it prints; what it says meanwhile is shown. */
const clusterScript = async (verb: string, { subscription, location }: RealCluster): Promise<string> => {
  const script = spawn(join(scripts, 'acceptance-cluster'), [verb, CLUSTER, subscription, location], {
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(script.stdout), once(script, 'exit') as Promise<[number | null]>]);
  if (code !== 0) throw new Error(`acceptance-cluster ${verb} failed`);
  return printed.trim();
};

/** The controller of this checkout as a process that can be started again with other variables. */
const controllerProcess = (own: Readonly<Record<string, string | undefined>>) => {
  const main = join(repository, 'apps', 'controller', 'src', 'main.ts');
  const args = ['--conditions=@karpenter/source', '--no-warnings', main, '--disable-leader-election=true'];
  const start = (variables: Readonly<Record<string, string>>) =>
    spawn(process.execPath, args, { env: { ...own, ...variables }, stdio: ['ignore', 'inherit', 'inherit'] });
  let controller = start({});
  const stop = async (): Promise<void> => {
    const ended = controller.exitCode === null ? once(controller, 'exit') : undefined;
    controller.kill('SIGTERM');
    await ended;
  };
  const restart = async (variables: Readonly<Record<string, string>>): Promise<void> => {
    await stop();
    controller = start(variables);
  };
  return { stop, restart };
};

const poolVariables = (mode: ProvisionMode['name']): Readonly<Record<string, string>> =>
  mode.startsWith('aksmachineapi') ? { USE_SIG: 'true', AKS_MACHINES_POOL_NAME: 'machines', ARM_RESOURCE_GROUP: CLUSTER } : {};

const onAzure = async (real: RealCluster, { cases, mode, variables, onResult }: Run): Promise<void> => {
  const { subscription, location } = real;
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-acceptance-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const of = ['--resource-group', CLUSTER, '--name', CLUSTER, '--subscription', subscription];
  await runProgram('az', ['aks', 'get-credentials', ...of, '--admin', '--file', kubeconfig]);
  const own = { ...process.env, KUBECONFIG: kubeconfig };
  const configured = await runProgram('env', [`KUBECONFIG=${kubeconfig}`, join(scripts, 'configure-values'), ...of]);
  const values = environmentOf(parse(configured) as Values);
  const crds = join(repository, 'apps', 'controller', 'chart-crds', 'templates');
  await runProgram('kubectl', ['--kubeconfig', kubeconfig, 'apply', '--server-side', '--filename', crds]);
  if (mode.startsWith('aksmachineapi')) await clusterScript('machines-pool', real);

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
  const controller = controllerProcess({
    ...{ ...own, ...known, AZURE_ENVIRONMENT_FILEPATH: environmentFile, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    ...{ PROVISION_MODE: mode, ...poolVariables(mode), ...variables },
  });
  const deps = { make: (part: string) => clusterScript(part, real), restart: controller.restart };
  const stage = azureStage({ subscriptionId: subscription, nodeResourceGroup, location, kubeconfig }, deps);
  try {
    await runCases(stage, cases, onResult);
  } finally {
    await controller.stop();
    writeFileSync(real.recordingFile, `${JSON.stringify(proxy.recording(new Date()), undefined, 1)}\n`);
    say(
      `machines cost about ${stage.cost().toFixed(2)} USD at list prices, the system pool among them; see also the cost analysis of ${CLUSTER}`,
    );
  }
};

const { values } = parseArgs({
  options: {
    suite: { type: 'string' },
    mode: { type: 'string', default: 'aksscriptless' },
    variable: { type: 'string', multiple: true, default: [] },
    subscription: { type: 'string' },
    location: { type: 'string', default: 'eastus' },
    recording: { type: 'string', default: 'azure-recording.json' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const main = async (): Promise<number> => {
  const results: CaseResult[] = [];
  const known = provisionModes.find(({ name }) => name === values.mode);
  if (known === undefined) throw new Error(`--mode ${values.mode}: expected ${provisionModes.map(({ name }) => name).join(', ')}`);
  const isOfPool = known.name.startsWith('aksmachineapi');
  const cases = acceptanceCases.filter(
    ({ suite, isOfAgentPool }) => (values.suite === undefined || suite === values.suite) && (isOfAgentPool ?? isOfPool) === isOfPool,
  );
  const variables = Object.fromEntries(values.variable.map((each) => [each.split('=')[0] ?? '', each.slice(each.indexOf('=') + 1)]));
  const run: Run = { cases, mode: known.name, variables, onResult: printing(results) };
  const { subscription, location, recording, keep } = values;
  if (subscription === undefined) await onEmulator(run);
  else {
    const real = { subscription, location, recordingFile: recording };
    try {
      await clusterScript('up', real);
      await onAzure(real, run);
    } finally {
      if (!keep) await clusterScript('down', real);
    }
  }
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  say(`${results.length - failed} of ${cases.length} passed`);
  return failed > 0 || results.length < cases.length || cases.length === 0 ? 1 : 0;
};

if (values.help) say(USAGE);
else process.exitCode = await main();
