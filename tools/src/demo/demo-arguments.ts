import { parseArgs } from 'node:util';

export interface DemoArguments {
  /** Leave the cluster and the controller up at the end, until Ctrl-C. */
  readonly keep: boolean;
  /** Play the steps; without them the cluster is there at once, and kept. */
  readonly tour: boolean;
  /** Machines boot and pods start this many times as fast as in Azure. */
  readonly speed: number;
  /** Each step must have come true after so long; absent: the step's own limit. */
  readonly timeLimitMs?: number;
}

export type DemoArgumentsResult =
  { readonly kind: 'run'; readonly arguments: DemoArguments } | { readonly kind: 'say'; readonly text: string; readonly exitCode: number };

const USAGE = `npm run demo -- [--keep] [--no-tour] [--speed N] [--time-limit SECONDS]

  --keep                leave the cluster up at the end
  --no-tour             scale nothing: the cluster is yours at once, until Ctrl-C
  --speed N             machines boot N times as fast as in Azure (1 to 1000, default 20)
  --time-limit SECONDS  a step that has not come true by then has failed (default 180, 300 for the last)
`;

const options = {
  keep: { type: 'boolean', default: false },
  'no-tour': { type: 'boolean', default: false },
  speed: { type: 'string', default: '20' },
  'time-limit': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Undefined for what is not a number of that range. */
const numberOf = (text: string, { least, most }: { readonly least: number; readonly most: number }): number | undefined => {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return number >= least && number <= most ? number : undefined;
};

const refuse = (option: string, text: string, wanted: string): DemoArgumentsResult => ({
  kind: 'say',
  text: `--${option} ${text}: ${wanted} is wanted`,
  exitCode: 2,
});

const read = (argv: readonly string[]): DemoArgumentsResult => {
  const { values } = parseArgs({ args: [...argv], options });
  if (values.help) return { kind: 'say', text: USAGE, exitCode: 0 };
  const { 'no-tour': noTour, 'time-limit': timeLimit } = values;
  const [keep, tour] = [values.keep || noTour, !noTour];
  const speed = numberOf(values.speed, { least: 1, most: 1000 });
  if (speed === undefined) return refuse('speed', values.speed, 'a number from 1 to 1000');
  if (timeLimit === undefined) return { kind: 'run', arguments: { keep, tour, speed } };
  const seconds = numberOf(timeLimit, { least: 1, most: 3600 });
  if (seconds === undefined) return refuse('time-limit', timeLimit, 'a number of seconds from 1 to 3600');
  return { kind: 'run', arguments: { keep, tour, speed, timeLimitMs: seconds * 1000 } };
};

/** What the command line asks for, or what to print instead of running. */
export const parseDemoArguments = (argv: readonly string[]): DemoArgumentsResult => {
  try {
    return read(argv);
  } catch (error) {
    return { kind: 'say', text: `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, exitCode: 2 };
  }
};
