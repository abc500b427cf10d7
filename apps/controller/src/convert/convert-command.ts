import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type ConvertedText, convertDocuments } from './convert-documents.ts';

const convertHelp = [
  'karpenter convert [FILE ...]: writes manifests of former versions (Provisioner v1alpha5, NodePool and NodeClaim v1beta1,',
  'AKSNodeClass v1alpha2) in the current one. Without a file, or for -, it reads standard input. YAML goes to standard output;',
  'what could not be carried over, or means something else now, to standard error, a line each. Objects of other kinds come back',
  'as they are, with a line for each name in them that Karpenter no longer knows.',
].join('\n');

/** Where a command reads and writes. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream;
  readonly out: (text: string) => void;
  readonly complain: (line: string) => void;
}

const read = async (file: string, { stdin }: Streams): Promise<string> => (file === '-' ? text(stdin) : readFile(file, 'utf8'));

const reasonOf = (error: unknown): string => String(error).replace(/^Error: /, '');

const convertFile = async (file: string, streams: Streams): Promise<ConvertedText> => {
  const source = file === '-' ? 'standard input' : file;
  try {
    return convertDocuments(await read(file, streams), source);
  } catch (error) {
    return { ok: false, problems: [`${source} cannot be read: ${reasonOf(error)}`] };
  }
};

/** `karpenter convert`: nothing is written to standard output unless all of the input could be read. */
export const convertCommand = async (argv: readonly string[], streams: Streams): Promise<ExitCode> => {
  if (argv.includes('--help')) {
    streams.out(`${convertHelp}\n`);
    return EXIT.ok;
  }
  const flags = argv.filter((argument) => argument.startsWith('-') && argument !== '-');
  if (flags.length > 0) {
    streams.complain(`convert takes files, and no flags: ${flags.join(' ')}; --help says more`);
    return EXIT.usage;
  }
  const answers: ConvertedText[] = [];
  for (const file of argv.length === 0 ? ['-'] : argv) answers.push(await convertFile(file, streams));
  for (const line of answers.flatMap((answer) => (answer.ok ? answer.notes : answer.problems))) streams.complain(line);
  const texts = answers.flatMap((answer) => (answer.ok ? [answer.text] : []));
  if (texts.length < answers.length) return EXIT.failed;
  streams.out(texts.join('---\n'));
  return EXIT.ok;
};
