import { isInitialized } from '../../state/index.ts';
import type { Shell } from '../shell.ts';

/** kube-scheduler binds hundreds of pods a second: after so long it is done with most of a node's. */
const LOOK_AGAIN_MS = 1000;

/**
 * Looks at promises a moment after a machine that has given some came up, or took a pod: those that it cannot keep end then, and the state tells of
 * their pods. Pods that kube-scheduler bound elsewhere than planned leave others without room.
 */
export const lookAgainAfterBinding = ({ state, caches, clock }: Pick<Shell, 'state' | 'caches' | 'clock'>): void => {
  let isSet = false;
  const lookSoon = (): void => {
    if (isSet) return;
    isSet = true;
    clock.setTimeout(() => {
      isSet = false;
      state.views(clock.now());
    }, LOOK_AGAIN_MS);
  };
  state.onPodTransition((transition) => {
    if (transition.kind === 'bound' && state.promisedOn(transition.nodeName).length > 0) lookSoon();
  });
  caches.nodeClaims.subscribe((change) => {
    if (change.type === 'updated' && isInitialized(change.object) && !isInitialized(change.previous)) lookSoon();
  });
};
