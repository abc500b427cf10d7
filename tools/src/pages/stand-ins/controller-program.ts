import { convertCommand } from '../../../../apps/controller/src/convert/convert-command.ts';
import { assertUseful } from './assert-useful.ts';

/** `node apps/controller/dist/main.js convert …` converts. */
export const node = async ([file, verb, ...files]: readonly string[]): Promise<void> => {
  assertUseful(file === 'apps/controller/dist/main.js' && verb === 'convert', `node ${String(file)} ${String(verb)}`);
  const code = await convertCommand(files, {
    stdin: process.stdin,
    out: (text) => process.stdout.write(text),
    complain: (line) => process.stderr.write(`${line}\n`),
  });
  assertUseful(code === 0, `convert ended with ${code}`);
};
