import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writePoolStatus } from '../../actions/index.ts';
import type { ConditionChange } from '../../actions/index.ts';
import { poolMatch } from '../../catalog/index.ts';
import type { InstanceType, PoolMatch } from '../../catalog/index.ts';
import { nodePoolConditions } from '../../state/index.ts';
import type { NodePool } from '../../apis/index.ts';
import { CloudProviderError, isManaged } from '../../cloudprovider/index.ts';
import { requirementsOfPool } from '../../scheduling/index.ts';
import type { SchedulingPolicy } from '../../scheduling/index.ts';
import { poolsOfNodeClasses } from '../watches.ts';
import type { Shell } from '../shell.ts';

const type = nodePoolConditions.instanceTypesMatch;

const removedText = ({ removedBy }: PoolMatch): string =>
  removedBy.length === 0 ? '' : `; removed: ${removedBy.map(({ requirement, removed }) => `${removed} by ${requirement}`).join(', ')}`;

const shortfallText = ({ key, wanted, found }: PoolMatch['shortfalls'][number]): string => `${found} of ${wanted} values of ${key}`;

/** What a pool says about the instance types that meet its requirements. Not part of `Ready`. */
const instanceTypesMatch = (match: PoolMatch): ConditionChange => {
  const { total, types, offerings, shortfalls } = match;
  if (types === 0) {
    const message = `None of ${total} instance types meets the requirements${removedText(match)}`;
    return { type, status: 'False', reason: 'NoCompatibleInstanceTypes', message };
  }
  const matching = `${types} of ${total} instance types meet the requirements`;
  if (offerings === 0) {
    const message = `${matching}, and none has an available offering${removedText(match)}`;
    return { type, status: 'False', reason: 'NoAvailableOfferings', message };
  }
  if (shortfalls.length > 0) {
    const message = `${matching}, and those with available offerings fall short of minValues (${shortfalls.map(shortfallText).join(', ')})${removedText(match)}`;
    return { type, status: 'False', reason: 'MinValuesNotMet', message };
  }
  return { type, status: 'True', message: `${matching}, with ${offerings} available offerings${removedText(match)}` };
};

type MatchPolicy = Pick<SchedulingPolicy, 'labelCatalog' | 'minValues'>;

const RECHECK_MS = 5 * 60_000;
/** After a provider that does not answer. */
const RETRY_MS = 60_000;
const DEDUPE_MS = 5 * 60_000;

/** Undefined where the provider cannot say now: its calls count their failures. */
const typesFor = async ({ provider }: Shell, pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[] | undefined> => {
  try {
    return await provider.getInstanceTypes(pool, { signal });
  } catch (error) {
    if (error instanceof CloudProviderError) return undefined;
    throw error;
  }
};

const textOf = (reason: string | undefined, message = ''): string => {
  const cause = reason === 'MinValuesNotMet' ? ' due to minValues incompatibility' : '';
  return `NodePool requirements filtered out all compatible available instance types${cause}: ${message}`;
};

const recordWarning = ({ events }: Shell, { metadata: { name, uid } }: NodePool, message: string): void =>
  events.record({
    subject: { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name, ...(uid === undefined ? {} : { uid }) },
    type: 'Warning',
    reason: 'NoCompatibleInstanceTypes',
    message,
    dedupeForMs: DEDUPE_MS,
  });

/** As the planner sees it: with the labels of the template, and with `minValues` only where it holds to them. */
const matchOf = ({ labelCatalog, minValues }: MatchPolicy, pool: NodePool, types: readonly InstanceType[]): PoolMatch => {
  const match = poolMatch(types, { requirements: requirementsOfPool(pool, labelCatalog), labelCatalog });
  return minValues === 'Strict' ? match : { ...match, shortfalls: [] };
};

/**
 * Keeps `InstanceTypesMatch` and `status.instanceTypes`: how many of the provider's instance types meet what the pool
 * requires.
 */
export const instanceTypes = (shell: Shell, policy: MatchPolicy): Controller<NodePool> => ({
  name: 'nodepool.instancetypes',
  kind: 'NodePool',
  watches: poolsOfNodeClasses(shell),
  async reconcile(pool, { signal }) {
    if (!isManaged(pool.spec.template.spec.nodeClassRef, shell.provider)) return settled;
    const types = await typesFor(shell, pool, signal);
    if (types === undefined) return requeueAfter(RETRY_MS);
    const match = matchOf(policy, pool, types);
    const change = instanceTypesMatch(match);
    const isCounted = pool.status?.instanceTypes === match.types;
    const fields = isCounted ? {} : { fields: { instanceTypes: match.types } };
    await writePoolStatus(shell, { pool, conditions: [change], ...fields }, { signal, nowMs: shell.clock.now() });
    if (!('cleared' in change) && change.status === 'False') recordWarning(shell, pool, textOf(change.reason, change.message));
    return requeueAfter(RECHECK_MS);
  },
});
