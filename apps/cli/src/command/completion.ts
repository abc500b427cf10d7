import type { Command, Option } from 'commander';

/** What `karpenter completion` writes for: shells, and kubectl, which asks a program beside its plugin. */
export const SHELLS = ['bash', 'zsh', 'fish', 'kubectl'] as const;
export type CompletionShell = (typeof SHELLS)[number];

const PROGRAM = 'karpenter';

/** What may follow an option: nothing, one of a few words, a file, or any text. */
type Value = { readonly kind: 'none' | 'file' | 'text' } | { readonly kind: 'words'; readonly words: readonly string[] };

const valueOf = ({ required, flags, argChoices }: Option): Value => {
  if (!required) return { kind: 'none' };
  if (argChoices !== undefined) return { kind: 'words', words: argChoices };
  return { kind: flags.includes('<file') ? 'file' : 'text' };
};

const namesOf = ({ short, long }: Option): readonly string[] => [short, long].filter((name) => name !== undefined);

/** `--help` stands in no list of commander's. */
const HELP = ['-h', '--help'];

/** Options that the help shows. */
const shownOptions = ({ options }: Command): readonly Option[] => options.filter(({ hidden }) => !hidden);

const flagsOf = (command: Command): readonly string[] => [...shownOptions(command).flatMap(namesOf), ...HELP];

/** What may stand for the arguments of a command itself. */
const argumentsOf = (command: Command): readonly string[] => command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);

const takesFiles = (command: Command): boolean => command.registeredArguments.some((argument) => argument.name() === 'file');

/** Option as typed → its value, over all commands: one flag means the same everywhere. */
const allOptions = (program: Command): readonly Option[] => [
  ...new Map(program.commands.flatMap(shownOptions).map((option) => [option.flags, option])).values(),
];

const bashValues = (program: Command): readonly string[] =>
  allOptions(program).flatMap((option) => {
    const value = valueOf(option);
    const names = namesOf(option).join('|');
    switch (value.kind) {
      case 'none':
        return [];
      case 'file':
        return [`    ${names}) _${PROGRAM}_files "$current"; return ;;`];
      case 'words':
        return [`    ${names}) COMPREPLY=($(compgen -W "${value.words.join(' ')}" -- "$current")); return ;;`];
      case 'text':
        return [`    ${names}) COMPREPLY=(); return ;;`];
    }
  });

const bashCommand = (command: Command): string => {
  const words = `words="${[...argumentsOf(command), ...flagsOf(command)].join(' ')}"`;
  const files = takesFiles(command) ? `case "$current" in -*) ;; *) _${PROGRAM}_files "$current"; return ;; esac; ` : '';
  return `    ${command.name()}) ${files}${words} ;;`;
};

/** bash makes three words of `--output=json`; the second is `=`. */
const bashFunction = (program: Command): readonly string[] => [
  `_${PROGRAM}_files() {`,
  String.raw`  local IFS=$'\n'`,
  '  compopt -o filenames 2>/dev/null',
  '  COMPREPLY=($(compgen -f -- "$1"))',
  '}',
  `_${PROGRAM}() {`,
  '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" words=""',
  '  if [ "$previous" = "=" ]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi',
  '  if [ "$current" = "=" ]; then current=""; fi',
  '  case "$previous" in',
  ...bashValues(program),
  '  esac',
  '  if [ "$COMP_CWORD" -eq 1 ]; then',
  `    words="${[...program.commands.map((command) => command.name()), ...flagsOf(program)].join(' ')}"`,
  '  else case "${COMP_WORDS[1]}" in',
  ...program.commands.map(bashCommand),
  '  esac; fi',
  '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
  '}',
];

const bashScript = (program: Command, options = ''): readonly string[] => [
  ...bashFunction(program),
  `complete ${options}-F _${PROGRAM} ${PROGRAM}`,
];

/** A program that prints what may follow its arguments, a line each, and then that nothing else may. */
const kubectlScript = (program: Command): readonly string[] => [
  '#!/usr/bin/env bash',
  ...bashFunction(program),
  `COMP_WORDS=(${PROGRAM} "$@"); COMP_CWORD=$#`,
  `_${PROGRAM}`,
  String.raw`printf '%s\n' "${'${COMPREPLY[@]}'}"`,
  'echo :4',
];

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`\'`)}'`;

const fishOption = (command: Command, option: Option): string => {
  const value = valueOf(option);
  const names = namesOf(option).map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const takes = { none: '', file: ' -r -F', text: ' -x', words: value.kind === 'words' ? ` -x -a ${quoted(value.words.join(' '))}` : '' };
  const condition = quoted(`__fish_seen_subcommand_from ${command.name()}`);
  return `complete -c ${PROGRAM} -n ${condition} ${names.join(' ')}${takes[value.kind]} -d ${quoted(option.description)}`;
};

const fishScript = (program: Command): readonly string[] => [
  `complete -c ${PROGRAM} -f`,
  ...program.commands.flatMap((command) => [
    `complete -c ${PROGRAM} -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
    ...argumentsOf(command).map(
      (word) => `complete -c ${PROGRAM} -n ${quoted(`__fish_seen_subcommand_from ${command.name()}`)} -a ${word}`,
    ),
    ...(takesFiles(command) ? [`complete -c ${PROGRAM} -n ${quoted(`__fish_seen_subcommand_from ${command.name()}`)} -F`] : []),
    ...shownOptions(command).map((option) => fishOption(command, option)),
  ]),
];

/** A script that makes a shell complete the commands and flags of the program. */
export const completionScript = (program: Command, shell: CompletionShell): string => {
  const scripts: Readonly<Record<CompletionShell, () => readonly string[]>> = {
    bash: () => bashScript(program),
    // zsh runs bash completions after bashcompinit, but has no compopt.
    zsh: () => [
      '#compdef karpenter',
      'autoload -U +X compinit && compinit',
      'autoload -U +X bashcompinit && bashcompinit',
      ...bashScript(program, '-o filenames '),
    ],
    fish: () => fishScript(program),
    kubectl: () => kubectlScript(program),
  };
  return `${scripts[shell]().join('\n')}\n`;
};
