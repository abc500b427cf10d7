import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { PodNominations } from '../../actions/index.ts';
import type { Shell } from '../shell.ts';

const LOOK_AGAIN_MS = 1_000;

/** Keeps nominations as long as their promises hold, and ends those that came to nothing: kube-scheduler gave them up, or the promise has ended. */
export const nomination = ({ state }: Pick<Shell, 'state'>, nominations: PodNominations): SingletonController => {
  state.onPodTransition((transition) => {
    if (transition.kind === 'waiting') nominations.refused(transition.pod);
  });
  return {
    name: 'pod.nomination',
    async reconcile({ signal }) {
      await nominations.withdrawLapsed(signal);
      await nominations.renew(signal);
      return requeueAfter(LOOK_AGAIN_MS);
    },
  };
};
