import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { PodNominations } from '../../actions/index.ts';
import type { Shell } from '../shell.ts';

const RECHECK_MS = 1_000;

/** Keeps the nominations that pods carry in step with those of state, in both directions. */
export const nomination = ({ state }: Pick<Shell, 'state'>, podNominations: PodNominations): SingletonController => {
  state.onPodTransition((transition) => {
    if (transition.kind === 'waiting') podNominations.refused(transition.pod);
  });
  return {
    name: 'pod.nomination',
    async reconcile({ signal }) {
      await podNominations.withdrawLapsed(signal);
      await podNominations.renew(signal);
      return requeueAfter(RECHECK_MS);
    },
  };
};
