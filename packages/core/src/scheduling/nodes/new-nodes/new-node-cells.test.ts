import { expect, test } from '@jest/globals';
import { UNSETTLED } from '../../topology/domain-table.ts';
import { NewNodeCells, NumberSet } from './new-node-index.ts';

const ZONE = 0;
const RACK = 2;

const cellsOf = (keys: readonly number[]): NewNodeCells => new NewNodeCells(keys, () => new NumberSet());

test('there is one cell for each combination of domains, numbered as they come; laid out again, only those of new domains come', () => {
  const cells = cellsOf([ZONE, RACK]);
  cells.layOut([new Set([7]), new Set([1, 2])]);
  expect(cells.all.map(({ number, domainOf }) => [number, domainOf(ZONE), domainOf(RACK)])).toEqual([
    [0, 7, 1],
    [1, 7, 2],
  ]);
  cells.layOut([new Set([7]), new Set([1, 2])]);
  expect(cells.all).toHaveLength(2);
  cells.layOut([new Set([7, 8]), new Set([1, 2])]);
  expect(cells.all.slice(2).map(({ number, domainOf }) => [number, domainOf(ZONE), domainOf(RACK)])).toEqual([
    [2, 8, 1],
    [3, 8, 2],
  ]);
});

test('a cell is found again by its domains, whoever asked first', () => {
  const cells = cellsOf([ZONE]);
  const known = cells.of([3]);
  cells.layOut([new Set([3, UNSETTLED])]);
  expect(cells.of([3])).toBe(known);
  expect(cells.all.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test('without keys all new nodes are in one cell', () => {
  const cells = cellsOf([]);
  cells.layOut([]);
  expect(cells.all.map(({ number, sets }) => [number, sets])).toEqual([[0, []]]);
});
