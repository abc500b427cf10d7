import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { PodNominations } from '../../actions/index.ts';
import type { Shell } from '../shell.ts';

const LOOK_AGAIN_MS = 5_000;

/** Ends nominations that came to nothing: those that kube-scheduler gave up, at once; those whose promise has ended, every few seconds. */
export const nomination = ({ state }: Pick<Shell, 'state'>, nominations: PodNominations): SingletonController => {
  state.onPodTransition((transition) => {
    if (transition.kind === 'waiting') nominations.refused(transition.pod);
  });
  return {
    name: 'pod.nomination',
    async reconcile({ signal }) {
      await nominations.withdrawLapsed(signal);
      return requeueAfter(LOOK_AGAIN_MS);
    },
  };
};
