/**
 * Plans for questions that the original Karpenter has answered and prints how the plans differ: `pnpm compare:original
 * [FOLDER] [--file NAME] [--question ID] [--json]`. FOLDER holds files as those of `tools/data/original`, which are the
 * default. Fails where our plan breaks a rule, places fewer pods, or costs more for as many, unless the difference is
 * accepted.
 */
import { parseArgs } from 'node:util';
import { comparisonText, isUnexplained } from './compare-original/comparison-report.ts';
import type { FileComparisons } from './compare-original/comparison-report.ts';
import { compareWithOriginal } from './compare-original/comparison.ts';
import { questionFiles, questionsIn, recordedQuestions } from './compare-original/question-file.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string', multiple: true }, question: { type: 'string', multiple: true }, json: { type: 'boolean' } },
});
const [folder = recordedQuestions] = positionals;
const ids = values.question === undefined ? {} : { ids: new Set(values.question) };

const files: FileComparisons[] = [];
for (const name of values.file ?? questionFiles) {
  const comparisons = [...questionsIn({ folder, name, ...ids })].map(compareWithOriginal);
  if (comparisons.length > 0) files.push({ file: name, comparisons });
}
console.log(comparisonText(files, values.json === true));
const isExplained = files.every(({ comparisons }) => !comparisons.some(isUnexplained));
process.exitCode = files.length > 0 && isExplained ? 0 : 1;
