import { quantitiesOf } from '../../../kube/index.ts';
import type { ResourceList, Resources } from '../../../kube/index.ts';

const NONE: Resources = { cpu: 0, memory: 0, pods: 0, 'ephemeral-storage': 0, nodes: 0 };

/** A pool's usage as its status shows it: the basic resources always, also when there is none. */
export const poolResources = (usage: Resources): ResourceList => quantitiesOf({ ...NONE, ...usage });
