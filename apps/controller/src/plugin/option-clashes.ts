import type { ProviderPlugin } from '@karpenter/core/provider-kit';
import { duplicateNames } from '../settings/duplicate-names.ts';
import { options } from '../settings/options.ts';

const own = Object.values(options);
const OWN_FLAGS: ReadonlySet<string> = new Set([...own.map(({ flag }) => flag), 'help', 'version']);
const OWN_VARIABLES: ReadonlySet<string> = new Set(own.map(({ env }) => env));

/** Those that are taken, or come more than once. */
const clashing = (names: readonly string[], taken: ReadonlySet<string>): readonly string[] => [
  ...new Set([...names.filter((name) => taken.has(name)), ...duplicateNames(names)]),
];

/**
 * Names of options that a plugin has twice, or that are the controller's own: what was given by them would mean two things.
 */
export const optionClashes = ({ options: ofPlugin }: Pick<ProviderPlugin, 'options'>): readonly string[] => [
  ...clashing(
    ofPlugin.flatMap(({ flag }) => flag ?? []),
    OWN_FLAGS,
  ).map((flag) => `--${flag}`),
  ...clashing(
    ofPlugin.map(({ env }) => env),
    OWN_VARIABLES,
  ),
];
