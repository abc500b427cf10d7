import { describe, expect, test } from '@jest/globals';
import { capacityBufferProblems, isBufferActive } from './capacity-buffer.ts';
import type { CapacityBuffer } from './capacity-buffer.ts';

const mondays = { schedule: '30 6 * * mon', duration: '3h', 'time-zone': 'Europe/Berlin' };

const bufferWith = (
  said: Readonly<Record<string, string>> = {},
  spec: CapacityBuffer['spec'] = { podTemplateRef: { name: 'a' } },
): CapacityBuffer => ({
  apiVersion: 'autoscaling.x-k8s.io/v1beta1',
  kind: 'CapacityBuffer',
  metadata: {
    name: 'spare',
    namespace: 'default',
    annotations: Object.fromEntries(Object.entries(said).map(([name, value]) => [`karpenter.sh/capacity-buffer-${name}`, value])),
  },
  spec,
});

describe('a buffer with a schedule counts', () => {
  test.each([
    ['before its window', '2026-01-12T05:29:59Z', false],
    ['from the hit of its schedule on, by the clock of its zone', '2026-01-12T05:30:00Z', true],
    ['until its duration is over', '2026-01-12T08:29:59Z', true],
    ['after it', '2026-01-12T08:30:00Z', false],
    ['an hour earlier by UTC, in summer', '2026-07-13T04:30:00Z', true],
    ['on another day', '2026-01-13T06:00:00Z', false],
  ])('%s: %s → %s', (_, moment, expected) => expect(isBufferActive(bufferWith(mondays), Date.parse(moment))).toBe(expected));

  test('always, where there is none', () => expect(isBufferActive(bufferWith(), 0)).toBe(true));

  test.each([{ schedule: 'mondays', duration: '3h' }, { schedule: '@daily' }, { duration: '3h' }, { ...mondays, 'time-zone': 'Mars' }])(
    'never, where it is malformed: %j',
    (said) => {
      expect(isBufferActive(bufferWith(said), Date.parse('2026-01-12T06:00:00Z'))).toBe(false);
      expect(capacityBufferProblems(bufferWith(said))).toHaveLength(1);
    },
  );
});

describe('a buffer is malformed', () => {
  test.each<[string, CapacityBuffer['spec'], string]>([
    ['without a reference', { replicas: 1 }, 'spec'],
    ['with two', { podTemplateRef: { name: 'a' }, scalableRef: { kind: 'Deployment', name: 'a' } }, 'spec'],
    ['with a limit that is no quantity', { podTemplateRef: { name: 'a' }, limits: { cpu: 'many' } }, 'spec.limits.cpu'],
    ['of a strategy of others', { podTemplateRef: { name: 'a' }, provisioningStrategy: 'cold' }, 'spec.provisioningStrategy'],
  ])('%s', (_, spec, field) => expect(capacityBufferProblems(bufferWith({}, spec)).map((each) => each.field)).toEqual([field]));
});
