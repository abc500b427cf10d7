import { watchOf } from '@karpenter/runtime';
import type { CacheChange, Watch } from '@karpenter/runtime';
import type { NodeClassObject } from '../ports/index.ts';
import type { Shell } from './shell.ts';
import type { ConditionChange } from '../actions/index.ts';
import type { NodePool } from '../apis/index.ts';
import { timestampOf } from '../base/index.ts';
import { conditionOf } from '../kube/index.ts';
import { nodePoolConditions } from '../state/index.ts';
import type { ClusterState, FailingLaunches } from '../state/index.ts';

/** A NodeClass's changes concern the pools that launch by it. */
export const poolsOfNodeClasses = ({ provider, caches }: Pick<Shell, 'provider' | 'caches'>): readonly Watch[] =>
  provider.getSupportedNodeClasses().map(({ kind }) =>
    watchOf<NodeClassObject>(kind, ({ object }) =>
      caches.nodePools
        .list()
        .filter(
          ({ spec }) => spec.template.spec.nodeClassRef.kind === kind && spec.template.spec.nodeClassRef.name === object.metadata.name,
        )
        .map(({ metadata: { name } }) => ({ name })),
    ),
  );

/** A NodeClass's changes concern the claims that were launched by it: they may have drifted. */
export const claimsOfNodeClasses = ({ provider, caches }: Pick<Shell, 'provider' | 'caches'>): readonly Watch[] =>
  provider.getSupportedNodeClasses().map(({ kind }) =>
    watchOf<NodeClassObject>(kind, ({ object }) =>
      caches.nodeClaims
        .list()
        .filter(({ spec: { nodeClassRef } }) => nodeClassRef.kind === kind && nodeClassRef.name === object.metadata.name)
        .map(({ metadata: { name } }) => ({ name })),
    ),
  );

/**
 * Whether the spec of the pool may be another one: the API server counts edits of it, of neither status nor metadata. A
 * pool that was made again begins to count again.
 */
export const hasNewSpec = ({ object, previous }: Extract<CacheChange<NodePool>, { readonly type: 'updated' }>): boolean =>
  object.metadata.generation !== previous.metadata.generation || object.metadata.uid !== previous.metadata.uid;

const { launchBackoff, nodeRegistrationHealthy } = nodePoolConditions;

/** What is known of a pool's launches. */
export interface PoolHealth {
  readonly state: Pick<ClusterState, 'launches' | 'registrations'>;
  /** Why the last claim was not launched, when it was not. */
  readonly cause?: { readonly cause: string; readonly message: string } | undefined;
}

const registrationChange = (pool: NodePool, { state, cause }: PoolHealth): readonly ConditionChange[] => {
  const { name, uid = name } = pool.metadata;
  const isHealthy = state.registrations.isHealthy(uid);
  const says = conditionOf(pool.status?.conditions, nodeRegistrationHealthy)?.status;
  if (isHealthy === undefined || says === (isHealthy ? 'True' : 'False')) return [];
  if (isHealthy) return [{ type: nodeRegistrationHealthy, status: 'True' }];
  const why = cause ?? { cause: 'RegistrationFailed', message: 'Machines were launched whose nodes did not come' };
  return [{ type: nodeRegistrationHealthy, status: 'False', reason: why.cause, message: why.message }];
};

const backoffText = ({ times, message, untilMs }: FailingLaunches): string =>
  `${times} launches in a row failed, the next one is tried after ${timestampOf(untilMs)}: ${message}`;

const backoffChange = (pool: NodePool, { state }: PoolHealth): readonly ConditionChange[] => {
  const failing = state.launches.failingOf(pool.metadata.name);
  if (failing !== undefined) return [{ type: launchBackoff, status: 'True', reason: failing.cause, message: backoffText(failing) }];
  const isSaid = conditionOf(pool.status?.conditions, launchBackoff) !== undefined;
  return isSaid ? [{ type: launchBackoff, cleared: true }] : [];
};

/** Changes of the pool's conditions about registration and launch backoff. Empty when its status is up to date. */
export const poolHealthChanges = (pool: NodePool, health: PoolHealth): readonly ConditionChange[] => [
  ...registrationChange(pool, health),
  ...backoffChange(pool, health),
];
