import { expect, test } from '@jest/globals';
import { checkKnobs } from './check-knobs.ts';

test.each([
  ['nothing stated', {}],
  [
    'all stated',
    { launchTimeoutMs: 1_200_000, defaultTerminationGracePeriod: '24h', unsupportedVolumes: { provisioners: new Set(['a.csi.dev']) } },
  ],
])('R37 is kept with %s', (_, knobs) => {
  expect(() => checkKnobs(knobs)).not.toThrow();
});

test.each([
  ['a launch timeout in seconds', { launchTimeoutMs: 300 }],
  ['a grace period that is no duration', { defaultTerminationGracePeriod: 'a day' }],
  ['a list of provisioners', { unsupportedVolumes: { provisioners: ['a.csi.dev'] as unknown as ReadonlySet<string> } }],
])('R37 is broken by %s', (_, knobs) => {
  expect(() => checkKnobs(knobs)).toThrow();
});
