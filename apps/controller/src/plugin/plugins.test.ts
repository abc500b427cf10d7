import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/simulator';
import { copiedBundle } from '../testing/processes/bundle.ts';
import { type ControllerProcess, startControllerProcess } from '../testing/processes/controller-process.ts';
import { emptyCloud } from '../testing/processes/empty-cloud.ts';
import { installedBeside } from '../testing/processes/installed-beside.ts';
import { crds } from '../testing/clusters/test-cluster.ts';

jest.setTimeout(60_000);

const bundle = copiedBundle();
const folder = mkdtempSync(join(tmpdir(), 'karpenter-plugins-'));
const written = (name: string, source: string): string => {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
};

/** A plugin with one member replaced. */
const half = (member: string): string =>
  `export const providerPlugin = { title: 'Half', options: [], nodeClassKinds: [], kinds: [], configure: () => ({ ok: false, problems: ['no'] }), ${member} };`;

let started: Promise<EmbeddedCluster> | undefined;
/** A cluster without any cloud. */
const cluster = (): Promise<EmbeddedCluster> => (started ??= startEmbeddedCluster({ azure: false, systemPool: false, crds }));

afterAll(async () => {
  await endOfEndless;
  rmSync(folder, { recursive: true });
  rmSync(join(dirname(bundle.path), 'node_modules'), { recursive: true });
  bundle[Symbol.dispose]();
  await (await started)?.stop();
});

const starting = async (...args: readonly string[]): Promise<ControllerProcess> =>
  startControllerProcess({ bundle, args, env: { KUBECONFIG: written('kubeconfig', (await cluster()).kubeconfig()) } });

const endOf = async (...args: readonly string[]): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> => {
  await using controller = await starting(...args);
  const { code, stderr } = await controller.ended;
  return { code, lines: stderr.trimEnd().split('\n') };
};

/** Takes twelve seconds, in which the others go on. */
let endOfEndless: ReturnType<typeof endOf>;
beforeAll(() => {
  endOfEndless = endOf(`--cloud-provider=${written('endless.mjs', 'await new Promise(() => undefined);')}`);
});

describe('a provider from outside', () => {
  test('is loaded by the name of its package, reads its own flags, and runs', async () => {
    const name = installedBeside(bundle, '@acme/karpenter-provider', emptyCloud());
    await using controller = await starting(`--cloud-provider=${name}`, '--empty-region=here', '--disable-leader-election');
    expect(JSON.parse(await controller.said('"started"'))).toMatchObject({ provider: 'Empty', region: 'here' });
    expect(await controller.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });

  test('whose calls never end, and which leaves a timer behind, does not hold up the end', async () => {
    const endless = 'list = () => new Promise(() => undefined); getInstanceTypes = this.list; idle = setInterval(() => undefined, 60_000);';
    const path = written('endless-calls.mjs', emptyCloud({ members: endless }));
    await using controller = await starting(`--cloud-provider=${path}`, '--disable-leader-election');
    await controller.said('"started"');
    expect(await controller.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(controller.log.filter((line) => line.includes('did not end in time'))).toEqual([]);
  });

  test('reports problems of its options together with the others', async () => {
    const path = written('whole.mjs', emptyCloud());
    const { code, lines } = await endOf(`--cloud-provider=${path}`, '--empty-region=mars', '--location=eastus', '--log-level=loud');
    expect(code).toBe(2);
    expect(lines).toEqual([
      'karpenter: flag --location is not known; --help lists those that are',
      'karpenter: flag --log-level is "loud": expected one of info, debug, warn, error',
      'karpenter: flag --empty-region is "mars": expected a region of this planet',
    ]);
  });

  test.each([
    ['that is not installed', '@acme/nowhere', "--cloud-provider @acme/nowhere cannot be loaded: Cannot find package '@acme/nowhere'"],
    ['that is no provider', written('other.mjs', 'export const hello = 1;'), 'other.mjs: the package exports no providerPlugin'],
    [
      'that is written for another version of the contract',
      written('newer.mjs', half('contractVersion: 2')),
      'newer.mjs: its providerPlugin is written for contract version 2, and this controller for version 1: install a release',
    ],
    [
      'that is half a plugin',
      written('half.mjs', "export const providerPlugin = { title: 'Half', nodeClassKinds: [], kinds: [] };"),
      'half.mjs: its providerPlugin lacks options (a list), configure (a function)',
    ],
    [
      'that lacks methods',
      written('lacking.mjs', emptyCloud({ members: 'repairPolicies = undefined; isDrifted = undefined;' })),
      'lacking.mjs: the provider of Empty lacks isDrifted (a function), repairPolicies (a list)',
    ],
    [
      'whose options are half said',
      written('option.mjs', half("options: [{ flag: 'x', env: 'X' }]")),
      'lacks options[0].help (a string), options[0].defaultText (a string)',
    ],
    [
      'that makes nothing of its options',
      written('mute.mjs', half('configure: () => undefined')),
      'mute.mjs: what Half makes of its options lacks about (an object), create (a function)',
    ],
    [
      'that refuses without a reason',
      written('sulky.mjs', half('configure: () => ({ ok: false })')),
      'what Half makes of its options lacks problems (a list)',
    ],
    [
      'that refuses and gives no reason',
      written('silent.mjs', half('configure: () => ({ ok: false, problems: [] })')),
      'what Half makes of its options lacks problems (at least one)',
    ],
    [
      'whose NodeClasses are half said',
      written('classes.mjs', half("nodeClassKinds: [null, { group: 'test.dev', kind: 'TestNodeClass', version: 'v1' }]")),
      'lacks nodeClassKinds[0].group (a string), nodeClassKinds[0].version (a string), nodeClassKinds[0].kind (a string), nodeClassKinds[0].plural (a string), nodeClassKinds[1].plural (a string)',
    ],
    [
      'whose NodeClass is not among its kinds',
      written(
        'unserved.mjs',
        half("nodeClassKinds: [{ group: 'test.dev', kind: 'TestNodeClass', version: 'v1', plural: 'testnodeclasses' }]"),
      ),
      'lacks TestNodeClass in its kinds',
    ],
    [
      'whose labels are half said',
      written('labels.mjs', emptyCloud({ members: 'labelCatalog = { wellKnown: [] };' })),
      'the provider of Empty lacks labelCatalog.wellKnown (a Set), labelCatalog.restrictedDomains (a Set)',
    ],
    [
      'whose options are those of the controller',
      written(
        'clash.mjs',
        half(
          "options: ['log-level', 'zone', 'zone'].map((flag) => ({ flag, env: flag === 'zone' ? 'METRICS_PORT' : 'X', help: '', defaultText: '' }))",
        ),
      ),
      "options of its providerPlugin are there twice, or are the controller's own: --log-level, --zone, METRICS_PORT",
    ],
    [
      'that makes no provider',
      written('hollow.mjs', half('configure: () => ({ ok: true, about: {}, create: () => ({ provider: null, controllers: [] }) })')),
      'the provider of Half lacks provider (an object), singletons (a list), start (a function)',
    ],
    [
      'whose configure has a bug',
      written('broken.mjs', half('configure: ({ flags }) => flags.region.zone')),
      "broken.mjs: its configure failed, which is a bug of the plugin: TypeError: Cannot read properties of undefined (reading 'zone')",
    ],
    [
      'whose provider cannot be made',
      written('broken-create.mjs', half("configure: () => ({ ok: true, about: {}, create: () => { throw new Error('no\\nluck'); } })")),
      'broken-create.mjs: its create failed, which is a bug of the plugin: Error: no luck',
    ],
    [
      'that cannot start',
      written(
        'broken-start.mjs',
        emptyCloud().replace('start: () => Promise.resolve()', "start: async () => { await null; throw 'early'; }"),
      ),
      'broken-start.mjs: its start failed, which is a bug of the plugin: early',
    ],
    [
      'that makes nothing at all',
      written('void.mjs', half('configure: () => ({ ok: true, about: {}, create: () => undefined })')),
      'the provider of Half lacks provider',
    ],
  ])('%s ends the start with one line that says so', async (_, name, says) => {
    const { code, lines } = await endOf(`--cloud-provider=${name}`);
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining(says)]);
  });

  test('that never ends to load ends the start with one line that says so', async () => {
    const { code, lines } = await endOfEndless;
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('endless.mjs does not answer: nothing came within 12 s')]);
  });

  test('that has a bug shows where, to who asks for details', async () => {
    const path = written('broken-deeply.mjs', half('configure: ({ flags }) => flags.region.zone'));
    const { lines } = await endOf(`--cloud-provider=${path}`, '--log-level=debug');
    expect(lines[0]).toContain('broken-deeply.mjs: its configure failed');
    expect(lines[1]).toContain('karpenter: caused by TypeError: Cannot read properties of undefined');
    expect(lines[2]).toMatch(/^ +at .*broken-deeply\.mjs:1:/);
  });
});
