import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, jest, test } from '@jest/globals';
import type { ApiObject } from '@karpenter/api-server';
import { offlineCatalog } from '@karpenter/azure/catalog';
import { fakeClock } from '@karpenter/runtime';
import { acceptanceCases, casesOf } from './testing/acceptance/acceptance-cases.ts';
import { azureStage, SYSTEM_NODE_SIZE } from './testing/acceptance/azure-stage.ts';
import { type EmulatorRun, type EmulatorRunOptions, runOnEmulator } from './testing/acceptance/emulator-run.ts';
import { costLine } from './testing/acceptance/real-cluster.ts';
import { checkReadiness, forecastOf, SIZES_OF_RUN } from './testing/acceptance/run-forecast.ts';
import { startTestCluster } from './testing/clusters/test-cluster.ts';
import type { Recording } from './testing/acceptance/recording.ts';
import type { CaseResult } from './testing/acceptance/run-cases.ts';
import type { AcceptanceCase, Stage } from './testing/acceptance/stage.ts';
import { type ProvisionMode, provisionModes } from './testing/stories/provision-mode.ts';
import { eventually } from './testing/eventually.ts';

jest.setTimeout(600_000);

const NEWER_IMAGE = '202612.24.0';

const secretsOf = ({ cluster: { arm }, variables }: EmulatorRun): readonly string[] => [
  arm.account.clientSecret,
  arm.account.federatedToken,
  variables['KUBELET_BOOTSTRAP_TOKEN'] ?? '',
  arm.account.subscriptionId,
  'Bearer',
];

const run = async (
  cases: readonly AcceptanceCase[],
  options?: EmulatorRunOptions & { readonly mode?: ProvisionMode['name'] },
): Promise<EmulatorRun & { readonly failed: readonly CaseResult[]; readonly passed: number }> => {
  const results: CaseResult[] = [];
  const { mode = 'aksscriptless', ...others } = options ?? {};
  const ended = await runOnEmulator({ cases, mode, variables: {}, onResult: (result) => results.push(result) }, others);
  const failed = results.filter(({ failure }) => failure !== undefined);
  return { ...ended, failed, passed: results.length - failed.length };
};

const sizesIn = (body: unknown): readonly string[] => JSON.stringify(body).match(/Standard_\w+/g) ?? [];

/** What a case creates or merges on a stage where nothing ever comes up, until it notices. */
const objectsOf = async (each: AcceptanceCase): Promise<readonly Partial<ApiObject>[]> => {
  const objects: Partial<ApiObject>[] = [];
  const nothing = () => Promise.resolve();
  const empty = () => Promise.resolve([]);
  const named = () => Promise.resolve('/network/subnets/small');
  const stage: Stage = {
    location: 'eastus',
    create: (...made) => Promise.resolve(void objects.push(...made)),
    patch: (kind, _, body) => Promise.resolve(void objects.push({ ...body, kind })),
    ...{ remove: nothing, evict: nothing, until: nothing, pass: nothing, restart: nothing, changeKubeletIdentity: nothing },
    ...{ list: empty, vms: empty, diskEncryptionSet: named, registryImage: named, smallSubnet: named, upgrade: named },
    kernelOf: () => Promise.reject(new Error('no node')),
    startUpdate: () => Promise.resolve(nothing),
  };
  await each.run(stage).catch(() => undefined);
  return objects;
};

describe('the acceptance cases that every run has', () => {
  test('pass on the emulator; what Azure answered is kept without secrets, and is answered again to another run in its region', async () => {
    const cases = casesOf('aksscriptless');
    const first = await run(
      cases.filter(({ isFast }) => isFast === true),
      { isRecorded: true },
    );
    expect(first.failed).toEqual([]);
    const fast = new Set(acceptanceCases.flatMap(({ suite, isFast }) => (isFast === true ? [suite] : [])));
    expect([...new Set(acceptanceCases.map(({ suite }) => suite))].filter((suite) => !fast.has(suite))).toEqual([]);
    expect(first.passed).toBe(17);
    const made = first.cluster.arm.requests.of('VirtualMachines_CreateOrUpdate').map(({ body }) => sizesIn(body));
    expect(made.length).toBeGreaterThan(17);
    expect(made.flat().filter((size) => !SIZES_OF_RUN.includes(size))).toEqual([]);

    const text = JSON.stringify(first.recording);
    expect(first.recording?.exchanges.some(({ method, target }) => method === 'PUT' && target.includes('/virtualMachines/'))).toBe(true);
    for (const secret of secretsOf(first)) expect(text).not.toContain(secret);

    // Another region, and a version of the images that the emulator does not have of itself.
    const elsewhere = JSON.parse(text.replaceAll('eastus', 'westus2').replaceAll('202611.03.0', NEWER_IMAGE)) as Recording;
    const second = await run(
      cases.filter(({ title }) => title.includes('NodeClaim of nobody')),
      { replay: elsewhere },
    );
    expect(second.failed).toEqual([]);
    expect(second.cluster.arm.account.location).toBe('westus2');
    expect(second.replayed).toBeGreaterThan(0);
    for (const fact of ['ResourceSkus_List', 'CommunityGalleryImageVersions_List', 'RetailPrices_List'])
      expect([fact, ...[first, second].map(({ cluster }) => cluster.arm.requests.count(fact) > 0)]).toEqual([fact, true, false]);
    const launches = second.cluster.arm.requests.of('VirtualMachines_CreateOrUpdate');
    expect(launches.filter(({ body }) => !JSON.stringify(body).includes(`/versions/${NEWER_IMAGE}`))).toEqual([]);
    expect(launches).not.toEqual([]);
  });
});

describe('acceptance cases of machines that AKS makes', () => {
  test('pass on the emulator: the labels of the network, and the settings of a node', async () => {
    const wanted = ['AKS gives its machines the labels of the network', 'a node has the sysctls, the huge pages and the swap of its class'];
    const cases = casesOf('aksmachineapi').filter(({ title }) => wanted.includes(title));
    const { failed, passed, cluster } = await run(cases, { mode: 'aksmachineapi' });
    expect([failed, passed]).toEqual([[], 2]);
    expect(cluster.arm.requests.count('Machines_CreateOrUpdate')).toBe(2);
  });
});

describe('what the page says of the acceptance cases', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'azure-parity.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \|$/gm)].map(([, suite = '', , own = '']) => ({
    suite,
    titles: own === '–' ? [] : own.split('; '),
  }));

  test('names every case with its suite, for all seventeen suites of the original', () => {
    expect(rows.map(({ suite }) => suite).join(' ')).toBe(
      'acr byok chaos consolidation drift gpu inplaceupdate integration kubernetesupgrade machine newskus nodeclaim scheduling ' +
        'spot storage subnet utilization',
    );
    const stated = rows.flatMap(({ suite, titles }) => titles.map((title) => `${suite}: ${title}`));
    expect(stated.toSorted()).toEqual(acceptanceCases.map(({ suite, title }) => `${suite}: ${title}`).toSorted());
  });

  test('says how many there are, how many each mode runs and how many each CI run has', () => {
    const ofModes = new Set(provisionModes.map(({ name }) => casesOf(name).length));
    const fast = casesOf('aksscriptless').filter(({ isFast }) => isFast === true);
    expect([acceptanceCases.length, [...ofModes], fast.length]).toEqual([65, [63], 17]);
    expect(page).toContain("runs 65 cases after the original's 17 suites");
    expect(page).toContain('| Mode | Cases |\n|---|---|\n| each | 63 |\n');
    expect(page).toContain('Each CI run has 17 of them in `aksscriptless`');
  });
});

const script = join(import.meta.dirname, '..', 'scripts', 'acceptance-cluster');

describe('the script that makes and deletes the real cluster', () => {
  /** Runs a verb, with an `az` that answers by the cases of a shell; what it was called with is in `stderr`. */
  const called = (verb: string, answers: string) => {
    const bin = mkdtempSync(join(tmpdir(), 'karpenter-az-'));
    try {
      const lines = ['#!/usr/bin/env bash', 'echo "$*" >&2', `echo . >> ${bin}/calls; calls=$(wc -l < ${bin}/calls)`];
      writeFileSync(join(bin, 'az'), [...lines, `case "$*" in ${answers} esac`, ''].join('\n'), { mode: 0o755 });
      writeFileSync(join(bin, 'sleep'), '#!/usr/bin/env bash\n', { mode: 0o755 });
      const env = { PATH: [bin, process.env['PATH']].join(delimiter) };
      return spawnSync('bash', [script, verb, 'name', 'sub', 'eastus'], { env, encoding: 'utf8' });
    } finally {
      rmSync(bin, { recursive: true });
    }
  };

  /** `madeBy`: the tag of the resource group that is there. */
  const down = (madeBy: string) => called('down', `*exists*) echo true ;; *made-by*) echo '${madeBy}' ;;`);

  test('deletes the resource group that it made, and no other of that name', () => {
    const own = down('karpenter-acceptance');
    expect(own.status).toBe(0);
    expect(own.stderr).toContain('group delete --name name');
    const foreign = down('');
    expect(foreign.status).toBe(1);
    expect(foreign.stderr).not.toContain('group delete');
  });

  test('waits for the agent pool of machines until AKS has made it, and fails if AKS does not', () => {
    const pool = (states: string) => called('machines-pool', `*'aks show'*) echo /cluster ;; *'method get'*) ${states} ;;`);
    const made = pool('[ $calls -gt 4 ] && echo Succeeded || echo Creating');
    expect([made.status, made.stderr.match(/--method get/g)?.length]).toEqual([0, 3]);
    const failed = pool('echo Failed');
    expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining('was not made: Failed')]);
  });

  test('lets the identity of the cluster join machines to the small subnet', () => {
    const answers = `*'aks show'*) echo principal ;; *'vnet show'*) echo /network ;; *'subnet create'*) echo /network/subnets/small ;;`;
    const made = called('small-subnet', answers);
    expect([made.status, made.stdout]).toEqual([0, '/network/subnets/small\n']);
    expect(made.stderr).toContain(
      'role assignment create --assignee-object-id principal --assignee-principal-type ServicePrincipal --role Network Contributor --scope /network',
    );
  });

  test.each([
    { who: 'a person', account: 'user me@example.com', assigned: 'person --assignee-principal-type User' },
    { who: 'a service principal', account: 'servicePrincipal app', assigned: 'app-id --assignee-principal-type ServicePrincipal' },
  ])('lets $who who is signed in make the key of disks', ({ account, assigned }) => {
    const signedIn = `*'account show'*) printf '%s\\n' ${account} ;; *'signed-in-user'*) echo person ;; *'sp show --id app'*) echo app-id ;;`;
    const made = called('encryption-set', `${signedIn} *'output none'*) ;; *) echo id ;;`);
    expect([made.status, made.stdout]).toEqual([0, 'id\n']);
    expect(made.stderr).toContain(`--assignee-object-id ${assigned}`);
  });
});

describe('a run on a real cluster that is interrupted', () => {
  /**
   * A run whose `az` makes the cluster, and then waits in the call that matches `waits` for as long as its folder is
   * there. `called` resolves once a call has matched.
   */
  const started = (waits: string) => {
    const bin = mkdtempSync(join(tmpdir(), 'karpenter-az-'));
    const log = join(bin, 'calls');
    const lines = [
      `echo "$*" >> ${log}`,
      `case "$*" in`,
      `  *'group show'*made-by*) echo karpenter-acceptance ;;`,
      `  *'group exists'*) echo true ;;`,
      `  ${waits}) while [ -d ${bin} ]; do sleep 0.1; done ;;`,
      'esac',
    ];
    writeFileSync(join(bin, 'az'), `#!/usr/bin/env bash\n${lines.join('\n')}\n`, { mode: 0o755 });
    const main = join(import.meta.dirname, 'testing', 'acceptance', 'accept.ts');
    const args = ['--conditions=@karpenter/source', '--no-warnings', main, '--subscription', 'sub', '--suite', 'spot'];
    const env = { ...process.env, PATH: [bin, process.env['PATH']].join(delimiter) };
    const running = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const calls = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
    return {
      running,
      calls,
      output: Promise.all([text(running.stdout), once(running, 'exit')]).then(([printed, [code]]) => ({ printed, code: code as number })),
      called: (what: string) => eventually(`az was called with ${what}`, () => calls().includes(what), { withinMs: 120_000 }),
      [Symbol.dispose]: () => rmSync(bin, { recursive: true }),
    };
  };

  test.concurrent('while credentials are fetched › deletes its cluster, and fails', async () => {
    using interrupted = started("*'get-credentials'*");
    await interrupted.called('get-credentials');
    interrupted.running.kill('SIGINT');
    expect((await interrupted.output).code).toBe(1);
    expect(interrupted.calls()).toContain('group delete --name karpenter-acceptance --subscription sub');
  });

  test.concurrent('while its cluster is made, and again while it is deleted › says what still costs, and ends', async () => {
    using interrupted = started("*'aks create'*|*'group delete'*");
    await interrupted.called('aks create');
    interrupted.running.kill('SIGTERM');
    await interrupted.called('group delete');
    interrupted.running.kill('SIGINT');
    const { code, printed } = await interrupted.output;
    expect(code).toBe(130);
    expect(printed).toContain('az group delete --name karpenter-acceptance --subscription sub --yes');
  });
});

describe('before a real cluster is made', () => {
  test('a run says how long it is, what quota it needs and the order of its cost', () => {
    const [duration, quota, cost] = forecastOf(63, 'eastus');
    expect(duration).toBe('63 cases, one after another: about 11 hours. That is a guess, no run has been timed yet.');
    expect(quota).toBe(
      'cores of quota: standardDSv3Family 24, standardDPSv5Family 2, standardDSv5Family 10, standardDASv5Family 4, standardESv5Family 4, ' +
        'standardFSv2Family 4, Standard NCASv3_T4 Family 4',
    );
    expect(cost).toMatch(/^order of the cost: \d USD at list prices/);
    expect(forecastOf(63, 'nowhere')).toEqual([duration, expect.stringContaining('no sizes of nowhere are known')]);
  });

  test('the forecast and preflight count every size that a case may have, and no case leaves its size open', async () => {
    const objects = await Promise.all(acceptanceCases.map(objectsOf));
    const sizes = new Set(objects.flatMap(sizesIn));
    // One case offers a size that would be too large.
    expect([...sizes].filter((size) => !SIZES_OF_RUN.includes(size))).toEqual(['Standard_D16s_v5']);
    expect(SIZES_OF_RUN.filter((size) => !sizes.has(size))).toEqual([]);
    const isOpen = (made: readonly Partial<ApiObject>[]): boolean =>
      made.some((object) => ['NodePool', 'NodeClaim'].includes(object.kind ?? '') && 'metadata' in object) && sizesIn(made).length === 0;
    expect(acceptanceCases.filter((_, index) => isOpen(objects[index] ?? [])).map(({ title }) => title)).toEqual([]);
  });

  test.each([
    { what: 'quota of one size', denied: undefined, ends: 'FAIL quota' },
    { what: 'a permission', denied: 'Microsoft.Compute/virtualMachines/write', ends: 'the cluster is not ready for a run' },
  ])('when $what is missing › preflight says so, and the run ends only where every case needs it', async ({ denied, ends }) => {
    await using cluster = await startTestCluster({ azure: { quotas: { families: { standardDSv3Family: 1 } } } });
    if (denied !== undefined) cluster.arm.access.deny({ action: denied });
    const said: string[] = [];
    const ended = checkReadiness({ ...cluster.environment() }, { say: (line) => void said.push(line), caPem: cluster.arm.caPem }).catch(
      String,
    );
    expect(`${(await ended) ?? ''} ${said.join()}`).toContain(ends);
    expect([(await ended) === undefined, said.length]).toEqual([denied === undefined, 1]);
  });
});

describe('a real cluster as a stage', () => {
  test('is read with kubectl and az, page by page, for namespaced and cluster-scoped kinds', async () => {
    const asked: string[] = [];
    const machine = (name: string) => ({ name, properties: { hardwareProfile: { vmSize: 'Standard_D2s_v3' } } });
    const pages = [{ value: [machine('a')], nextLink: 'https://next' }, { value: [machine('b')] }];
    const answers: Readonly<Record<string, () => unknown>> = { get: () => ({ items: [{ kind: 'Node' }] }), rest: () => pages.shift() };
    const stage = azureStage(
      { subscriptionId: 'sub', nodeResourceGroup: 'nodes', location: 'eastus', kubeconfig: 'config' },
      {
        run: (program, args, input) => {
          asked.push([program, ...args, ...(input === undefined ? [] : [`< ${input}`])].join(' '));
          return Promise.resolve(JSON.stringify(answers[args.find((arg) => arg in answers) ?? '']?.() ?? {}));
        },
        make: (part) => Promise.resolve(`made ${part}`),
        restart: () => Promise.resolve(),
      },
    );
    await stage.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } });
    await stage.patch('AKSNodeClass', 'default', { spec: {} });
    await stage.remove('NodePool', 'general');
    expect(await stage.list('Node')).toEqual([{ kind: 'Node' }]);
    await stage.evict('vm');
    expect(asked).toEqual([
      'kubectl --kubeconfig config create --filename - < {"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}]}',
      'kubectl --kubeconfig config patch AKSNodeClass default --type merge --patch {"spec":{}}',
      'kubectl --kubeconfig config delete NodePool general --ignore-not-found --wait=false',
      'kubectl --kubeconfig config get Node --output json',
      'az vm simulate-eviction --subscription sub --resource-group nodes --name vm',
    ]);
    expect((await stage.vms()).map(({ name }) => name)).toEqual(['a', 'b']);
    const parts = [await stage.diskEncryptionSet(), await stage.registryImage(), await stage.smallSubnet(), await stage.upgrade()];
    expect(parts).toEqual(['made encryption-set', 'made registry', 'made small-subnet', 'made upgrade']);
  });

  test('says what the kernel of a node is set to, by a pod on that node', async () => {
    const asked: string[] = [];
    const log = '10\nalways [madvise] never\nalways defer defer+madvise [madvise] never\nSwapTotal:       2097148 kB\n';
    const stage = azureStage(
      { subscriptionId: 'sub', nodeResourceGroup: 'nodes', location: 'eastus', kubeconfig: 'config' },
      {
        run: (_, [, , verb = ''], input = '') => {
          asked.push(verb);
          if (input !== '') expect(JSON.parse(input)).toMatchObject({ kind: 'Pod', spec: { nodeName: 'node-a', restartPolicy: 'Never' } });
          return Promise.resolve(verb === 'logs' ? log : '');
        },
        make: () => Promise.resolve(''),
        restart: () => Promise.resolve(),
      },
    );
    expect(await stage.kernelOf('node-a')).toEqual({
      ...{ swappiness: '10', swapMB: 2048 },
      hugePages: { enabled: 'madvise', defrag: 'madvise' },
    });
    expect(asked).toEqual(['create', 'wait', 'logs', 'delete']);
  });

  test('costs what its machines and the node of AKS cost at list prices, for the time that they were there', async () => {
    const clock = fakeClock(0);
    const machine = (vmSize: string, priority: string) => ({ name: vmSize, properties: { hardwareProfile: { vmSize }, priority } });
    const value = [machine('Standard_D4s_v5', 'Regular'), machine('Standard_D8s_v5', 'Spot')];
    const run = () => Promise.resolve(JSON.stringify({ value }));
    const nothing = { make: () => Promise.resolve(''), restart: () => Promise.resolve() };
    const stage = azureStage(
      { subscriptionId: 'sub', nodeResourceGroup: 'nodes', location: 'eastus', kubeconfig: 'config' },
      { run, clock, ...nothing },
    );
    await stage.vms();
    await clock.advance(1_800_000);
    await stage.vms();
    const sizeOf = (name: string) => offlineCatalog('eastus')?.sizes.find((size) => size.name === name);
    const anHour =
      (sizeOf('Standard_D4s_v5')?.pricePerHour ?? 0) +
      (sizeOf('Standard_D8s_v5')?.estimatedSpotPricePerHour ?? 0) +
      (sizeOf(SYSTEM_NODE_SIZE)?.pricePerHour ?? 0);
    const { usd, pricesAsOf } = stage.cost();
    expect(usd).toBeCloseTo(anHour / 2, 5);
    expect(costLine({ usd, pricesAsOf })).toMatch(
      /^machines cost about 0\.\d\d USD at list prices of 2026-06-18, the system pool among them/,
    );
    expect(costLine({ usd: 0, pricesAsOf: undefined })).toMatch(/^no prices of this region/);
    expect(readFileSync(script, 'utf8')).toContain(`--node-vm-size ${SYSTEM_NODE_SIZE} `);
  });
});
