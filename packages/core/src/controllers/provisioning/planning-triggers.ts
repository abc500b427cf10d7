import type { CacheChange } from '@karpenter/runtime';
import { hasDisruptedTaint } from '../../actions/index.ts';
import type { NodePool } from '../../apis/index.ts';
import { conditionOf } from '../../kube/index.ts';
import type { ObjectMeta } from '../../kube/index.ts';
import type { FollowedCache } from '../../ports/index.ts';
import { isInitialized, nodePoolConditions, podId } from '../../state/index.ts';
import { bufferTriggers } from '../capacity-buffer/capacity-buffer.ts';
import type { Shell } from '../shell.ts';
import type { Batcher } from './batcher.ts';
import { onMinimumLoss } from './minimum-nodes.ts';

const RETRY_MS = 10_000;

/** kube-scheduler binds hundreds of pods a second: by then it has bound most pods of a node. */
const CHECK_AFTER_MS = 1000;

/**
 * Rechecks nominations a moment after a machine was initialized, and after each call, for a pod that was bound to one
 * with nominations: kube-scheduler may have bound pods elsewhere than planned, so that others no longer have room. Those
 * nominations end, and their pods count as waiting again.
 */
const nominationCheck = ({ state, caches, clock, reporter }: Pick<Shell, 'state' | 'caches' | 'clock' | 'reporter'>): (() => void) => {
  let isSet = false;
  const checkSoon = (): void => {
    if (isSet) return;
    isSet = true;
    clock.setTimeout(() => {
      isSet = false;
      // A timer has no caller: what it throws would end the process.
      try {
        state.views(clock.now());
      } catch (error) {
        reporter.report({ kind: 'report-failed', about: 'nominations', error });
      }
    }, CHECK_AFTER_MS);
  };
  caches.nodeClaims.subscribe((change) => {
    if (change.type === 'updated' && isInitialized(change.object) && !isInitialized(change.previous)) checkSoon();
  });
  return checkSoon;
};

const isReady = ({ status }: NodePool): boolean => conditionOf(status?.conditions, nodePoolConditions.ready)?.status === 'True';

/** Whether a pod that found no place may find one after this change of a NodePool: it became ready, or a person edited it. */
export const allowsMore = (change: CacheChange<NodePool>): boolean => {
  switch (change.type) {
    case 'added':
      return isReady(change.object);
    case 'updated':
      return (
        isReady(change.object) && (!isReady(change.previous) || change.object.metadata.generation !== change.previous.metadata.generation)
      );
    case 'deleted':
      return false;
  }
};

/** What pods claim devices by: they may have been created before it. */
const claimCaches = ({ caches: { devices } }: Shell): readonly FollowedCache<{ readonly metadata: ObjectMeta }>[] =>
  devices === undefined ? [] : [devices.deviceClasses, devices.resourceClaims, devices.resourceClaimTemplates];

/**
 * Reasons to plan: pods that wait or lost their nomination, and nodes that are being emptied. Reminders, which say
 * nothing about whether pods keep coming: pools that allow more, claims, pod groups and buffers that change, and time.
 */
export const planningTriggers = (shell: Shell, batcher: Batcher): { readonly retry: (signal: AbortSignal) => void } => {
  const { state, caches, clock, reporter } = shell;
  const checkNominationsSoon = nominationCheck(shell);
  state.onPodTransition((transition) => {
    if (transition.kind === 'waiting') {
      if (transition.hadPlace) batcher.triggerByLoss(podId(transition.pod));
      else batcher.trigger(podId(transition.pod));
    }
    if (transition.kind !== 'bound' || state.nominatedOn(transition.nodeName).length === 0) return;
    batcher.extend(state.hasQueuedPods);
    checkNominationsSoon();
  });
  caches.nodes.subscribe(({ type, object }) => {
    if (type !== 'deleted' && hasDisruptedTaint(object)) batcher.trigger(object.metadata.name);
  });
  caches.nodePools.subscribe((change) => {
    if (allowsMore(change)) batcher.remind();
  });
  const remind = (): void => batcher.remindSparsely();
  for (const cache of [caches.persistentVolumeClaims, ...claimCaches(shell)])
    cache.subscribe(({ type }) => {
      if (type !== 'deleted') remind();
    });
  caches.podGroups?.subscribe((change) => {
    const before = change.type === 'updated' ? change.previous : undefined;
    if (change.object.spec?.minMember !== before?.spec?.minMember) remind();
  });
  onMinimumLoss(shell, () => batcher.trigger('minimum of a pool'));
  bufferTriggers(shell, remind);
  for (const pod of state.waitingPods()) batcher.trigger(podId(pod));
  let isSet = false;
  return {
    retry: (signal) => {
      if (isSet) return;
      isSet = true;
      const again = (): void => {
        isSet = false;
        batcher.remind();
      };
      // The sleep fails only by the signal, after which nothing is planned: a timer would keep the process alive.
      void clock
        .sleep(RETRY_MS, signal)
        .then(again)
        .catch((error: unknown) => {
          if (!signal.aborted) reporter.report({ kind: 'report-failed', about: 'the next plan', error });
        });
    },
  };
};
