import type { Fence } from './fence.ts';

/** What a person types on a page: a script of bash, and what the page says that its commands answer. */
export interface PageScript {
  readonly script: string;
  /** File that the script writes → what has to be in it. */
  readonly answers: Readonly<Record<string, string>>;
}

interface Shown {
  readonly command: string;
  readonly answer: string;
}

/** `$ command`, then what it answers, as often as it stands in a block. */
const shownIn = (text: string): readonly Shown[] =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { command: part.slice(0, end), answer: part.slice(end + 1) };
    });

/** The blocks of one page as one script. Blocks of `console` may fail, since that is what they show. */
export const pageScriptOf = (fences: readonly Fence[]): PageScript => {
  const answers: Record<string, string> = {};
  const lines = fences.flatMap(({ language, text }) =>
    language === 'sh'
      ? [text]
      : shownIn(text).map(({ command, answer }) => {
          const file = `answer-${Object.keys(answers).length}.txt`;
          answers[file] = answer;
          return `{ ${command}; } > ${file} 2>&1 || true\n`;
        }),
  );
  return { script: lines.join(''), answers };
};
