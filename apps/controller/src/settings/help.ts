import type { ProviderPlugin } from '@karpenter/core/provider-kit';
import type { Option } from './option.ts';
import { options } from './options.ts';

const lineOf = ({ flag, env, help, defaultText }: Option<unknown>): string =>
  `  --${flag.padEnd(28)} ${env.padEnd(30)} ${help}${defaultText === '' ? '' : ` (default ${defaultText})`}`;

/** What `--help` prints: every flag with its environment variable. Defaults are shown as they would be written. */
export const helpText = ({ title, flags }: Pick<ProviderPlugin, 'title' | 'flags'>): string =>
  [
    'karpenter: creates and removes the machines of a Kubernetes cluster. A flag wins over its environment variable.',
    '',
    ...Object.values(options).map(lineOf),
    '',
    `Of the ${title} provider (environment variables: the same names in capitals):`,
    ...flags.map((flag) => `  --${flag}`),
  ].join('\n');

/** One sentence for each flag that nobody reads. */
export const unknownFlags = (given: Readonly<Record<string, string>>, { flags }: Pick<ProviderPlugin, 'flags'>): readonly string[] => {
  const known = new Set([...Object.values(options).map(({ flag }) => flag), ...flags, 'help']);
  return Object.keys(given)
    .filter((flag) => !known.has(flag))
    .map((flag) => `flag --${flag} is not known; --help lists those that are`);
};
