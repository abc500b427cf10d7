import { describe, expect, test } from '@jest/globals';
import { convertDocuments } from '../convert/convert-documents.ts';
import { readManifests } from './manifests.ts';

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e'].map((name, index) => {
    const before = 'abcd'[index] ?? '';
    return `${name}: &${name} [${Array(10).fill(`*${before}`).join(', ')}]`;
  }),
].join('\n');

describe('YAML whose aliases cannot be resolved is refused by a sentence that names the file:', () => {
  test.each([
    ['a List that contains itself', '&a\napiVersion: v1\nkind: List\nitems: [*a]\n', 'an alias stands for something that contains it'],
    [
      'an object that contains itself',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: &a\n  name: x\n  own: *a\n',
      'an alias stands for something that contains it',
    ],
    ['aliases that repeat aliases', `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n${bomb}\n`, 'its aliases repeat too much'],
    ['an alias that stands for nothing', 'kind: Pod\nmetadata: *x\n', 'Unresolved alias (the anchor must be set before the alias): x'],
    ['a merge of YAML 1.1 with a number', '%YAML 1.1\n---\nkind: Pod\n<<: 5\n', 'Merge sources must be maps or map aliases'],
  ])('%s', async (_, text, problem) => {
    await expect(readManifests(['f.yaml'], () => Promise.resolve(text))).rejects.toMatchObject({
      name: 'CommandError',
      message: `f.yaml cannot be read: ${problem}`,
    });
    expect(convertDocuments(text, 'f.yaml')).toEqual({ ok: false, problems: [`f.yaml: ${problem}`] });
  });

  test('an alias that stands for another part is read', async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: &a {b: c}\nmore: *a\n';
    expect(await readManifests(['f.yaml'], () => Promise.resolve(text))).toMatchObject([{ data: { b: 'c' }, more: { b: 'c' } }]);
  });
});
