import { readFileSync, writeFileSync } from 'node:fs';
import { repository } from '../repository.ts';
import { FORM_GROUPS, type Form } from './forms.ts';

const PAGE = repository('docs/kubectl.md');
const [BEGIN, END] = ['<!-- begin of what the test wrote -->', '<!-- end of what the test wrote -->'];

/** Where a form is refused: its command → the line that says why. */
export type Refusals = ReadonlyMap<string, string>;

const escaped = (text: string): string => text.replaceAll('|', '\\|');

const rowOf = ({ command, input, isRefused }: Form, refusals: Refusals): string => {
  const shown = `\`kubectl ${escaped(command)}\`${input === undefined ? '' : ` (${input})`}`;
  return `| ${shown} | ${isRefused === true ? `refused: \`${escaped(refusals.get(command) ?? '')}\`` : 'works'} |`;
};

/** How many of the forms work, and how each is answered, as Markdown. */
const tablesOf = (refusals: Refusals): string => {
  const all = FORM_GROUPS.flatMap(({ forms }) => forms);
  const working = all.filter(({ isRefused }) => isRefused !== true).length;
  const tables = FORM_GROUPS.map(({ title, forms }) =>
    [`## ${title}`, '', '| Form | |', '|---|---|', ...forms.map((form) => rowOf(form, refusals))].join('\n'),
  );
  return [`${working} of ${all.length} forms work.`, ...tables].join('\n\n');
};

/** The page as found, and as it should be after a run. */
export const formsPage = (refusals: Refusals): { readonly current: string; readonly expected: string } => {
  const current = readFileSync(PAGE, 'utf8');
  const [before = ''] = current.split(BEGIN);
  const [, after = ''] = current.split(END);
  return { current, expected: `${before}${BEGIN}\n\n${tablesOf(refusals)}\n\n${END}${after}` };
};

export const writeFormsPage = (text: string): void => {
  writeFileSync(PAGE, text);
};
