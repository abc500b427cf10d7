import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { differencesOf } from './differences.ts';
import type { RecordedCase } from './differences.ts';

/** What kube-scheduler 1.35 answered: `pnpm compare:devices --record`. */
const recorded = JSON.parse(readFileSync(new URL('recorded-devices.json', import.meta.url), 'utf8')) as readonly RecordedCase[];

describe('pods with device claims are placed where kube-scheduler placed them', () => {
  test.each(recorded.map((each, index) => [index, each] as const))('in case %i', async (_, each) => {
    expect(await differencesOf(each)).toEqual([]);
  });

  test('in cases of both outcomes', () => {
    const pods = recorded.flatMap(({ answers }) => answers.map(({ isPlaced }) => isPlaced));
    expect(pods.filter((isPlaced) => isPlaced).length).toBeGreaterThan(40);
    expect(pods.filter((isPlaced) => !isPlaced).length).toBeGreaterThan(30);
  });
});
