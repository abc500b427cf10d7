/**
 * Makes new planning questions, gets the answers of the original Karpenter's scheduler, and prints how our plans
 * differ: `pnpm ask:original --wild SEED --cross SEED COUNT`. `--wild` draws questions with all that pods and pools may
 * say, `--cross` new combinations of recorded ones. Both draw COUNT of them (100 if it is left out). The same seed
 * makes the same questions. Builds the original's scheduler from published Go modules (`KARPENTER_BENCH_CACHE` names
 * the folder), and keeps questions and answers beside it: `pnpm compare:original` reads them again. `--json` prints
 * JSON. Fails where our plan breaks a rule; what else differs is to be read.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crossQuestions } from './ask-original/cross-question.ts';
import { wildQuestion } from './ask-original/new-question.ts';
import type { QuestionMaker } from './ask-original/new-question.ts';
import { askOriginal, ensureAnswerer } from './ask-original/original-answers.ts';
import { defaultCache } from './bench/original/programs.ts';
import { comparisonText } from './compare-original/comparison-report.ts';
import type { FileComparisons } from './compare-original/comparison-report.ts';
import { compareWithOriginal } from './compare-original/comparison.ts';
import { plainQuestion } from './compare-original/plain-question.ts';
import { plainQuestionsIn, recordedQuestions, writeQuestions } from './compare-original/question-file.ts';

const log = (text: string): void => void process.stderr.write(`${text}\n`);

const wholeNumber = (text: string, what: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new Error(`${what} is a whole number, not ${text}`);
  return number;
};

const recorded = (name: string) => plainQuestionsIn({ folder: recordedQuestions, name });

const makers: Readonly<Record<string, () => QuestionMaker>> = {
  wild: () => wildQuestion,
  cross: () => crossQuestions({ withNodes: recorded('random-clusters'), withoutNodes: recorded('random-pods') }),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { wild: { type: 'string' }, cross: { type: 'string' }, json: { type: 'boolean' } },
});
const [countText = '100'] = positionals;
const count = wholeNumber(countText, 'COUNT');
const kinds = (['wild', 'cross'] as const).flatMap((kind) => (values[kind] === undefined ? [] : [{ kind, seed: values[kind] }]));
if (kinds.length === 0) throw new Error('--wild SEED or --cross SEED says which questions are made');

const cache = defaultCache();
const program = ensureAnswerer(cache);

const files: FileComparisons[] = [];
for (const { kind, seed: seedText } of kinds) {
  const seed = wholeNumber(seedText, `--${kind}`);
  const make = makers[kind]?.();
  const questions = make === undefined ? [] : Array.from({ length: count }, (_, index) => make(seed, index));
  const { answered, unanswered } = askOriginal(program, questions);
  for (const { id, error } of unanswered) log(`${id}  has no answer: ${error}`);
  const folder = join(cache, 'questions');
  const name = `${kind}-${seed}-${count}`;
  log(`${writeQuestions({ folder, name }, answered)}: pnpm compare:original ${folder} --file ${name} --question ID`);
  files.push({ file: name, comparisons: answered.map((question) => compareWithOriginal(plainQuestion(question))) });
}

console.log(comparisonText(files, values.json === true));
process.exitCode = files.some(({ comparisons }) => comparisons.some(({ verdict }) => verdict === 'unsound')) ? 1 : 0;
