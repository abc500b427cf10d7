import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/simulator';
import { copiedBundle } from '../testing/bundle.ts';
import { type ControllerProcess, startControllerProcess } from '../testing/controller-process.ts';
import { crds } from '../testing/test-cluster.ts';

jest.setTimeout(60_000);

const bundle = copiedBundle();
const folder = mkdtempSync(join(tmpdir(), 'karpenter-plugins-'));
/** A package that is installed beside the controller. */
const installed = (name: string, source: string): string => {
  const home = join(dirname(bundle.path), 'node_modules', name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }));
  writeFileSync(join(home, 'index.js'), source);
  return name;
};
const written = (name: string, source: string): string => {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
};

/** A whole plugin whose cloud sells nothing; `members` replaces some of its provider's. */
const aPlugin = (members = ''): string => `
class EmptyCloud {
  name = 'empty';
  supportedNodeClasses = [{ group: 'karpenter.azure.com', version: 'v1beta1', kind: 'AKSNodeClass', plural: 'aksnodeclasses' }];
  labelCatalog = { wellKnown: new Set(), restrictedDomains: new Set(), restrictedLabels: new Set(), normalizedKeys: new Map(), normalizedValues: new Map(), knownValues: new Map() };
  repairPolicies = [];
  create() { return Promise.reject(Object.assign(new Error('nothing is sold'), { name: 'CloudProviderError', code: 'insufficient-capacity' })); }
  delete() { return Promise.resolve('gone'); }
  get() { return Promise.resolve(undefined); }
  list() { return Promise.resolve([]); }
  getInstanceTypes() { return Promise.resolve([]); }
  isDrifted() { return Promise.resolve(undefined); }
  ${members}
}
const nodeClassKinds = new EmptyCloud().supportedNodeClasses ?? [];
export const providerPlugin = {
  title: 'Empty', options: [{ flag: 'empty-region', env: 'EMPTY_REGION', help: 'where nothing is sold', defaultText: 'here' }], nodeClassKinds, kinds: nodeClassKinds.map((kind) => ({ ...kind, namespaced: false })),
  configure: ({ flags }) => flags['empty-region'] === 'mars'
    ? { ok: false, problems: ['flag --empty-region is "mars": expected a region of this planet'] }
    : { ok: true, about: { region: flags['empty-region'] ?? 'here' }, create: () => ({ provider: new EmptyCloud(), controllers: [], singletons: [], start: () => Promise.resolve() }) },
};`;

let started: Promise<EmbeddedCluster> | undefined;
/** A cluster without any cloud. */
const cluster = (): Promise<EmbeddedCluster> => (started ??= startEmbeddedCluster({ azure: false, systemPool: false, crds }));

afterAll(async () => {
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

describe('a provider from outside', () => {
  test('is loaded by the name of its package, reads its own flags, and runs', async () => {
    const name = installed('@acme/karpenter-provider', aPlugin());
    await using controller = await starting(`--cloud-provider=${name}`, '--empty-region=here', '--disable-leader-election');
    expect(JSON.parse(await controller.said('"started"'))).toMatchObject({ provider: 'Empty', region: 'here' });
    expect(await controller.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });

  test('tells what is wrong with its options together with the rest', async () => {
    const path = written('whole.mjs', aPlugin());
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
      'that is half a plugin',
      written('half.mjs', "export const providerPlugin = { title: 'Half', nodeClassKinds: [], kinds: [] };"),
      'half.mjs: its providerPlugin lacks options (a list), configure (a function)',
    ],
    [
      'that lacks methods',
      written('lacking.mjs', aPlugin('repairPolicies = undefined; isDrifted = undefined;')),
      'the provider of Empty lacks isDrifted (a function), repairPolicies (a list)',
    ],
  ])('%s ends the start with one line that says so', async (_, name, says) => {
    const { code, lines } = await endOf(`--cloud-provider=${name}`);
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining(says)]);
  });
});
