import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writePoolStatus } from '../../../actions/index.ts';
import type { NodePool } from '../../../apis/index.ts';
import { poolMatch } from '../../../catalog/index.ts';
import type { InstanceType, PoolMatch } from '../../../catalog/index.ts';
import { CloudProviderError, isManaged } from '../../../cloudprovider/index.ts';
import { requirementsOf } from '../../../requirements/index.ts';
import { poolsOfNodeClasses } from '../../node-class-watches.ts';
import type { Shell } from '../../shell.ts';
import { instanceTypesMatch } from './instance-types-match.ts';

const RECHECK_MS = 5 * 60_000;
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

const tell = ({ events }: Shell, { metadata: { name, uid } }: NodePool, message: string): void =>
  events.record({
    subject: { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name, ...(uid === undefined ? {} : { uid }) },
    type: 'Warning',
    reason: 'NoCompatibleInstanceTypes',
    message: `NodePool requirements filtered out all compatible available instance types: ${message}`,
    dedupeForMs: DEDUPE_MS,
  });

const matchOf = ({ provider: { labelCatalog } }: Shell, { spec }: NodePool, types: readonly InstanceType[]): PoolMatch =>
  poolMatch(types, { requirements: requirementsOf(spec.template.spec.requirements, labelCatalog), labelCatalog });

/** Keeps `InstanceTypesMatch` and `status.instanceTypes`: how many of the provider's instance types meet what the pool requires. */
export const instanceTypes = (shell: Shell): Controller<NodePool> => ({
  name: 'nodepool.instancetypes',
  kind: 'NodePool',
  watches: poolsOfNodeClasses(shell),
  async reconcile(pool, { signal }) {
    if (!isManaged(pool.spec.template.spec.nodeClassRef, shell.provider)) return settled;
    const types = await typesFor(shell, pool, signal);
    if (types === undefined) return requeueAfter(RECHECK_MS);
    const match = matchOf(shell, pool, types);
    const change = instanceTypesMatch(match);
    const isCounted = pool.status?.instanceTypes === match.types;
    const fields = isCounted ? {} : { fields: { instanceTypes: match.types } };
    await writePoolStatus(shell, { pool, conditions: [change], ...fields }, { signal, nowMs: shell.clock.now() });
    if (!('cleared' in change) && change.status === 'False') tell(shell, pool, change.message ?? '');
    return requeueAfter(RECHECK_MS);
  },
});
