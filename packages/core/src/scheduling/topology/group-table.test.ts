import { expect, test } from '@jest/globals';
import { finish } from '../../base/index.ts';
import { HOST } from './domain-table.ts';
import { GroupTable } from './group.ts';
import { range } from '../../testing/range.ts';
const pod = { namespace: 'home', labels: {} };

test('groups of a pod come by what they count, and texts are not compared for each pod again', () => {
  let reads = 0;
  const table = new GroupTable();
  for (const index of range(500)) {
    const text = `term ${String((index * 7) % 500).padStart(3, '0')}`;
    const matcher = {
      get text() {
        reads += 1;
        return text;
      },
      matches: () => true,
      indexKeys: [],
    };
    table.intern('carriers', { key: HOST, topologyKey: 'kubernetes.io/hostname', matcher });
  }
  finish(table.ranking());
  reads = 0;
  const found = range(20).map(() => table.keepingOff(pod));
  expect(reads).toBe(0);
  expect(found[0]?.map(({ matcher }) => matcher.text)).toEqual(range(500).map((place) => `term ${String(place).padStart(3, '0')}`));
});
