import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { systemConstraints } from './kube-scheduler-configuration.ts';
import { readSchedulerConfig } from './scheduler-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'scheduler-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const zonal = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' };
const own = (...defaultConstraints: readonly unknown[]): string => JSON.stringify({ podTopologySpread: { defaultConstraints } });
const scheduler = (args: unknown, ...others: readonly unknown[]): string => {
  const config = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { leaderElect: true },
    profiles: [...others, { pluginConfig: [{ name: 'NodeResourcesFit' }, { name: 'PodTopologySpread', args }] }],
  };
  return JSON.stringify(config);
};

const yaml = `
podTopologySpread:
  defaultConstraints:
    - maxSkew: 1
      topologyKey: topology.kubernetes.io/zone
      whenUnsatisfiable: DoNotSchedule
`;

describe('the default spread', () => {
  test.each([
    ['nothing', '', []],
    ['Karpenter’s own shape', yaml, [zonal]],
    ['the same as JSON', own(zonal), [zonal]],
    ['no constraints', own(), []],
    ['comments', '# later: {}', []],
    ['a list of kube-scheduler', scheduler({ defaultingType: 'List', defaultConstraints: [zonal] }), [zonal]],
    ['an empty list of kube-scheduler', scheduler({ defaultingType: 'List' }), []],
    ['a list, beside the profile of another scheduler', scheduler({ defaultingType: 'List' }, { schedulerName: 'gpu' }), []],
    ['what kube-scheduler brings', scheduler({ defaultingType: 'System' }), systemConstraints],
    ['the built-in defaults of kube-scheduler, without a defaultingType', scheduler({}), systemConstraints],
    ['a configuration without profiles', 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration', systemConstraints],
  ])('is read from %s', async (_, text, constraints) => {
    expect(await readSchedulerConfig(text)).toEqual({ constraints, problems: [] });
  });

  test('is refused where aliases repeat aliases', async () => {
    const lines = ['a', 'b', 'c', 'd', 'e'].map(
      (name, index, names) =>
        `${name}: &${name} [${Array(10)
          .fill(index === 0 ? 'x' : `*${names[index - 1]}`)
          .join(', ')}]`,
    );
    const { problems } = await readSchedulerConfig(lines.join('\n'));
    expect(problems).toEqual([expect.stringMatching(/^--scheduler-config \(SCHEDULER_CONFIG\): .*alias/)]);
  });

  test('is read from a file', async () => {
    const path = join(folder, 'scheduler.yaml');
    writeFileSync(path, yaml);
    expect(await readSchedulerConfig(path)).toEqual({ constraints: [zonal], problems: [] });
  });
});

describe('all problems are reported', () => {
  const at = 'podTopologySpread.defaultConstraints[0]';
  const args = 'profiles[0].pluginConfig[1].args';
  test.each([
    ['a file that is not there', '/nowhere.yaml', ['/nowhere.yaml cannot be read: ENOENT']],
    ['what is no YAML', 'podTopologySpread: {', ['at line 1']],
    ['two documents', 'a: 1\n---\nb: 2', ['must be one document']],
    ['a list', '- a: 1', ['must be an object with podTopologySpread']],
    ['a field that is not known', '{"podTopologySpraed": {}}', ['podTopologySpraed is not known; expected podTopologySpread']],
    ['a field of the section', '{"podTopologySpread": {"defaultingType": "List"}}', ['podTopologySpread.defaultingType is not known']],
    ['a section that is none', 'podTopologySpread: all', ['podTopologySpread must be an object']],
    ['constraints that are no list', 'podTopologySpread: { defaultConstraints: zone }', ['defaultConstraints must be a list']],
    ['a constraint that is none', own('zone'), [`${at} must be a constraint with maxSkew`]],
    ['a field of a constraint', own({ ...zonal, skew: 1 }), [`${at}.skew is not known`]],
    ['no room for skew', own({ ...zonal, maxSkew: 0 }), [`${at}.maxSkew is "0": must be a whole number from 1 on`]],
    [
      'more skew than Kubernetes counts',
      own({ ...zonal, maxSkew: 2 ** 31 }),
      [`${at}.maxSkew is "2147483648": must be at most 2147483647`],
    ],
    [
      'an alias of what contains it',
      'podTopologySpread: &a {defaultConstraints: [{topologyKey: *a}]}',
      ['Converting circular structure to JSON'],
    ],
    ['no key', own({ ...zonal, topologyKey: '' }), [`${at}.topologyKey is "": must name a node label`]],
    ['a key that is none', own({ ...zonal, topologyKey: 'a b' }), [`${at}.topologyKey is "a b": must be a label key`]],
    [
      'an unknown outcome',
      own({ ...zonal, whenUnsatisfiable: 'Never' }),
      [`${at}.whenUnsatisfiable is "Never": must be one of DoNotSchedule`],
    ],
    ['a selector', own({ ...zonal, labelSelector: {} }), [`${at}.labelSelector must not be set`]],
    ['keys of a selector', own({ ...zonal, matchLabelKeys: ['a'] }), [`${at}.matchLabelKeys must not be set`]],
    ['a constraint twice', own(zonal, { ...zonal, maxSkew: 2 }), ['defaultConstraints[1] has topologyKey and whenUnsatisfiable of']],
    [
      'several things at once',
      own({ maxSkew: -1, topologyKey: 'a b', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} }, zonal, zonal),
      [`${at}.maxSkew`, `${at}.topologyKey`, `${at}.labelSelector`, 'defaultConstraints[2]'],
    ],
    [
      'constraints beside System',
      scheduler({ defaultConstraints: [zonal] }),
      [`${args}.defaultConstraints goes only with defaultingType List`],
    ],
    ['another way to default', scheduler({ defaultingType: 'Some' }), [`${args}.defaultingType is "Some": must be one of System, List`]],
    ['a field of the arguments', scheduler({ constraints: [] }), [`${args}.constraints is not known`]],
    ['arguments that are none', scheduler('all'), [`${args} must be an object`]],
    [
      'a constraint of kube-scheduler',
      scheduler({ defaultingType: 'List', defaultConstraints: [{}] }),
      [`${args}.defaultConstraints[0].maxSkew`],
    ],
    ['another group', '{"kind": "KubeSchedulerConfiguration", "apiVersion": "v1"}', ['apiVersion is "v1": must be kubescheduler']],
    [
      'no profile of the default scheduler',
      JSON.stringify({
        ...(JSON.parse(scheduler({})) as object),
        profiles: [{ schedulerName: 'a' }, { schedulerName: 'b' }],
      }),
      ['profiles must have one with schedulerName default-scheduler'],
    ],
  ])('%s', async (_, text, expected) => {
    const { constraints, problems } = await readSchedulerConfig(text);
    expect(constraints).toEqual([]);
    expect(problems).toEqual(expected.map((line) => expect.stringContaining(line)));
    for (const problem of problems) expect(problem).toMatch(/^--scheduler-config \(SCHEDULER_CONFIG\): [^\n]+$/);
  });
});
