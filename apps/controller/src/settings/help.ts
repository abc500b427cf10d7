import type { ProviderOption, ProviderPlugin } from '@karpenter/core/provider-kit';
import { optionsOfTheOriginal } from './options-of-the-original.ts';
import { options } from './options.ts';

const nameOf = ({ flag }: ProviderOption): string => (flag === undefined ? '' : `--${flag}`);

const widestOf = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));

/** A line for each option, in columns. */
const linesOf = (described: readonly ProviderOption[]): readonly string[] => {
  const nameWidth = widestOf(described.map(nameOf));
  const envWidth = widestOf(described.map(({ env }) => env));
  return described.map((option) => {
    const { env, help, defaultText } = option;
    const byDefault = defaultText === 'required' ? ' (required)' : ` (default ${defaultText})`;
    return `  ${nameOf(option).padEnd(nameWidth)}  ${env.padEnd(envWidth)}  ${help}${defaultText === '' ? '' : byDefault}`;
  });
};

/** What `--help` prints: every flag with its environment variable. Defaults are shown as they would be written. */
export const helpText = (plugin: Pick<ProviderPlugin, 'title' | 'options'>): string =>
  [
    'karpenter: creates and removes the machines of a Kubernetes cluster. A flag wins over its environment variable.',
    '',
    ...linesOf(Object.values(options)),
    '',
    `Of the ${plugin.title} provider:`,
    ...linesOf(plugin.options),
    '',
    'karpenter --version: writes which version this is.',
    'karpenter preflight [--json]: checks what the controller needs of Azure, and says what to run where something is missing.',
    'karpenter convert FILE…: writes manifests of former versions in the current one; without files it reads standard input.',
  ].join('\n');

/** One sentence for each flag that nobody reads. */
export const unknownFlags = (given: Readonly<Record<string, string>>, plugin: Pick<ProviderPlugin, 'options'>): readonly string[] => {
  const own = plugin.options.flatMap(({ flag }) => flag ?? []);
  const known = new Set([...[...Object.values(options), ...optionsOfTheOriginal].map(({ flag }) => flag), ...own, 'help', 'version']);
  return Object.keys(given)
    .filter((flag) => !known.has(flag))
    .map((flag) => `flag --${flag} is not known; --help lists those that are`);
};
