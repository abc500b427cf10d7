import type { ProviderOption, ProviderPlugin } from '@karpenter/core/provider-kit';
import { optionsOfTheOriginal } from './options-of-the-original.ts';
import { options } from './options.ts';

const lineOf = ({ flag, env, help, defaultText }: ProviderOption): string => {
  const name = flag === undefined ? '' : `--${flag}`;
  const byDefault = defaultText === 'required' ? ' (required)' : ` (default ${defaultText})`;
  return `  ${name.padEnd(36)} ${env.padEnd(34)} ${help}${defaultText === '' ? '' : byDefault}`;
};

/** What `--help` prints: every flag with its environment variable. Defaults are shown as they would be written. */
export const helpText = (plugin: Pick<ProviderPlugin, 'title' | 'options'>): string =>
  [
    'karpenter: creates and removes the machines of a Kubernetes cluster. A flag wins over its environment variable.',
    '',
    ...Object.values(options).map(lineOf),
    '',
    `Of the ${plugin.title} provider:`,
    ...plugin.options.map(lineOf),
    '',
    'karpenter --version: writes which version this is.',
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
