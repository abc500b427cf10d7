import { expect, test } from '@jest/globals';
import { runCommand } from '../testing/run-command.ts';

const nodeClass = 'apiVersion: karpenter.azure.com/v1alpha2\nkind: AKSNodeClass\nmetadata:\n  name: a\nspec: {}\n';
const files = { '-': nodeClass, 'a.yaml': nodeClass, 'b.yaml': nodeClass };

test('standard input is converted to standard output', async () => {
  const expected = { code: 0, out: nodeClass.replace('v1alpha2', 'v1beta1'), complaints: [] };
  expect(await runCommand('convert', { files })).toEqual(expected);
  expect(await runCommand('convert -', { files })).toEqual(expected);
});

test('several files become one stream of documents', async () => {
  expect((await runCommand('convert a.yaml b.yaml', { files })).out.split('---\n')).toHaveLength(2);
});

test('a file that is missing › nothing is written, and the file is named', async () => {
  const { code, out, complaints } = await runCommand('convert - none.yaml', { files });
  expect({ code, out }).toEqual({ code: 3, out: '' });
  expect(complaints).toEqual([expect.stringContaining('none.yaml cannot be read: there is no such file')]);
});

test('an object that has to be mended by hand › it is written, and the exit code is 1', async () => {
  const withoutClass = 'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: a}\nspec: {}\n';
  const { code, out, complaints } = await runCommand('convert p.yaml', { files: { 'p.yaml': withoutClass } });
  expect(code).toBe(1);
  expect(out).toContain('kind: NodePool');
  expect(complaints).toContainEqual(expect.stringContaining('spec.providerRef: is missing'));
});

test('a flag is refused', async () => {
  expect(await runCommand('convert --to v1')).toMatchObject({
    code: 2,
    complaints: [expect.stringContaining("unknown option '--to'"), expect.anything()],
  });
});
