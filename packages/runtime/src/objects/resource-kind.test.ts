import { expect, test } from '@jest/globals';
import { kindTable } from './resource-kind.ts';

const service = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true };

test('a kind that two parts of a program read stands in the table once', () => {
  expect([...kindTable([service, { ...service }])]).toEqual([['Service', service]]);
});

test('one name for kinds of two groups is a bug of the caller', () => {
  expect(() => kindTable([service, { ...service, group: 'serving.example.com' }])).toThrow('two resource kinds have one name');
});
