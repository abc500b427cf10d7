import { type AKSNodeClass, aksNodeClassKind, AzureEnvironmentError, parseAzureOptions, preflight, preflightText } from '@karpenter/azure';
import type { NodePool } from '@karpenter/core';
import { karpenterKinds } from '@karpenter/core/controllers';
import { StartError } from '@karpenter/core/provider-kit';
import { createKubeClient, createTransport, kindTable, KubeError, systemClock } from '@karpenter/runtime';
import { connectionOf } from './connection.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { serverVersionOf } from './server-version.ts';
import { parseArguments } from './settings/arguments.ts';
import { parseSettings } from './settings/parse-settings.ts';

const HELP = [
  'karpenter preflight [--json] [FLAG ...]: looks at everything that the controller needs of Azure with these flags and this environment,',
  'and says what to run where something is missing. Nothing is changed. NodePools and AKSNodeClasses are read from the cluster, where',
  'there is one. Exit codes: 0 ready, 1 something failed or stayed unknown, 2 flags or environment are wrong.',
].join('\n');

export interface PreflightStreams {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly complain: (line: string) => void;
}

/** What the checks take from the cluster. */
interface FromCluster {
  readonly nodePools: readonly NodePool[];
  readonly nodeClasses: readonly AKSNodeClass[];
  readonly kubernetesVersion: string | undefined;
}

const readCluster = async (kubeconfig: string, signal: AbortSignal): Promise<FromCluster> => {
  const connection = await connectionOf({ kubeconfig });
  const transport = createTransport(connection, { clock: systemClock, userAgent: 'karpenter-preflight' });
  try {
    const client = createKubeClient(transport, kindTable([...karpenterKinds, aksNodeClassKind]));
    const [pools, classes, kubernetesVersion] = await Promise.all([
      client.list<NodePool>('NodePool', { signal }),
      client.list<AKSNodeClass>('AKSNodeClass', { signal }),
      serverVersionOf(transport, signal),
    ]);
    return { nodePools: pools.items, nodeClasses: classes.items, kubernetesVersion };
  } finally {
    await transport.close();
  }
};

/** Without a cluster the checks of Azure still say something. */
const clusterOr = async (kubeconfig: string, { complain }: PreflightStreams, signal: AbortSignal): Promise<FromCluster> => {
  try {
    return await readCluster(kubeconfig, signal);
  } catch (error) {
    if (!(error instanceof StartError) && !(error instanceof KubeError)) throw error;
    complain(`no cluster was read, so that quota is not compared with NodePools: ${error.message}`);
    return { nodePools: [], nodeClasses: [], kubernetesVersion: undefined };
  }
};

/** `karpenter preflight`: takes the flags of the controller. Errors: StartError. */
export const preflightCommand = async (argv: readonly string[], streams: PreflightStreams): Promise<ExitCode> => {
  const { env, out, complain } = streams;
  const { given, problems } = parseArguments(argv.filter((argument) => argument !== '--json'));
  if (given['help'] !== undefined) {
    out(`${HELP}\n`);
    return EXIT.ok;
  }
  const parsed = parseAzureOptions({ flags: given, env });
  const wrong = [...problems, ...(parsed.ok ? [] : parsed.problems)];
  if (!parsed.ok || wrong.length > 0) {
    for (const line of wrong) complain(line);
    return EXIT.usage;
  }
  const { signal } = new AbortController();
  const cluster = await clusterOr(parseSettings(given, env).settings.kubeconfig, streams, signal);
  try {
    const report = await preflight({ options: parsed.options, variables: env, clock: systemClock, ...cluster }, signal);
    out(`${argv.includes('--json') ? JSON.stringify(report, null, 2) : preflightText(report)}\n`);
    return report.isReady ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (error instanceof AzureEnvironmentError) throw new StartError(error.message, { cause: error });
    throw error;
  }
};
