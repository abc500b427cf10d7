import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
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

/** The questions of one gzipped file, one a line. Empty where the folder has no such file. */
export function* questionsIn({ folder, name, ids }: QuestionFile): Generator<OriginalQuestion> {
  const path = join(folder, `${name}.jsonl.gz`);
  if (!existsSync(path)) return;
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  const wanted = lines.filter((line) => line !== '' && (ids === undefined || ids.has(idOf(line))));
  const typesOf = suiteTypes(join(folder, `${name}-types.json.gz`));
  for (const line of wanted) yield questionOf(JSON.parse(line) as RecordedQuestion, typesOf);
}
