import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PlainQuestion } from '../compare-original/plain-question.ts';
import { go, newModule } from '../go/go-module.ts';
import { repository } from '../repository.ts';
import type { NewQuestion } from './new-question.ts';

const NAME = 'original-answerer';
const sources = repository(`tools/src/go/${NAME}`);

/** The release of the original whose scheduler answers. */
const ANSWERING_VERSION = '1.14.1';

/** Its sources decide where it is kept, so that a change of them builds another. */
const digestOfSources = (): string => {
  const hash = createHash('sha256');
  for (const name of readdirSync(sources).sort()) hash.update(name).update(readFileSync(join(sources, name)));
  return hash.digest('hex').slice(0, 12);
};

/**
 * The program that plans with the original's scheduler. Builds it of published Go modules if the cache does not have it,
 * which takes two to four minutes on two cores; needs Go.
 */
export const ensureAnswerer = (cache: string): string => {
  const path = join(cache, `${NAME}-${ANSWERING_VERSION}-${digestOfSources()}`, NAME);
  if (existsSync(path)) return path;
  process.stderr.write(`building the scheduler of the original, ${ANSWERING_VERSION}\n`);
  using module = newModule('module original\n\ngo 1.25.0\n');
  cpSync(sources, join(module.folder, NAME), { recursive: true });
  go(module.folder, 'get', `sigs.k8s.io/karpenter@v${ANSWERING_VERSION}`);
  mkdirSync(dirname(path), { recursive: true });
  go(module.folder, 'build', '-o', path, `./${NAME}`);
  return path;
};

/** A question that the original's scheduler failed at. */
export interface Unanswered {
  readonly id: string;
  readonly error: string;
}

interface AnswerLine {
  readonly id: string;
  readonly answer?: PlainQuestion['answer'];
  readonly error?: string;
}

/** Questions with the original's answers, and those without one. */
export interface OriginalAnswers {
  readonly answered: readonly PlainQuestion[];
  readonly unanswered: readonly Unanswered[];
}

/** How much the program may print. */
const MOST_BYTES = 2 ** 30;

/** Asks the program all questions, one after the other. */
export const askOriginal = (program: string, questions: readonly NewQuestion[]): OriginalAnswers => {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const { status, stdout, error } = spawnSync(program, {
    ...{ input, encoding: 'utf8', maxBuffer: MOST_BYTES },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ended with status ${status ?? 'none'}`);
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AnswerLine);
  const asked = new Map(questions.map((question) => [question.id, question]));
  return {
    answered: lines.flatMap(({ id, answer }) => {
      const question = asked.get(id);
      return question === undefined || answer === undefined ? [] : [{ ...question, answer }];
    }),
    unanswered: lines.flatMap(({ id, error: reason }) => (reason === undefined ? [] : [{ id, error: reason }])),
  };
};
