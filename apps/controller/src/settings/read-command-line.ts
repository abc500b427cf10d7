import { type AzureOptions, parseAzureOptions } from '@karpenter/azure';
import type { TopologySpreadConstraint } from '@karpenter/core';
import { parseArguments } from './arguments.ts';
import { unknownFlags } from './help.ts';
import type { Settings } from './options.ts';
import { type Environment, parseSettings } from './parse-settings.ts';
import { readSchedulerConfig } from './scheduler-config/read-scheduler-config.ts';

export type CommandLine =
  | { readonly kind: 'help' }
  /** One sentence for each thing that is wrong, of the controller's options and the provider's together. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | {
      readonly kind: 'run';
      readonly settings: Settings;
      readonly azure: AzureOptions;
      /** What `settings.schedulerConfig` says. */
      readonly defaultSpread: readonly TopologySpreadConstraint[];
    };

/** What flags and environment ask for, and the file that they may name. */
export const readCommandLine = async (argv: readonly string[], environment: Environment): Promise<CommandLine> => {
  const { given, problems: malformed } = parseArguments(argv);
  if (given['help'] !== undefined) return { kind: 'help' };
  const { settings, problems } = parseSettings(given, environment);
  const spread = await readSchedulerConfig(settings.schedulerConfig);
  const azure = parseAzureOptions({ env: environment, flags: given });
  const all = [...malformed, ...unknownFlags(given), ...problems, ...spread.problems, ...(azure.ok ? [] : azure.problems)];
  return all.length === 0 && azure.ok
    ? { kind: 'run', settings, azure: azure.options, defaultSpread: spread.constraints }
    : { kind: 'refused', problems: all };
};
