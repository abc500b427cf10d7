import {
  type AKSNodeClass,
  aksNodeClassKind,
  AzureEnvironmentError,
  parseAzureOptions,
  preflight,
  preflightText,
  providerPlugin,
} from '@karpenter/azure';
import type { NodePool } from '@karpenter/core';
import { karpenterKinds } from '@karpenter/core/controllers';
import { classifyResponse, createKubeClient, createTransport, kindTable, KubeError, type Transport } from '@karpenter/runtime';
import { Command } from 'commander';
import type { World } from '../command/world.ts';
import { CommandError, COMMAND_EXIT, type CommandExitCode } from '../exit-code.ts';
import { clusterConnection, type KubeFlags } from '../read/live-reader.ts';
import { jsonText, visibleIn } from '../render/paper.ts';

export interface PreflightFlags extends KubeFlags {
  readonly output: 'text' | 'json';
}

/** What the checks take from the cluster. */
interface FromCluster {
  readonly nodePools: readonly NodePool[];
  readonly nodeClasses: readonly AKSNodeClass[];
  readonly kubernetesVersion: string | undefined;
}

/** Azure's flags among those of the controller; the others say nothing about Azure. */
const azureFlagsIn = (argv: readonly string[]): Readonly<Record<string, string>> => {
  const parser = new Command().allowUnknownOption().allowExcessArguments();
  for (const { flag } of providerPlugin.options) if (flag !== undefined) parser.option(`--${flag} [value]`);
  const given = parser.parse([...argv], { from: 'user' }).opts<Record<string, string | true>>();
  return Object.fromEntries(
    parser.options.flatMap((option) => {
      const value = given[option.attributeName()];
      return value === undefined ? [] : [[option.name(), String(value)]];
    }),
  );
};

const gitVersion = async (transport: Transport, signal: AbortSignal): Promise<string> => {
  const response = await transport.send({ method: 'GET', path: '/version', signal });
  if (response.status !== 200) throw classifyResponse(response);
  return (response.body as { readonly gitVersion: string }).gitVersion;
};

const readCluster = async (flags: KubeFlags, { clock, signal }: World): Promise<FromCluster> => {
  const transport = createTransport(await clusterConnection(flags), { clock, userAgent: 'karpenter-preflight' });
  try {
    const client = createKubeClient(transport, kindTable([...karpenterKinds, aksNodeClassKind]));
    const [pools, classes, kubernetesVersion] = await Promise.all([
      client.list<NodePool>('NodePool', { signal }),
      client.list<AKSNodeClass>('AKSNodeClass', { signal }),
      gitVersion(transport, signal),
    ]);
    return { nodePools: pools.items, nodeClasses: classes.items, kubernetesVersion };
  } finally {
    await transport.close();
  }
};

/** Without a cluster the checks of Azure still say something. */
const clusterOrNothing = async (flags: KubeFlags, world: World): Promise<FromCluster> => {
  try {
    return await readCluster(flags, world);
  } catch (error) {
    if (!(error instanceof CommandError) && !(error instanceof KubeError)) throw error;
    world.complain(`no cluster was read, so that quota is not compared with NodePools: ${error.message}`);
    return { nodePools: [], nodeClasses: [], kubernetesVersion: undefined };
  }
};

/** `karpenter preflight`: takes the flags and the environment of the controller. Errors: CommandError. */
export const runPreflight = async (argv: readonly string[], flags: PreflightFlags, world: World): Promise<CommandExitCode> => {
  const { env, clock, signal, out } = world;
  const parsed = parseAzureOptions({ flags: azureFlagsIn(argv), env });
  if (!parsed.ok) throw new CommandError(COMMAND_EXIT.usage, parsed.problems.join('\n'));
  const cluster = await clusterOrNothing(flags, world);
  try {
    const report = await preflight({ options: parsed.options, variables: env, clock, ...cluster }, signal);
    out.write(flags.output === 'json' ? jsonText(report) : `${preflightText(visibleIn(report))}\n`);
    return report.isReady ? COMMAND_EXIT.ok : COMMAND_EXIT.negative;
  } catch (error) {
    if (error instanceof AzureEnvironmentError) throw new CommandError(COMMAND_EXIT.unreadable, error.message, error);
    throw error;
  }
};
