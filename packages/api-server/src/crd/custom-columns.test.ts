import { expect, test } from '@jest/globals';
import type { StoredObject } from '../store/stored-object.ts';
import { customColumns } from './custom-columns.ts';

const object = {
  ...{ apiVersion: 'example.com/v1', kind: 'Pool', metadata: { name: 'general' } },
  ...{ spec: { weight: 7 }, status: { conditions: [{ type: 'Ready' }, { type: 'Launched' }] } },
} as unknown as StoredObject;

// As kube-apiserver 1.35.4 prints them.
test.each([
  ['a path that finds several › the first', { type: 'string', jsonPath: '.status.conditions[*].type' }, 'Ready'],
  ['a number in a column of text › a text', { type: 'string', jsonPath: '.spec.weight' }, '7'],
  ['an object in a column of text › its JSON', { type: 'string', jsonPath: '.status.conditions[0]' }, '{"type":"Ready"}'],
  ['a number in a column of numbers › the number', { type: 'integer', jsonPath: '.spec.weight' }, 7],
  ['a path that finds nothing › nothing', { type: 'string', jsonPath: '.spec.note' }, null],
])('a column of a custom resource has for %s', (_, definition, expected) => {
  const cells = customColumns([{ name: 'Column', ...definition }]).map(({ cell }) => cell(object, 0));
  expect(cells.at(-1)).toBe(expected);
});
