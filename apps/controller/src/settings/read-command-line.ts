import { type AzureOptions, parseAzureOptions } from '@karpenter/azure';
import { parseArguments } from './arguments.ts';
import { unknownFlags } from './help.ts';
import type { Settings } from './options.ts';
import { type Environment, parseSettings } from './parse-settings.ts';

export type CommandLine =
  | { readonly kind: 'help' }
  /** One sentence for each thing that is wrong, of the controller's options and the provider's together. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | { readonly kind: 'run'; readonly settings: Settings; readonly azure: AzureOptions };

/** What flags and environment ask for. */
export const readCommandLine = (argv: readonly string[], environment: Environment): CommandLine => {
  const { given, problems: malformed } = parseArguments(argv);
  if (given['help'] !== undefined) return { kind: 'help' };
  const { settings, problems } = parseSettings(given, environment);
  const azure = parseAzureOptions({ env: environment, flags: given });
  const all = [...malformed, ...unknownFlags(given), ...problems, ...(azure.ok ? [] : azure.problems)];
  return all.length === 0 && azure.ok ? { kind: 'run', settings, azure: azure.options } : { kind: 'refused', problems: all };
};
