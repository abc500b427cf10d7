import { expect, test } from '@jest/globals';
import { leavingExcess } from './pool-usage.ts';

const share = (nodePoolName: string, cpu: number, memory = 0) => ({ nodePoolName, resources: { cpu, memory, nodes: 1 } });

test.each([
  ['what the smaller replacement lacks', [share('p', 8, 4)], [share('p', 2, 6)], [['p', { cpu: 6 }]]],
  ['everything as long as nothing has come', [share('p', 8)], [], [['p', { cpu: 8, nodes: 1 }]]],
  ['nothing beside larger replacements', [share('p', 2)], [share('p', 2), share('p', 4)], [['p', {}]]],
  [
    'each pool by itself',
    [share('p', 8), share('q', 4)],
    [share('q', 4)],
    [
      ['p', { cpu: 8, nodes: 1 }],
      ['q', {}],
    ],
  ],
])('an exchange reserves %s', (...[, leaving, coming, expected]) => {
  expect([...leavingExcess(leaving, coming)]).toEqual(expected);
});
