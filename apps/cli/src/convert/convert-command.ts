import { COMMAND_EXIT, type CommandExitCode, reasonOf } from '../exit-code.ts';
import type { World } from '../command/world.ts';
import { type ConvertedText, convertDocuments } from './convert-documents.ts';

const convertFile = async (file: string, { readText }: World): Promise<ConvertedText> => {
  const source = file === '-' ? 'standard input' : file;
  try {
    return convertDocuments(await readText(file), source);
  } catch (error) {
    return { ok: false, problems: [`${source} cannot be read: ${reasonOf(error)}`] };
  }
};

/** `karpenter convert`: nothing is written to standard output unless all of the input could be read. */
export const runConvert = async (files: readonly string[], world: World): Promise<CommandExitCode> => {
  const answers: ConvertedText[] = [];
  for (const file of files.length === 0 ? ['-'] : files) answers.push(await convertFile(file, world));
  for (const line of answers.flatMap((answer) => (answer.ok ? answer.notes : answer.problems))) world.complain(line);
  const converted = answers.filter((answer) => answer.ok);
  if (converted.length < answers.length) return COMMAND_EXIT.unreadable;
  world.out.write(converted.map(({ text }) => text).join('---\n'));
  return converted.every(({ canBeApplied }) => canBeApplied) ? COMMAND_EXIT.ok : COMMAND_EXIT.negative;
};
