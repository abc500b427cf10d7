import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { jsonPatch } from './json-patch.ts';

const target: JsonObject = { metadata: { name: 'a' }, l: [1, 2, 3] };

describe('a JSON Patch', () => {
  test.each<[string, JsonObject]>([
    ['an operation of the library alone', { op: '_get', path: '/metadata' }],
    ['an operation that every object has', { op: 'toString', path: '/metadata' }],
    ['a copy of the length of a list', { op: 'copy', from: '/l/length', path: '/count' }],
    ['a copy of the length of a text', { op: 'copy', from: '/metadata/name/length', path: '/count' }],
    ['a move of what is not there', { op: 'move', from: '/gone', path: '/count' }],
  ])('with %s › Invalid', (_, step) => {
    expect(() => jsonPatch(target, [step])).toThrow(expect.objectContaining({ code: 'Invalid' }));
  });

  test('that changes what it copied or added › neither the source nor the patch changes', () => {
    const patch: JsonValue = [
      { op: 'copy', from: '/metadata', path: '/copied' },
      { op: 'replace', path: '/copied/name', value: 'b' },
      { op: 'add', path: '/added', value: { x: 1 } },
      { op: 'add', path: '/added/y', value: 2 },
      { op: 'move', from: '/l', path: '/moved' },
    ];
    const before = structuredClone(patch);
    expect(jsonPatch(target, patch)).toEqual({
      ...{ metadata: { name: 'a' }, copied: { name: 'b' }, added: { x: 1, y: 2 }, moved: [1, 2, 3] },
    });
    expect([target, patch]).toEqual([{ metadata: { name: 'a' }, l: [1, 2, 3] }, before]);
  });
});
