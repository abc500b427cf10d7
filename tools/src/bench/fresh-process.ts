import { execFileSync } from 'node:child_process';
import type { Figure } from './report.ts';

const PREFIX = '--case=';

/** The case that this process is to measure; undefined where it is to have each measured by a process of its own. */
export const caseWanted = (): string | undefined => process.argv.find((argument) => argument.startsWith(PREFIX))?.slice(PREFIX.length);

/** JSON has no NaN, which a figure is where nothing could be measured. */
type PrintedFigure = Omit<Figure, 'figure'> & { readonly figure: number | null };

/** The figures of one case from a process of its own, so that none inherits the memory, or the warm code, of another. */
export const measureApart = (name: string): readonly Figure[] => {
  const [, script = ''] = process.argv;
  const output = execFileSync(process.execPath, [...process.execArgv, script, `${PREFIX}${name}`, '--json'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = JSON.parse(output) as readonly PrintedFigure[];
  return printed.map((each) => ({ ...each, figure: each.figure ?? Number.NaN }));
};
