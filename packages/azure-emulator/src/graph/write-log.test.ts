import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { WriteLog } from './write-log.ts';

const resource = (name: string, owner: string) => ({
  id: `/x/${name}`,
  name,
  type: 'T',
  location: 'eastus',
  tags: { owner },
  properties: {},
});

test('each resource is seen as it stood a while ago', async () => {
  const clock = fakeClock();
  const log = new WriteLog(clock, 1_000);
  const seen = () => log.visible().map((row) => `${row.name} ${row.tags?.['owner'] ?? ''}`);
  log.wrote(resource('b', 'first'));
  await clock.advance(600);
  log.wrote(resource('a', 'only'));
  log.wrote(resource('b', 'second'));
  expect(seen()).toEqual([]);
  await clock.advance(400);
  expect(seen()).toEqual(['b first']);
  await clock.advance(600);
  log.deleted('/X/a');
  expect(seen()).toEqual(['a only', 'b second']);
  await clock.advance(1_000);
  expect(seen()).toEqual(['b second']);
});
