import { aState } from '../../testing/a-template.ts';
import type { Machine } from '../../testing/a-template.ts';
import type { NodeState } from '../../places/node-model.ts';

/** What a node is before any pod, in a pool that sells these machines: the first is type 0, and so on. */
export const aStart = (...machines: readonly Machine[]): NodeState => aState(machines);
