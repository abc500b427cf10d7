import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { repository } from '../repository.ts';
import { deviceQuestion } from './device-question.ts';
import type { DeviceQuestion } from './device-question.ts';
import type { OriginalQuestion } from './question.ts';
import { plainQuestion } from './plain-question.ts';
import type { PlainQuestion } from './plain-question.ts';
import { suiteQuestion } from './suite-question.ts';
import type { SuiteQuestion } from './suite-question.ts';
import { suiteTypes } from './suite-types.ts';

/** The questions that come with the repository; `tools/data/README.md` says where they are from. */
export const recordedQuestions = repository('tools/data/original');

/** Files of questions, without their ending `.jsonl.gz`. Each is left out where a folder lacks it. */
export const questionFiles = ['random-pods', 'random-clusters', 'realistic', 'suite', 'device-allocation'] as const;

type RecordedQuestion = PlainQuestion | SuiteQuestion | DeviceQuestion;

const isSuite = (question: object): question is SuiteQuestion => 'typesOf' in question;

const isAboutDevices = (question: object): question is DeviceQuestion => 'resourceSlices' in question;

const questionOf = (recorded: RecordedQuestion, typesOf: ReturnType<typeof suiteTypes>): OriginalQuestion => {
  if (isAboutDevices(recorded)) return deviceQuestion(recorded);
  return isSuite(recorded) ? suiteQuestion(recorded, typesOf) : plainQuestion(recorded);
};

/** Which lines of a file are read: those whose question `ids` names, or all. */
export interface QuestionFile {
  readonly folder: string;
  readonly name: string;
  readonly ids?: ReadonlySet<string>;
}

/** Every id stands first on its line; so a line that is not asked for need not be parsed. */
const idOf = (line: string): string => /^\{"id":"([^"]*)"/.exec(line)?.[1] ?? '';

const pathOf = ({ folder, name }: QuestionFile): string => join(folder, `${name}.jsonl.gz`);

/** The questions as they were recorded. Empty where the folder has no such file. */
function* recordedIn({ ids, ...file }: QuestionFile): Generator<RecordedQuestion> {
  const path = pathOf(file);
  if (!existsSync(path)) return;
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  const wanted = lines.filter((line) => line !== '' && (ids === undefined || ids.has(idOf(line))));
  for (const line of wanted) yield JSON.parse(line) as RecordedQuestion;
}

/** The questions of one gzipped file, one a line. Empty where the folder has no such file. */
export function* questionsIn(file: QuestionFile): Generator<OriginalQuestion> {
  const typesOf = suiteTypes(join(file.folder, `${file.name}-types.json.gz`));
  for (const recorded of recordedIn(file)) yield questionOf(recorded, typesOf);
}

/** The random and realistic questions of one file, as they were recorded. */
export const plainQuestionsIn = (file: QuestionFile): readonly PlainQuestion[] =>
  [...recordedIn(file)].filter((question): question is PlainQuestion => !isSuite(question) && !isAboutDevices(question));

/** Writes random questions with their answers into a file that `questionsIn` reads. Returns its path. */
export const writeQuestions = (file: QuestionFile, questions: readonly PlainQuestion[]): string => {
  // Every id stands first on its line.
  const lines = questions.map(({ id, ...rest }) => `${JSON.stringify({ id, ...rest })}\n`);
  mkdirSync(file.folder, { recursive: true });
  writeFileSync(pathOf(file), gzipSync(lines.join('')));
  return pathOf(file);
};
