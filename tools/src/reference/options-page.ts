import type { ProviderOption } from '@karpenter/core/provider-kit';
import { cell, code, generated, markdownTable } from './markdown.ts';

const HEAD = ['Option', 'Default', 'Meaning'];

/** Both in one cell: beside each other they would leave what is said of them no room on a phone. */
const nameOf = ({ flag, env }: Pick<ProviderOption, 'flag' | 'env'>): string =>
  [...(flag === undefined ? [] : [code(`--${flag}`)]), code(env)].join('<br>');

const rowOf = (option: ProviderOption): readonly string[] => [
  nameOf(option),
  option.defaultText === 'required' ? '**required**' : cell(option.defaultText),
  cell(option.help),
];

/** A feature gate, and whether it is on when nothing is said. */
export type Gates = Readonly<Record<string, boolean>>;

/** An option of the original that nothing is set by. */
interface Idle {
  readonly flag: string;
  readonly env: string;
  readonly defaultText: string;
  readonly why: string;
  readonly isHarmless: boolean;
}

interface Known {
  readonly options: readonly ProviderOption[];
  readonly idle: readonly Idle[];
  readonly gates: Gates;
  readonly provider: { readonly title: string; readonly options: readonly ProviderOption[] };
}

/** The reference of all options. */
export const optionsPage = ({ options, idle, gates, provider }: Known): string =>
  `${generated}# Options

A flag wins over its environment variable; an empty variable says nothing. What is unknown, malformed or contradictory ends the start, all of it at once, a line each. The Helm chart
sets each by a value of the same name in camel case.

${markdownTable(HEAD, options.map(rowOf))}

## Feature gates

\`--feature-gates SpotToSpotConsolidation=true,NodeRepair=true\`. A gate that nobody knows is refused.

${markdownTable(
  ['Gate', 'Default'],
  Object.entries(gates).map(([name, isOn]) => [code(`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`), isOn ? 'on' : 'off']),
)}

## Options of the ${provider.title} provider

${markdownTable(HEAD, provider.options.map(rowOf))}

## Options of the Go original that set nothing here

They are known, so that a command line of the original is not refused for them.

${markdownTable(
  ['Option', 'May be', 'Why'],
  idle.map(({ flag, env, defaultText, why, isHarmless }) => [
    nameOf({ flag, env }),
    isHarmless ? 'anything' : code(defaultText),
    cell(why),
  ]),
)}
`;
