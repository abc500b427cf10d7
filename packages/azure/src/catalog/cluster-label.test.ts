import { expect, test } from '@jest/globals';
import { clusterLabelOf } from './label-values.ts';

test.each([
  ['MC_rg_main_eastus', 'MC_rg_main_eastus'],
  ['MC_(rg)_main', 'MC_-rg-_main'],
  ['MC_rg_', 'MC_rg_z'],
  [`${'a'.repeat(62)}_b`, `${'a'.repeat(62)}z`],
])('%s becomes %s', (group, label) => {
  expect(clusterLabelOf(group)).toBe(label);
});
