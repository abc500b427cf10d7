import type { Arguments } from './arguments.ts';
import type { Environment } from './settings-parser.ts';

/**
 * An option of the original that nothing here is set by, so that a command line of the original is not refused without
 * a word.
 */
export interface OptionOfTheOriginal {
  readonly flag: string;
  readonly env: string;
  /** The original's default. */
  readonly defaultText: string;
  readonly why: string;
  /** Whatever it is set to, what it asks for is there or does no harm to leave out. Otherwise only the default is taken. */
  readonly isHarmless: boolean;
}

const harmless = (flag: string, defaultText: string, why: string): OptionOfTheOriginal => ({
  flag,
  env: flag.replaceAll('-', '_').toUpperCase(),
  defaultText,
  why,
  isHarmless: true,
});

const refused = (flag: string, defaultText: string, why: string): OptionOfTheOriginal => ({
  ...harmless(flag, defaultText, why),
  isHarmless: false,
});

export const optionsOfTheOriginal: readonly OptionOfTheOriginal[] = [
  harmless('karpenter-service', '', 'is read by nothing in the original either'),
  harmless('cpu-requests', '1000', 'work is not spread over threads by it: the controller uses the processor that it is given'),
  harmless('memory-limit', '-1', 'the heap is bounded by NODE_OPTIONS=--max-old-space-size, which the chart sets by heapMib'),
  harmless('disable-controller-warmup', 'true', 'a standby follows the cluster in any case'),
  harmless('log-error-output-paths', 'stderr', 'what the log itself fails at goes to standard error'),
  refused('log-output-paths', 'stdout', 'the log goes to standard output'),
  refused('enable-profiling', 'false', 'Node.js is profiled by its inspector, which SIGUSR1 opens on port 9229 of the pod'),
];

/** One sentence for each that asks for what is not there. */
export const optionsWithoutEffect = (given: Arguments, environment: Environment): readonly string[] =>
  optionsOfTheOriginal
    .filter(({ isHarmless }) => !isHarmless)
    .flatMap(({ flag, env, defaultText, why }) => {
      const fromFlag = given[flag];
      const text = fromFlag ?? environment[env] ?? '';
      const name = fromFlag === undefined ? `environment variable ${env}` : `flag --${flag}`;
      return text === '' || text === defaultText ? [] : [`${name} is ${JSON.stringify(text)}: expected ${defaultText}, or nothing; ${why}`];
    });
