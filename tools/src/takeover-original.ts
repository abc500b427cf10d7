/**
 * `pnpm takeover:original`: the original's released Azure provider and this controller take a cluster over from each
 * other, on Kubernetes' own control plane and the emulator's Azure. Fails where either writes to Azure although nothing
 * has changed. Builds what it runs from published Go modules (`KARPENTER_BENCH_CACHE` names the folder); needs Linux,
 * Go and the right to make mount namespaces. `--mode NAME` chooses a provision mode (repeat it for several), `--unkind`
 * an Azure with all that surprises clients. `--quiet-minutes N` sets how long each controller is watched (3), `--json`
 * prints what each found and left.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ResourceKind } from '@karpenter/runtime';
import { speedOptions } from '@karpenter/simulator';
import { type ArmEmulatorOptions, UNKIND_AZURE } from '@karpenter/azure-emulator';
import { startRealCluster } from '@karpenter/simulator/real-cluster';
import { type ProvisionMode, provisionModes } from '../../apps/controller/src/testing/stories/provision-mode.ts';
import { AKS_MODELS_VERSION } from '../../packages/azure-emulator/src/data/aks-models.ts';
import { bundleModule } from './bench/controller/bundled.ts';
import { defaultCache, ensureAzurePrograms } from './bench/original/programs.ts';
import { chartCrds } from './chart-crds.ts';
import { originalController, ourController } from './takeover-original/azure-contestants.ts';
import { startPlainEndpoints } from './takeover-original/plain-endpoints.ts';
import { takeOverBothWays, type TakenOver } from './takeover-original/take-over.ts';

/** Azure answers so many times as fast as the real one; everything else takes its time. */
const SPEED = 10;
const MINUTE_MS = 60_000;

const nodeClasses: ResourceKind = {
  ...{ group: 'karpenter.azure.com', version: 'v1beta1', kind: 'AKSNodeClass', plural: 'aksnodeclasses', namespaced: false },
};

const { values } = parseArgs({
  options: {
    mode: { type: 'string', multiple: true },
    unkind: { type: 'boolean', default: false },
    'quiet-minutes': { type: 'string', default: '3' },
    json: { type: 'boolean' },
  },
});

const cache = defaultCache();
const programs = ensureAzurePrograms(cache);
const logs = join(cache, 'logs');
mkdirSync(logs, { recursive: true });
process.stderr.write(`the original's Azure provider ${programs.version}; logs in ${logs}\n`);
using bundle = await bundleModule(new URL('../../apps/controller/src/main.ts', import.meta.url));
const ownCrds = chartCrds().map((path) => readFileSync(path, 'utf8'));

const { latencies } = speedOptions(SPEED).azure;
/** AKS registers several api-versions: the original calls one of them and has no fallback, this controller another. */
const apiVersions = { 'Microsoft.ContainerService': ['2026-04-02-preview', AKS_MODELS_VERSION] };
/**
 * Without older api-versions of Compute and Network, for which the original has no fallback. With machines of an agent
 * pool that name their VM at once: the original deletes others ("irretrievable VM resource ID") and never gets one.
 */
const unkindAzure: Omit<ArmEmulatorOptions, 'clock'> = {
  behaviours: { ...UNKIND_AZURE.behaviours, lateResourceIds: false },
  throttling: UNKIND_AZURE.throttling,
  latencies: {
    ...latencies,
    vmDeleteMs: UNKIND_AZURE.latencies.vmDeleteMs / SPEED,
    resourceGraphDelayMs: UNKIND_AZURE.latencies.resourceGraphDelayMs / SPEED,
  },
};

const inMode = async (mode: ProvisionMode['name']): Promise<readonly TakenOver[]> => {
  const { controlPlane, original, originalCrds } = programs;
  await using cluster = await startRealCluster({
    ...{ assets: controlPlane, crds: originalCrds, kinds: [nodeClasses] },
    azure: { ...(values.unkind ? unkindAzure : { latencies }), apiVersions },
  });
  await using plain = await startPlainEndpoints(cluster.arm);
  const setting = { cluster, mode, plain };
  const logPath = (name: string): string => join(logs, `takeover-${mode}-${name}.log`);
  return await takeOverBothWays(
    { cluster, logPath, quietMs: Number(values['quiet-minutes']) * MINUTE_MS },
    { contestant: originalController(setting, original), crds: originalCrds },
    { contestant: ourController(setting, bundle.path), crds: ownCrds },
  );
};

const lineOf = (mode: string, { by, writes, isSame, after }: TakenOver): string => {
  const count = Object.values(writes).reduce((sum, each) => sum + each, 0);
  const which = count === 0 ? '' : ` ${JSON.stringify(writes)}`;
  return `${mode}: taken over by ${by}: ${count} writes${which}, ${isSame ? 'nothing changed' : 'CHANGED'}, ${after.drifted.length} drifted`;
};

const all: Record<string, readonly TakenOver[]> = {};
for (const { name } of provisionModes) {
  if (values.mode !== undefined && !values.mode.includes(name)) continue;
  const results = (all[name] = await inMode(name));
  for (const result of results) process.stderr.write(`${lineOf(name, result)}\n`);
}
if (values.json === true) process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
const isClean = Object.values(all).every((results) => results.every(({ writes, isSame }) => isSame && Object.keys(writes).length === 0));
process.exitCode = isClean && Object.keys(all).length > 0 ? 0 : 1;
