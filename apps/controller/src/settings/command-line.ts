import type { TopologySpreadConstraint } from '@karpenter/core/internal';
import manifest from '../../package.json' with { type: 'json' };
import { configurePlugin, type ConfiguredPlugin } from '../plugin/configured-plugin.ts';
import { loadPlugin } from '../plugin/plugin-loader.ts';
import { parseArguments } from './arguments.ts';
import { helpText, unknownFlags } from './help.ts';
import { optionsWithoutEffect } from './options-of-the-original.ts';
import type { Settings } from './options.ts';
import { type Environment, parseSettings } from './settings-parser.ts';
import { readSchedulerConfig } from './scheduler-config/scheduler-config.ts';

export type CommandLine =
  /** Something was to be said, and nothing to be run. */
  | { readonly kind: 'help'; readonly text: string }
  /** One sentence for each thing that is wrong, of the controller's options and the provider's together. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | {
      readonly kind: 'run';
      readonly settings: Settings;
      readonly plugin: ConfiguredPlugin;
      /** What `settings.schedulerConfig` says. */
      readonly defaultSpread: readonly TopologySpreadConstraint[];
    };

/**
 * What flags and environment ask for, the package and the file that they name. Errors: StartError, when there is no
 * such provider.
 */
export const readCommandLine = async (
  argv: readonly string[],
  environment: Environment,
  load: typeof loadPlugin = loadPlugin,
): Promise<CommandLine> => {
  const { given, problems: malformed } = parseArguments(argv);
  const { settings, problems } = parseSettings(given, environment);
  const plugin = await load(settings.cloudProvider);
  if (given['help'] !== undefined) return { kind: 'help', text: helpText(plugin) };
  if (given['version'] !== undefined) return { kind: 'help', text: manifest.version };
  const spread = await readSchedulerConfig(settings.schedulerConfig);
  const chosen = configurePlugin(plugin, { env: environment, flags: given }, settings.cloudProvider);
  const own = [...malformed, ...unknownFlags(given, plugin), ...optionsWithoutEffect(given, environment), ...problems, ...spread.problems];
  const all = [...own, ...(chosen.ok ? [] : chosen.problems)];
  return all.length === 0 && chosen.ok
    ? { kind: 'run', settings, plugin: chosen.plugin, defaultSpread: spread.constraints }
    : { kind: 'refused', problems: all };
};
