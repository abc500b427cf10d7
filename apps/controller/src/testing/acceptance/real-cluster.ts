import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createArmCertificates } from '@karpenter/azure-emulator';
import { parse } from 'yaml';
import { variableOf } from '../../chart/variable-of.ts';
import { runProgram } from '../processes/run-program.ts';
import { azureStage, type MachineCost } from './azure-stage.ts';
import { startRecordProxy } from './record-proxy.ts';
import { type AcceptanceRun, runCases } from './run-cases.ts';
import { checkReadiness } from './run-forecast.ts';

const repository = join(import.meta.dirname, '..', '..', '..', '..', '..');
const scripts = join(repository, 'apps', 'controller', 'scripts');
const UPSTREAM = 'https://management.azure.com';
const PRICES_UPSTREAM = 'https://prices.azure.com';
const CLUSTER = 'karpenter-acceptance';

/** The AKS cluster of one run, in a resource group of its own. */
export interface RealCluster {
  readonly subscription: string;
  readonly location: string;
  readonly recordingFile: string;
}

/** What costs until the cluster is deleted, and what deletes it. */
export const stillBilled = ({ subscription }: RealCluster): string =>
  `the resource group ${CLUSTER} and the nodes of its cluster cost until they are deleted:\n` +
  `  az group delete --name ${CLUSTER} --subscription ${subscription} --yes`;

/**
 * Runs `acceptance-cluster` and returns what it prints; what it says meanwhile is shown. It has a process group of its
 * own: Ctrl-C in a terminal ends it by `signal` only, and a deletion never.
 */
const clusterScript = async (verb: string, { subscription, location }: RealCluster, signal?: AbortSignal): Promise<string> => {
  signal?.throwIfAborted();
  const script = spawn(join(scripts, 'acceptance-cluster'), [verb, CLUSTER, subscription, location], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const end = (): void => {
    if (script.pid !== undefined) process.kill(-script.pid, 'SIGTERM');
  };
  signal?.addEventListener('abort', end, { once: true });
  const [printed, [code]] = await Promise.all([text(script.stdout), once(script, 'exit') as Promise<[number | null]>]);
  signal?.removeEventListener('abort', end);
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(`acceptance-cluster ${verb} failed`);
  return printed.trim();
};

/** Makes the cluster. */
export const makeCluster = (real: RealCluster, signal: AbortSignal): Promise<string> => clusterScript('up', real, signal);

/** Deletes the cluster with everything in its resource group. */
export const deleteCluster = (real: RealCluster): Promise<string> => clusterScript('down', real);

interface Values {
  readonly azure: Readonly<Record<string, string | boolean>>;
  readonly kubeletBootstrapToken: { readonly value: string };
}

/** What `configure-values` reads from the cluster, as the controller's environment. */
const environmentOf = ({ azure, kubeletBootstrapToken }: Values): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(azure).map(([key, value]) => [variableOf(key), String(value)])),
  KUBELET_BOOTSTRAP_TOKEN: kubeletBootstrapToken.value,
});

/** The controller of this checkout as a process that can be started again with other variables. */
const controllerProcess = (own: Readonly<Record<string, string | undefined>>) => {
  const main = join(repository, 'apps', 'controller', 'src', 'main.ts');
  const args = ['--conditions=@karpenter/source', '--no-warnings', main, '--disable-leader-election=true'];
  const start = (variables: Readonly<Record<string, string>>) =>
    spawn(process.execPath, args, { env: { ...own, ...variables }, stdio: ['ignore', 'inherit', 'inherit'] });
  let controller = start({});
  const stop = async (): Promise<void> => {
    const ended = controller.exitCode === null && controller.signalCode === null ? once(controller, 'exit') : undefined;
    controller.kill('SIGTERM');
    await ended;
  };
  const restart = async (variables: Readonly<Record<string, string>>): Promise<void> => {
    await stop();
    controller = start(variables);
  };
  return { stop, restart };
};

interface Reached {
  readonly kubeconfig: string;
  /** Of the controller. */
  readonly values: Readonly<Record<string, string>>;
}

/** Fetches credentials and values of the cluster, and gives it the CRDs. */
const reach = async (subscription: string, folder: string, { mode, signal }: AcceptanceRun): Promise<Reached> => {
  const kubeconfig = join(folder, 'kubeconfig');
  const of = ['--resource-group', CLUSTER, '--name', CLUSTER, '--subscription', subscription];
  const run = runProgram(signal);
  await run('az', ['aks', 'get-credentials', ...of, '--admin', '--file', kubeconfig]);
  const chosen = ['--provision-mode', mode, '--machines-pool', 'machines'];
  const configured = await run('env', [`KUBECONFIG=${kubeconfig}`, join(scripts, 'configure-values'), ...of, ...chosen]);
  const crds = join(repository, 'apps', 'controller', 'chart-crds', 'templates');
  await run('kubectl', ['--kubeconfig', kubeconfig, 'apply', '--server-side', '--filename', crds]);
  return { kubeconfig, values: environmentOf(parse(configured) as Values) };
};

/** The last line of a run. */
export const costLine = ({ usd, pricesAsOf }: MachineCost): string => {
  const more = `see the cost analysis of ${CLUSTER}`;
  if (pricesAsOf === undefined) return `no prices of this region are known here: ${more}`;
  const machines = `machines cost about ${usd.toFixed(2)} USD at list prices of ${pricesAsOf}, the system pool among them`;
  return `${machines}; disks, addresses and traffic come on top: ${more}`;
};

/**
 * Runs the cases on the cluster, with the controller of this checkout and all its calls recorded. `say` hears what it cost.
 */
export const runOnCluster = async (real: RealCluster, acceptance: AcceptanceRun, say: (line: string) => void): Promise<void> => {
  const { subscription, location } = real;
  const { cases, mode, variables, onResult, signal } = acceptance;
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-acceptance-'));
  const { kubeconfig, values } = await reach(subscription, folder, acceptance);
  if (mode.startsWith('aksmachineapi')) await clusterScript('machines-pool', real, signal);
  await checkReadiness({ ...values, PROVISION_MODE: mode, ...variables }, { say, signal });

  const certificates = await createArmCertificates();
  const nodeResourceGroup = values['AZURE_NODE_RESOURCE_GROUP'] ?? '';
  const imageSubscription = values['SIG_SUBSCRIPTION_ID'] ?? '';
  const names = { subscription, imageSubscription, nodeGroup: nodeResourceGroup, clusterGroup: CLUSTER, cluster: CLUSTER };
  await using proxy = await startRecordProxy({ upstream: UPSTREAM, pricesUpstream: PRICES_UPSTREAM, certificates, names });
  const environmentFile = join(folder, 'azure-environment.json');
  const activeDirectoryEndpoint = 'https://login.microsoftonline.com';
  const there = { name: 'AzurePublicCloud', ...proxy.endpoints, activeDirectoryEndpoint, tokenAudience: UPSTREAM };
  writeFileSync(environmentFile, JSON.stringify(there));
  writeFileSync(join(folder, 'ca.pem'), certificates.caPem);
  const { ARM_CLOUD: _cloud, ...known } = values;
  const controller = controllerProcess({
    ...{ ...process.env, KUBECONFIG: kubeconfig, ...known, PROVISION_MODE: mode },
    ...{ AZURE_ENVIRONMENT_FILEPATH: environmentFile, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), ...variables },
  });
  const deps = { make: (part: string) => clusterScript(part, real, signal), restart: controller.restart, signal };
  const stage = azureStage({ subscriptionId: subscription, nodeResourceGroup, location, kubeconfig }, deps);
  try {
    await runCases(stage, cases, onResult);
  } finally {
    await controller.stop();
    writeFileSync(real.recordingFile, `${JSON.stringify(proxy.recording(new Date()), undefined, 1)}\n`);
    say(costLine(stage.cost()));
  }
};
