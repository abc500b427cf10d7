import { describe, expect, test } from '@jest/globals';
import { parseArguments } from './arguments.ts';
import { helpText, unknownFlags } from './help.ts';
import { optionsWithoutEffect } from './options-of-the-original.ts';
import { parseSettings } from './settings-parser.ts';

const settingsFrom = (argv: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  parseSettings(parseArguments(argv).given, environment);

describe('settings', () => {
  test('are the original’s defaults when nothing is said', () => {
    const { settings, problems } = settingsFrom([]);
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      metricsPort: 8080,
      healthProbePort: 8081,
      kubeClientQps: 200,
      batchIdleMs: 1_000,
      batchMaxMs: 10_000,
      preferencePolicy: 'Respect',
      preferencePrice: 0.01,
      nodePrice: 0,
      movePrice: 0.001,
      logLevel: 'info',
      disableLeaderElection: false,
    });
  });

  test('a flag wins over the environment', () => {
    expect(settingsFrom(['--metrics-port', '9000'], { METRICS_PORT: '9001' }).settings.metricsPort).toBe(9000);
    expect(settingsFrom([], { METRICS_PORT: '9001' }).settings.metricsPort).toBe(9001);
  });

  test('an empty environment variable says nothing', () => {
    expect(settingsFrom([], { METRICS_PORT: '' }).settings.metricsPort).toBe(8080);
  });

  test.each([
    [['--metrics-port=http'], 'flag --metrics-port is "http": expected a whole number from 0 to 65535'],
    [['--disable-leader-election=yes'], 'flag --disable-leader-election is "yes": expected true or false'],
    [['--preference-policy', 'respect'], 'flag --preference-policy is "respect": expected one of Respect, Weigh, Ignore'],
    [['--preference-price=1e3'], 'flag --preference-price is "1e3": expected dollars as a decimal number such as 0.01, not negative'],
    [['--batch-max-duration', '10'], 'flag --batch-max-duration is "10": expected a duration such as 10s or 1m30s'],
    [
      ['--batch-idle-duration=20s'],
      '--batch-idle-duration (BATCH_IDLE_DURATION) is 20000 ms: longer than --batch-max-duration (BATCH_MAX_DURATION), 10000 ms',
    ],
    [
      ['--metrics-port=8081'],
      '--metrics-port (METRICS_PORT) and --health-probe-port (HEALTH_PROBE_PORT) are both 8081: expected two ports, or 0 for any that is free',
    ],
  ])('%j is refused with what would be right', (argv, problem) => {
    expect(settingsFrom(argv).problems).toEqual([problem]);
  });

  test('all problems are reported at once', () => {
    expect(settingsFrom(['--metrics-port=x', '--log-level=loud']).problems).toHaveLength(2);
  });
});

describe('feature gates', () => {
  const gates = (text: string) => settingsFrom([`--feature-gates=${text}`]);

  test('turn features on', () => {
    expect(gates('SpotToSpotConsolidation=true,NodeRepair=true').settings.featureGates).toEqual({
      nodeOverlay: false,
      reservedCapacity: true,
      spotToSpotConsolidation: true,
      nodeRepair: true,
      staticCapacity: false,
      podNomination: false,
      rebalancePlan: false,
      capacityBuffer: true,
    });
  });

  test('of every gate of the original are taken', () => {
    expect(gates('NodeOverlay=false,CapacityBuffer=false').problems).toEqual([]);
    expect(gates('CapacityBuffer=true').problems).toEqual([]);
  });

  test('that are named twice are refused: which of the two was meant is not known', () => {
    expect(gates('NodeRepair=false,NodeRepair=true').problems).toEqual([
      expect.stringContaining('each gate once; NodeRepair is there more often'),
    ]);
  });

  test.each(['SpotToSpot=true', 'SpotToSpotConsolidation', 'SpotToSpotConsolidation=1'])('%s is refused', (text) => {
    expect(gates(text).problems).toHaveLength(1);
  });

  test('that are wrong in two ways report both, and each only once', () => {
    const [problem = ''] = gates('Foo=true,NodeRepair=maybe,StaticCapacity=on').problems;
    expect(problem).toContain('Foo is none of CapacityBuffer, NodeOverlay, ');
    expect(problem.match(/Name=true or Name=false/g)).toHaveLength(1);
  });
});

describe('limits of the cluster', () => {
  test.each([
    ['cpu=1000,memory=4Ti,nodes=200', { cpu: 1_000_000, memory: 4 * 2 ** 40, nodes: 200 }],
    [' cpu = 1500m , nvidia.com/gpu=8', { cpu: 1500, 'nvidia.com/gpu': 8 }],
    ['', {}],
  ])('are read from "%s"', (text, expected) => {
    expect(settingsFrom([`--cluster-limits=${text}`]).settings.clusterLimits).toEqual(expected);
  });

  test.each(['cpu', 'cpu=', 'cpu=many', 'cpu=-1', '=5', 'cpu=1=2', 'cpu=1,cpu=2'])('are refused as "%s"', (text) => {
    expect(settingsFrom([`--cluster-limits=${text}`]).problems).toHaveLength(1);
  });
});

describe('arguments', () => {
  test('come as --name value, --name=value and --name alone', () => {
    expect(parseArguments(['--a', '1', '--b=2', '--c', '--d=x=y']).given).toEqual({ a: '1', b: '2', c: 'true', d: 'x=y' });
  });

  test('that are no flags, or come twice, are reported', () => {
    expect(parseArguments(['serve', '--a=1', '--a=2']).problems).toEqual([
      'argument "serve" is not a flag; flags look like --name value or --name=value',
      'flag --a is given twice',
    ]);
  });
});

describe('options of the original that nothing here is set by', () => {
  test('are known, and taken where they ask for nothing that is missing', () => {
    const { given } = parseArguments([
      '--cpu-requests=2000',
      '--memory-limit',
      '1000',
      '--enable-profiling=false',
      '--log-output-paths=stdout',
    ]);
    expect(unknownFlags(given, { options: [] })).toEqual([]);
    expect(optionsWithoutEffect(given, { LOG_OUTPUT_PATHS: 'stdout', ENABLE_PROFILING: '' })).toEqual([]);
  });

  test('are refused with the reason where what they ask for is missing', () => {
    const { given } = parseArguments(['--log-output-paths=/dev/null']);
    expect(optionsWithoutEffect(given, { ENABLE_PROFILING: 'true' })).toEqual([
      'flag --log-output-paths is "/dev/null": expected stdout, or nothing; the log goes to standard output',
      expect.stringMatching(/^environment variable ENABLE_PROFILING is "true": expected false, or nothing; Node\.js is profiled by/),
    ]);
  });
});

test.each(['cloud-provider', 'leader-election-name'])('--%s is no empty text', (flag) => {
  expect(settingsFrom([`--${flag}=`]).problems).toEqual([
    expect.stringMatching(new RegExp(`^flag --${flag} is "": expected a text such as `)),
  ]);
});

test('the help names what there is to choose from', () => {
  const text = helpText({ title: 'Acme', options: [] });
  for (const choices of [
    'info, debug, warn, error',
    'Respect, Weigh, Ignore',
    'NodeOverlay, ReservedCapacity, ',
    '(default CapacityBuffer=true,ReservedCapacity=true)',
  ]) {
    expect(text).toContain(choices);
  }
});

test('the help shows durations as people write them', () => {
  const text = helpText({
    title: 'Acme',
    options: [{ flag: 'acme-region', env: 'ACME_REGION', help: 'where machines are made', defaultText: 'here' }],
  });
  expect(text).toContain('(default 10s)');
  expect(text).toContain('--acme-region');
  expect(text).not.toContain('10000');
});

test('a flag that is called as a part of every object is given once, and not known', () => {
  const { given, problems } = parseArguments(['--constructor=a', '--__proto__=b']);
  expect(problems).toEqual([]);
  expect(unknownFlags(given, { options: [] })).toEqual([
    'flag --constructor is not known; --help lists those that are',
    'flag --__proto__ is not known; --help lists those that are',
  ]);
});
