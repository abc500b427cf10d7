import { describe, expect, test } from '@jest/globals';
import { keepingVersions } from './image-definition.ts';
import { maintenanceWindowOf } from './maintenance-window.ts';

const NOW = Date.UTC(2026, 0, 10, 12);
const window = (start?: string, end?: string) =>
  maintenanceWindowOf(
    {
      ...(start !== undefined && { 'aksManagedNodeOSUpgradeSchedule-start': start }),
      ...(end !== undefined && { 'aksManagedNodeOSUpgradeSchedule-end': end }),
    },
    NOW,
  ).kind;

describe('the maintenance window', () => {
  test('is open where AKS names none', () => {
    expect(maintenanceWindowOf(undefined, NOW)).toEqual({ kind: 'open' });
    expect([window(), window('', '')]).toEqual(['open', 'open']);
  });

  test.each([
    ['now', '2026-01-10T11:00:00Z', '2026-01-10T15:00:00Z', 'open'],
    ['in another time zone', '2026-01-10T13:30:00+02:00', '2026-01-10T14:30:00+02:00', 'open'],
    ['over', '2026-01-10T07:00:00Z', '2026-01-10T11:00:00Z', 'closed'],
    ['to come', '2026-01-10T13:00:00Z', '2026-01-10T17:00:00Z', 'closed'],
    ['just beginning', '2026-01-10T12:00:00Z', '2026-01-10T17:00:00Z', 'closed'],
    ['just ending', '2026-01-10T08:00:00Z', '2026-01-10T12:00:00Z', 'closed'],
    ['half said', '2026-01-10T11:00:00Z', undefined, 'unreadable'],
    ['misspelt', '2026-01-10T11:00:00Z', 'tomorrow', 'unreadable'],
  ])('%s', (_, ...said) => {
    expect(window(said[0], said[1])).toBe(said[2]);
  });

  test('that cannot be read says what is expected', () => {
    expect(maintenanceWindowOf({ 'aksManagedNodeOSUpgradeSchedule-start': 'noon' }, NOW)).toMatchObject({
      problem: expect.stringMatching(/start is "noon" and .*end is "": expected two times/),
    });
  });
});

describe('images outside of the window', () => {
  const image = (name: string, version: string, arch = 'amd64') => ({
    id: `/CommunityGalleries/g/images/${name}/versions/${version}`,
    requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: [arch] }] as const,
  });

  test('keep the versions in force; others come and go', () => {
    const inForce = [image('gen2', '1'), image('old', '1')];
    expect(keepingVersions([image('gen2', '2'), image('arm', '2', 'arm64')], inForce)).toEqual([
      image('gen2', '1'),
      image('arm', '2', 'arm64'),
    ]);
  });

  test('have the requirements of today', () => {
    expect(keepingVersions([image('gen2', '2', 'arm64')], [image('gen2', '1')])).toEqual([image('gen2', '1', 'arm64')]);
  });
});
