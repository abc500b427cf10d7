import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { convertCommand } from './convert-command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convert-'));
});
afterAll(() => rm(folder, { recursive: true }));

const run = async (argv: readonly string[], input = ''): Promise<{ code: number; out: string; complaints: readonly string[] }> => {
  const out: string[] = [];
  const complaints: string[] = [];
  const code = await convertCommand(argv, {
    stdin: Readable.from([input]),
    out: (text) => out.push(text),
    complain: (line) => complaints.push(line),
  });
  return { code, out: out.join(''), complaints };
};

const nodeClass = 'apiVersion: karpenter.azure.com/v1alpha2\nkind: AKSNodeClass\nmetadata:\n  name: a\nspec: {}\n';

test('standard input is converted to standard output', async () => {
  expect(await run([], nodeClass)).toEqual({ code: 0, out: nodeClass.replace('v1alpha2', 'v1beta1'), complaints: [] });
});

test('several files become one stream of documents', async () => {
  const files = [join(folder, 'a.yaml'), join(folder, 'b.yaml')];
  for (const file of files) await writeFile(file, nodeClass);
  expect((await run(files)).out.split('---\n')).toHaveLength(2);
});

test('a file that is missing: nothing is written, and the file is named', async () => {
  const { code, out, complaints } = await run(['-', join(folder, 'none.yaml')], nodeClass);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(complaints).toEqual([expect.stringContaining('none.yaml cannot be read: ENOENT')]);
});

test('a flag is refused', async () => {
  expect(await run(['--to', 'v1'])).toMatchObject({ code: 2, complaints: [expect.stringContaining('takes files, and no flags: --to')] });
});

test('--help says what it does', async () => {
  expect((await run(['--help'])).out).toContain('karpenter convert [FILE ...]');
});
