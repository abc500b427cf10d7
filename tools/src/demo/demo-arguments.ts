import { parseArgs } from 'node:util';

export interface DemoArguments {
  /** Leave the cluster and the controller up at the end, until Ctrl-C. */
  readonly keep: boolean;
  /** Machines boot and pods start this many times as fast as in Azure. */
  readonly speed: number;
}

export type DemoArgumentsResult =
  { readonly kind: 'run'; readonly arguments: DemoArguments } | { readonly kind: 'say'; readonly text: string; readonly exitCode: number };

export const USAGE = `npm run demo -- [--keep] [--speed N]

  --keep     leave the cluster up at the end and print how to use it
  --speed N  machines boot N times as fast as in Azure (1 to 1000, default 20)
`;

const speedOf = (text: string): number | undefined => {
  const speed = Number(text);
  return speed >= 1 && speed <= 1000 ? speed : undefined;
};

const read = (argv: readonly string[]): DemoArgumentsResult => {
  const { values } = parseArgs({
    args: [...argv],
    options: { keep: { type: 'boolean' }, speed: { type: 'string', default: '20' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return { kind: 'say', text: USAGE, exitCode: 0 };
  const speed = speedOf(values.speed);
  if (speed === undefined) return { kind: 'say', text: `--speed ${values.speed}: a number from 1 to 1000 is wanted`, exitCode: 2 };
  return { kind: 'run', arguments: { keep: values.keep ?? false, speed } };
};

/** What the command line asks for, or what to print instead of running. */
export const parseDemoArguments = (argv: readonly string[]): DemoArgumentsResult => {
  try {
    return read(argv);
  } catch (error) {
    return { kind: 'say', text: `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, exitCode: 2 };
  }
};
