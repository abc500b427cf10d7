import { parseAzureOptions, preflight, preflightText } from '@karpenter/azure';
import { offlineCatalog } from '@karpenter/azure/catalog';
import type { NodePool } from '@karpenter/core';
import { systemClock } from '@karpenter/runtime';
import { oneOf } from '../clusters/objects.ts';
import { SYSTEM_NODE_SIZE } from './azure-stage.ts';
import { poolOf, SIZE } from './stage-objects.ts';

/** Most machines that a case has of a size at once. A node that is replaced and its successor are two. */
const MOST: Readonly<Record<string, number>> = {
  Standard_D4s_v3: 6,
  Standard_D8s_v3: 1,
  Standard_D16s_v3: 1,
  Standard_D2s_v3: 1,
  Standard_D2s_v5: 1,
  Standard_D4s_v5: 2,
  Standard_D8s_v5: 1,
  Standard_D2ps_v5: 1,
  Standard_D4as_v5: 1,
  Standard_E4s_v5: 1,
  Standard_F4s_v2: 1,
  Standard_NC4as_T4_v3: 1,
};

/** Sizes whose quota the forecast and preflight check. */
export const SIZES_OF_RUN: readonly string[] = Object.keys(MOST);

/** Guesses: nobody has timed a run on a real cluster. */
const CLUSTER_MINUTES = 10;
const CASE_MINUTES = 10;
/** Machines that an average case has. */
const MACHINES = 2;

/** Families of quotas with the cores that a run needs of them at once. */
const coresByFamily = (location: string): ReadonlyMap<string, number> => {
  const sizes = offlineCatalog(location)?.sizes ?? [];
  const cores = new Map<string, number>();
  for (const { name, quotaFamily, vCpus } of sizes) {
    const needed = (MOST[name] ?? 0) * vCpus;
    if (needed > 0) cores.set(quotaFamily, Math.max(cores.get(quotaFamily) ?? 0, needed));
  }
  // The node of AKS is there all the time.
  for (const { quotaFamily, vCpus } of sizes.filter(({ name }) => name === SYSTEM_NODE_SIZE))
    cores.set(quotaFamily, (cores.get(quotaFamily) ?? 0) + vCpus);
  return cores;
};

/** What a run of so many cases is expected to take, to need and to cost, said before anything is made. */
export const forecastOf = (cases: number, location: string): readonly string[] => {
  const hours = (CLUSTER_MINUTES + cases * CASE_MINUTES) / 60;
  const priceOf = (size: string): number => offlineCatalog(location)?.sizes.find(({ name }) => name === size)?.pricePerHour ?? 0;
  const usd = hours * (priceOf(SYSTEM_NODE_SIZE) + MACHINES * priceOf('Standard_D4s_v3'));
  const families = [...coresByFamily(location)].map(([family, cores]) => `${family} ${cores}`);
  return [
    `${cases} cases, one after another: about ${Math.ceil(hours)} hours. That is a guess, no run has been timed yet.`,
    families.length === 0
      ? `no sizes of ${location} are known here: needed cores and the cost are not known either`
      : `cores of quota: ${families.join(', ')}`,
    ...(usd > 0 ? [`order of the cost: ${usd.toPrecision(1)} USD at list prices, without disks, addresses and traffic`] : []),
  ];
};

/** A pool for each size that a run may use. */
const poolsOfRun = (): readonly NodePool[] =>
  SIZES_OF_RUN.map((size) => ({
    ...poolOf([oneOf('karpenter.sh/capacity-type', 'on-demand'), oneOf(SIZE, size)]),
    metadata: { name: size },
  }));

/** Who hears the report, and what ends the preflight. */
interface Readiness {
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Also trusted on calls to Azure. */
  readonly caPem?: string | undefined;
}

/**
 * Runs this project's own preflight on the cluster, and throws where something is missing that every case needs. Without
 * quota for a size only the cases of that size fail.
 */
export const checkReadiness = async (
  env: Readonly<Record<string, string>>,
  { say, signal = new AbortController().signal, caPem }: Readiness,
): Promise<void> => {
  const parsed = parseAzureOptions({ env, flags: {} });
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  const asked = { nodePools: poolsOfRun(), nodeClasses: [], kubernetesVersion: undefined };
  const variables = { ...process.env, ...env };
  const report = await preflight({ options: parsed.options, variables, clock: systemClock, caPem, ...asked }, signal);
  say(preflightText(report));
  if (report.findings.some(({ status, check }) => status === 'failed' && check !== 'quota'))
    throw new Error('the cluster is not ready for a run');
};
