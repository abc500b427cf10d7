import { expect, test } from '@jest/globals';
import { shellAssignments } from './shell-assignments.ts';

test.each([
  ['plain', 'A=1', { A: '1' }],
  ['several on a line', 'A=1 B=2; C=3 && D=4', { A: '1', B: '2', C: '3', D: '4' }],
  ['double quotes', 'A="x y=\\"z\\""', { A: 'x y="z"' }],
  ['single quotes keep backslashes', "A='x\\y'", { A: 'x\\y' }],
  ['quotes in the middle', 'A=--f="a b"c', { A: '--f=a bc' }],
  ['line continuations', 'A=1 \\\nB="x\\\ny"', { A: '1', B: 'xy' }],
  ['exports', 'export A=1', { A: '1' }],
  ['comments', 'A=1 # B=2', { A: '1' }],
  ['a hash inside a word', 'A=x#y', { A: 'x#y' }],
  ['the last of a name wins', 'A=1\nA=2', { A: '2' }],
  ['expansions stay as they are', 'A="$(date +%s)"', { A: '$(date +%s)' }],
  ['an empty value', 'A="" B=', { A: '', B: '' }],
])('%s', (_case, script, expected) => {
  expect(Object.fromEntries(shellAssignments(script))).toEqual(expected);
});
