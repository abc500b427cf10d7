import type { NodeState } from '../../places/node-state.ts';
import { aTemplate } from '../../testing/a-template.ts';
import type { Machine } from '../../testing/a-template.ts';

/** What a node is before any pod, in a pool that sells these machines: the first is type 0, and so on. */
export const aStart = (...machines: readonly Machine[]): NodeState => {
  const { initial } = aTemplate(machines);
  if (initial === undefined) throw new Error('the machines make no template');
  return initial;
};
