import { expect } from 'expect';
import { ModuleMocker } from 'jest-mock';

/**
 * Stands for `@jest/globals` where tests run in the process that loads them: `describe` and `test` collect, `expect` is
 * Jest's own, and `jest` its spies and functions.
 */
const jest = new ModuleMocker(globalThis);
const collected = [];
const path = [];

const describe = (name, body) => {
  path.push(name);
  body();
  path.pop();
};

const test = (name, run) => collected.push({ name: [...path, name].join(' > '), run });

/** Rows have numbers for names: what a title would say of its row does not matter here. */
const each = (add) => (rows) => (name, body) =>
  rows.forEach((row, index) => add(`${name} #${index}`, () => body(...(Array.isArray(row) ? row : [row]))));

describe.each = each(describe);
test.each = each(test);

/** The tests of a file, once it was imported: name → what runs it. */
export const takeCollected = () => collected.splice(0);

export { describe, expect, jest, test };
