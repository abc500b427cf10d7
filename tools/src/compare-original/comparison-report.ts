import { acceptedDifferences } from './accepted-differences.ts';
import type { Comparison, PlanVerdict } from './comparison.ts';

/** The comparisons of one file. */
export interface FileComparisons {
  readonly file: string;
  readonly comparisons: readonly Comparison[];
}

/** Verdicts that ask for an explanation. */
const faults: ReadonlySet<PlanVerdict> = new Set(['unsound', 'fewer', 'dearer', 'keeps-more']);

/** Whether the comparison asks for an explanation that no one has given. */
export const isUnexplained = ({ id, verdict }: Comparison): boolean => faults.has(verdict) && acceptedDifferences[id]?.verdict !== verdict;

const verdicts: readonly PlanVerdict[] = [
  'unsound',
  'fewer',
  'more',
  'dearer',
  'keeps-more',
  'cheaper',
  'equal',
  'original-unsound',
  'original-discarded',
];

/** Verdicts on two sound plans that place as many pods. */
const pricedVerdicts: ReadonlySet<PlanVerdict> = new Set(['dearer', 'keeps-more', 'cheaper', 'equal']);

const sum = (comparisons: readonly Comparison[], of: (comparison: Comparison) => number): number =>
  comparisons.reduce((total, comparison) => total + of(comparison), 0);

const percent = (ratio: number): string => `${ratio < 1 ? '' : '+'}${((ratio - 1) * 100).toFixed(1)} %`;

const rowOf = ({ file, comparisons }: FileComparisons): readonly string[] => {
  const priced = comparisons.filter(({ verdict }) => pricedVerdicts.has(verdict));
  const [ours, original] = [sum(priced, (each) => each.ours.pricePerHour), sum(priced, (each) => each.original.pricePerHour)];
  return [
    file,
    String(comparisons.length),
    ...verdicts.map((verdict) => String(comparisons.filter((each) => each.verdict === verdict).length)),
    String(sum(comparisons, (each) => each.ours.placedPods)),
    String(sum(comparisons, (each) => each.original.placedPods)),
    ours.toFixed(2),
    original.toFixed(2),
    original === 0 ? '' : percent(ours / original),
  ];
};

const header = [
  'file',
  'questions',
  ...verdicts,
  'pods placed',
  'by the original',
  '$/h where equal pods',
  'by the original',
  'difference',
];

/** One row for each file. Prices are sums over the questions in which both plans are sound and place as many pods. */
const comparisonTable = (files: readonly FileComparisons[]): string => {
  const rows = [header, ...files.map(rowOf)];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join('  ')).join('\n');
};

/** What differs in one question, on one line. */
const differenceLine = ({ id, pods, verdict, ours, original, unmet }: Comparison): string => {
  const [violation] = ours.violations;
  if (violation !== undefined) return `${id}  ${verdict}  ${violation.rule}: ${violation.subject} ${violation.detail}`;
  if (verdict === 'fewer') return `${id}  ${verdict}  ${ours.placedPods} of ${pods} pods, the original ${original.placedPods}`;
  const ratio = original.pricePerHour === 0 ? 'for nothing' : percent(ours.pricePerHour / original.pricePerHour);
  const prices = `${ours.pricePerHour.toFixed(4)} $/h on ${ours.plannedNodes} nodes, the original ${original.pricePerHour.toFixed(4)} on ${original.plannedNodes}`;
  const weights = unmet === undefined ? '' : `  unmet preferences weigh ${unmet.ours}, the original's ${unmet.original}`;
  return `${id}  ${verdict}  ${prices}  ${ratio}${weights}`;
};

/** JSON, or what differs without an accepted reason and the table. */
export const comparisonText = (files: readonly FileComparisons[], isJson: boolean): string => {
  if (isJson) return JSON.stringify(files, null, 2);
  const differing = files.flatMap(({ comparisons }) => comparisons.filter(isUnexplained));
  return [...differing.map(differenceLine), comparisonTable(files)].join('\n');
};
