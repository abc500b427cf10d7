/**
 * `pnpm bench:solver`: plans and what-ifs on synthetic clusters, each case in a process of its own, every plan checked
 * by the validator after the clock was read. `--case=<name>` measures one of them, `--json` prints JSON.
 */
import { cpus, totalmem } from 'node:os';
import { caseWanted, measureApart } from './fresh-process.ts';
import { report } from './report.ts';
import type { Figure } from './report.ts';
import { deviceClaimCases } from './solver/device-claims.ts';
import { prices } from './solver/prices.ts';
import { randomPods } from './solver/random-pods.ts';
import { fewPods, benchSteps } from './solver/steps.ts';
import { whatIfs } from './solver/what-ifs.ts';
import { wholeCatalog } from './solver/whole-catalog.ts';
import { distinct, flood, generic, mix, preferences, solitary } from './solver/workload-cases.ts';

type Measure = () => readonly Figure[] | Promise<readonly Figure[]>;

const sizes = [1, 50, 100, 500, 1000, 2000, 5000, 10_000, 20_000, 100_000];

const cases: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  ['whole-catalog', wholeCatalog],
  ...sizes.map((count): [string, Measure] => [`mix-${count}`, mix(count)]),
  ...sizes.map((count): [string, Measure] => [`generic-${count}`, generic(count)]),
  ['steps', benchSteps],
  ['few-pods', fewPods],
  ['solitary', solitary],
  ['preferences', preferences],
  ['distinct', distinct],
  ['flood', flood],
  ['random-pods', randomPods],
  ['device-claims', deviceClaimCases],
  ['what-if-roomy', whatIfs('nodes with room', { podLimit: 110 })],
  ['what-if-full', whatIfs('full nodes', { podLimit: 20 })],
  ['what-if-spread', whatIfs('nodes with room, every third pod spread over zones', { podLimit: 110, isSpread: true })],
  ['what-if-full-spread', whatIfs('full nodes, every third pod spread over zones', { podLimit: 20, isSpread: true })],
  ...[50, 500, 2000, 10_000].map((count): [string, Measure] => [`prices-${count}`, prices(count)]),
]);

/** How the time grows from a tenth of the pods to all of them. */
const growth = (workload: string, figures: readonly Figure[]): readonly Figure[] => {
  const timeOf = (count: number): number | undefined =>
    figures.find((figure) => figure.case === `${workload}, 400 types, ${count} pods, cheapest: time`)?.figure;
  const [tenth, whole] = [timeOf(10_000), timeOf(100_000)];
  if (tenth === undefined || whole === undefined) return [];
  return [{ case: `${workload}, 100,000 over 10,000 pods, cheapest`, figure: whole / tenth, unit: 'x', atMost: 12 }];
};

const all = (): readonly Figure[] => {
  const figures = [...cases.keys()].flatMap(measureApart);
  return [
    { case: 'machine, cores', figure: cpus().length, unit: 'cores' },
    { case: 'machine, memory', figure: totalmem() / 1024 ** 3, unit: 'GiB' },
    ...figures,
    ...growth('mix', figures),
    ...growth('generic fifth', figures),
  ];
};

const wanted = caseWanted();
const measure = wanted === undefined ? all : cases.get(wanted);
if (measure === undefined) throw new Error(`There is no case ${wanted ?? ''}; there are ${[...cases.keys()].join(', ')}`);
report(await measure());
