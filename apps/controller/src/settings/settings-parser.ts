import type { Arguments } from './arguments.ts';
import type { Option } from './option.ts';
import { options, type Settings } from './options.ts';

export interface SettingsResult {
  readonly settings: Settings;
  /** One sentence for each option that could not be read; its field then holds the default. */
  readonly problems: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface Source {
  readonly text: string;
  /** How a person names it: `flag --metrics-port` or `environment variable METRICS_PORT`. */
  readonly name: string;
}

const sourceOf = ({ flag, env }: Option<unknown>, given: Arguments, environment: Environment): Source | undefined => {
  const fromFlag = given[flag];
  if (fromFlag !== undefined) return { text: fromFlag, name: `flag --${flag}` };
  const fromEnvironment = environment[env];
  return fromEnvironment === undefined || fromEnvironment === ''
    ? undefined
    : { text: fromEnvironment, name: `environment variable ${env}` };
};

const batchProblems = ({ batchIdleMs, batchMaxMs }: Settings): readonly string[] =>
  batchIdleMs > batchMaxMs
    ? [
        `--batch-idle-duration (BATCH_IDLE_DURATION) is ${batchIdleMs} ms: longer than --batch-max-duration (BATCH_MAX_DURATION), ${batchMaxMs} ms`,
      ]
    : [];

const portProblems = ({ metricsPort, healthProbePort }: Settings): readonly string[] =>
  metricsPort === healthProbePort && metricsPort !== 0
    ? [
        `--metrics-port (METRICS_PORT) and --health-probe-port (HEALTH_PROBE_PORT) are both ${metricsPort}: expected two ports, or 0 for any that is free`,
      ]
    : [];

/**
 * Reads the options that are not the provider's from flags, then environment variables, then defaults. All problems at
 * once.
 */
export const parseSettings = (given: Arguments, environment: Environment): SettingsResult => {
  const problems: string[] = [];
  const read = (option: Option<unknown>): unknown => {
    const source = sourceOf(option, given, environment);
    if (!source) return option.byDefault;
    const parsed = option.parse(source.text);
    if ('value' in parsed) return parsed.value;
    problems.push(`${source.name} is ${JSON.stringify(source.text)}: expected ${parsed.wanted}`);
    return option.byDefault;
  };
  const settings = Object.fromEntries(Object.entries(options).map(([name, option]) => [name, read(option)])) as Settings;
  return { settings, problems: [...problems, ...batchProblems(settings), ...portProblems(settings)] };
};
