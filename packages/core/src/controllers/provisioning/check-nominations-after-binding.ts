import { isInitialized } from '../../state/index.ts';
import type { Shell } from '../shell.ts';

/** kube-scheduler binds hundreds of pods a second: by then it has bound most pods of a node. */
const CHECK_AFTER_MS = 1000;

/**
 * Rechecks nominations a moment after a machine was initialized, or a pod was bound to one with nominations: kube-scheduler may have bound pods
 * elsewhere than planned, so that others no longer have room. Those nominations end, and their pods count as waiting again.
 */
export const checkNominationsAfterBinding = ({ state, caches, clock }: Pick<Shell, 'state' | 'caches' | 'clock'>): void => {
  let isSet = false;
  const checkSoon = (): void => {
    if (isSet) return;
    isSet = true;
    clock.setTimeout(() => {
      isSet = false;
      state.views(clock.now());
    }, CHECK_AFTER_MS);
  };
  state.onPodTransition((transition) => {
    if (transition.kind === 'bound' && state.nominatedOn(transition.nodeName).length > 0) checkSoon();
  });
  caches.nodeClaims.subscribe((change) => {
    if (change.type === 'updated' && isInitialized(change.object) && !isInitialized(change.previous)) checkSoon();
  });
};
